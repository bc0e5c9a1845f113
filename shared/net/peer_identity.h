#pragma once

#include "shared/crypto/x25519.h"
#include "shared/secure/token.h"

#include <cstdint>

namespace jostle::net {

/// Whom a connection leads to.
struct PeerIdentity {
  /// What it may do, as the server says to a client, or a token to the server.
  secure::Role role = secure::Role::Player;
  std::uint64_t client = 0;  // as the token's issuer names it; 0 without a token
  crypto::PublicKey key{};   // it has the secret of this
};

}  // namespace jostle::net
