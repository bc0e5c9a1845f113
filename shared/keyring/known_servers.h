#pragma once

#include "shared/base/result.h"
#include "shared/crypto/x25519.h"
#include "shared/net/io.h"

#include <cstddef>
#include <optional>
#include <string>

namespace jostle::keyring {

// The keys of the servers that a person has been to: lines "HOST:PORT KEY" of a list.

/// How a server is called there: as the person does, and an address as it is printed.
std::string server_name(const std::string& host, std::uint16_t port);

struct KnownServer {
  crypto::PublicKey key{};
  std::size_t line = 0;  // of the file
};
/// Nothing when it is not there, or there is no file. The first line counts. An error names file,
/// line and what is wrong.
base::Result<std::optional<KnownServer>, std::string> find_known_server(net::Io& io,
                                                                        const std::string& path,
                                                                        const std::string& name);
base::Result<base::Ok, std::string> add_known_server(net::Io& io, const std::string& path,
                                                     const std::string& name,
                                                     const crypto::PublicKey& key);

}  // namespace jostle::keyring
