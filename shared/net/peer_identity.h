#pragma once

#include "shared/crypto/x25519.h"
#include "shared/secure/token.h"

#include <cstdint>
#include <optional>

namespace jostle::net {

/// The identity of a connection's other end.
struct PeerIdentity {
  /// The client's rights. The server reads them from the token, and the client receives them from
  /// the server.
  secure::Role role = secure::Role::Player;
  std::uint64_t client = 0;  // id that the token's issuer assigned; 0 without a token
  crypto::PublicKey key{};   // public key; the peer has proved that it holds the secret
  /// For servers: the token with which the client entered; null without a token.
  std::optional<secure::TokenId> token{};
  bool is_token_reusable = false;
};

}  // namespace jostle::net
