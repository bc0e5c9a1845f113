#pragma once

#include "shared/base/result.h"
#include "shared/crypto/ed25519.h"
#include "shared/crypto/x25519.h"
#include "shared/net/io.h"
#include "shared/secure/noise.h"

#include <optional>
#include <string>
#include <string_view>

namespace jostle::keyring {

// Files of one line, "jostle-KIND-1 " and 32 bytes in base64 (RFC 4648 §5, without padding). Errors
// name file, line and what is wrong. Those with secrets are refused when others may read them.

/// The secret by which a server or a client is known: "x25519".
base::Result<crypto::KeyPair, std::string> read_key_pair(net::Io& io, const std::string& path);
base::Result<base::Ok, std::string> write_key_pair(net::Io& io, const std::string& path,
                                                   const crypto::KeyPair& key);
/// What everybody may know of it: "x25519-public".
base::Result<crypto::PublicKey, std::string> read_public_key(net::Io& io, const std::string& path);
base::Result<base::Ok, std::string> write_public_key(net::Io& io, const std::string& path,
                                                     const crypto::PublicKey& key);

/// What signs tokens: "ed25519".
base::Result<crypto::SigningSeed, std::string> read_signing_seed(net::Io& io,
                                                                 const std::string& path);
base::Result<base::Ok, std::string> write_signing_seed(net::Io& io, const std::string& path,
                                                       const crypto::SigningSeed& seed);
/// What checks them: "ed25519-public".
base::Result<crypto::VerifyKey, std::string> read_verify_key(net::Io& io, const std::string& path);
base::Result<base::Ok, std::string> write_verify_key(net::Io& io, const std::string& path,
                                                     const crypto::VerifyKey& key);

/// A key that all who may come in have: "psk".
base::Result<secure::PreSharedKey, std::string> read_psk(net::Io& io, const std::string& path);
base::Result<base::Ok, std::string> write_psk(net::Io& io, const std::string& path,
                                              const secure::PreSharedKey& psk);

/// 32 bytes that `base64` stands for; nothing when it stands for none, or for another number.
std::optional<std::array<std::byte, 32>> parse_key(std::string_view base64);

/// Whether there is such a file, whatever is in it.
bool is_there(net::Io& io, const std::string& path);

}  // namespace jostle::keyring
