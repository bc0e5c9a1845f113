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

// Key files hold one line: "jostle-KIND-1 " and 32 bytes in base64 (RFC 4648 §5, without padding).
// Errors name the file, the line and the problem. Files with secrets are refused if other users of
// the machine have access to them.

/// Reads or writes the key pair of a server or a client. Kind "x25519".
base::Result<crypto::KeyPair, std::string> read_key_pair(net::Io& io, const std::string& path);
base::Result<base::Ok, std::string> write_key_pair(net::Io& io, const std::string& path,
                                                   const crypto::KeyPair& key);
/// Reads or writes the public key of such a pair. Kind "x25519-public".
base::Result<crypto::PublicKey, std::string> read_public_key(net::Io& io, const std::string& path);
base::Result<base::Ok, std::string> write_public_key(net::Io& io, const std::string& path,
                                                     const crypto::PublicKey& key);

/// Reads or writes the secret that signs tokens. Kind "ed25519".
base::Result<crypto::Ed25519Seed, std::string> read_signing_seed(net::Io& io,
                                                                 const std::string& path);
base::Result<base::Ok, std::string> write_signing_seed(net::Io& io, const std::string& path,
                                                       const crypto::Ed25519Seed& seed);
/// Reads or writes the public key that verifies tokens. Kind "ed25519-public".
base::Result<crypto::Ed25519PublicKey, std::string> read_verify_key(net::Io& io,
                                                                    const std::string& path);
base::Result<base::Ok, std::string> write_verify_key(net::Io& io, const std::string& path,
                                                     const crypto::Ed25519PublicKey& key);

/// Reads or writes the pre-shared key of a server and all its clients. Kind "psk".
base::Result<secure::PreSharedKey, std::string> read_psk(net::Io& io, const std::string& path);
base::Result<base::Ok, std::string> write_psk(net::Io& io, const std::string& path,
                                              const secure::PreSharedKey& psk);

/// Decodes a key of 32 bytes. Returns nothing if the text is not base64 or has another length.
std::optional<std::array<std::byte, 32>> parse_key(std::string_view base64);

/// Returns true unless the file is missing; does not check its contents or whether it is readable.
bool is_there(net::Io& io, const std::string& path);

}  // namespace jostle::keyring
