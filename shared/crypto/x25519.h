#pragma once

#include "shared/crypto/secret.h"

#include <array>
#include <compare>
#include <cstddef>

namespace jostle::crypto {

inline constexpr std::size_t x25519_bytes = 32;

/// What one end of an exchange shows.
using PublicKey = std::array<std::byte, x25519_bytes>;

struct KeyPair {
  Secret<x25519_bytes> secret;
  PublicKey shown{};
};

/// The pair that belongs to a secret, or to fresh random bytes.
KeyPair key_pair(const Secret<x25519_bytes>& secret);
KeyPair key_pair(const FillRandom& fill_random);

/// What both ends of a Diffie-Hellman exchange on Curve25519 (RFC 7748) come to. False when the
/// other's key is one of the few that make it zero whatever the secret: then it is no secret.
bool exchange(const Secret<x25519_bytes>& own, const PublicKey& other,
              Secret<x25519_bytes>& result);

}  // namespace jostle::crypto
