#pragma once

#include "shared/crypto/x25519.h"
#include "shared/secure/handshake_wire.h"
#include "shared/secure/token_book.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jostle::net {

/// The keys and credentials of one end of a connection.
struct SecurityOptions {
  // For servers:
  secure::AccessMode mode = secure::AccessMode::Open;
  // For both ends:
  std::optional<crypto::KeyPair> key{};  // long-term key pair; if empty, a new one is generated
  // For servers:
  secure::TokenBook* tokens = nullptr;  // for mode Token; must outlive the transport
  // For both ends, in mode SharedKey:
  std::optional<secure::PreSharedKey> psk{};
  // For clients:
  // the server's expected key; if empty, any server is accepted
  std::optional<crypto::PublicKey> server{};
  std::string server_source{};  // a clause for error messages that says where `server` was read
  std::vector<std::byte> token{};
};

}  // namespace jostle::net
