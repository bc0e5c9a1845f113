#pragma once

#include "shared/crypto/secret.h"

#include <array>
#include <compare>
#include <cstddef>

namespace jostle::crypto {

inline constexpr std::size_t x25519_bytes = 32;

/// The public key of one end of a key exchange.
using PublicKey = std::array<std::byte, x25519_bytes>;

/// A secret key and its public key, `shown`.
struct KeyPair {
  Secret<x25519_bytes> secret;
  PublicKey shown{};
};

/// Returns the key pair of a secret.
KeyPair key_pair(const Secret<x25519_bytes>& secret);
/// Returns a key pair with a random secret.
KeyPair key_pair(const FillRandom& fill_random);

/// Writes to `result` the shared secret of a Diffie-Hellman exchange on Curve25519 (RFC 7748)
/// between the secret `own` and the public key `other`. Returns false if `other` is a low-order
/// point: the shared secret would be zero for every `own`.
bool x25519(const Secret<x25519_bytes>& own, const PublicKey& other, Secret<x25519_bytes>& result);

}  // namespace jostle::crypto
