#pragma once

#include "shared/base/result.h"
#include "shared/crypto/x25519.h"
#include "shared/net/io.h"

#include <cstddef>
#include <optional>
#include <string>

namespace jostle::keyring {

// The list of known servers: lines "HOST:PORT KEY", one for each server that the user has joined.

/// Returns the server's name in the list: the host name in lower case, or the IP address in its
/// canonical form, followed by the port.
std::string server_name(const std::string& host, std::uint16_t port);

/// An entry of the list.
struct KnownServer {
  crypto::PublicKey key{};
  std::size_t line = 0;  // line number in the file, from 1
};
/// Returns the first entry with this name. Returns nothing if there is none or the file is missing.
/// Errors name the file, the line and the problem.
base::Result<std::optional<KnownServer>, std::string> find_known_server(net::Io& io,
                                                                        const std::string& path,
                                                                        const std::string& name);
/// Appends an entry to the list.
base::Result<base::Ok, std::string> add_known_server(net::Io& io, const std::string& path,
                                                     const std::string& name,
                                                     const crypto::PublicKey& key);

}  // namespace jostle::keyring
