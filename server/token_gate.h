#pragma once

#include "shared/crypto/x25519.h"
#include "shared/secure/token.h"

#include <cstdint>

namespace jostle::server {

/// Stores the uses of single-use tokens. A client is welcomed only after its use is stored.
class TokenGate {
 public:
  enum class Answer : std::uint8_t {
    Waiting,  // ask again later
    Stored,   // the token belongs to this client now
    Refused,  // another client has used the token, or its use cannot be stored
  };
  virtual ~TokenGate() = default;
  /// Asks for the use of a token by the client with the public key `client`, which has a session
  /// with that token. Never blocks.
  virtual Answer ask(const secure::TokenId& id, const crypto::PublicKey& client) = 0;
};

}  // namespace jostle::server
