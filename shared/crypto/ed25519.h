#pragma once

#include "shared/crypto/secret.h"

#include <array>
#include <cstddef>
#include <span>

namespace jostle::crypto {

inline constexpr std::size_t signature_bytes = 64;
using Signature = std::array<std::byte, signature_bytes>;
/// The public key that verifies signatures.
using Ed25519PublicKey = std::array<std::byte, 32>;
/// The secret from which the signing key is derived: 32 random bytes.
using Ed25519Seed = Secret<32>;

/// Returns the public key of a seed.
Ed25519PublicKey verify_key(const Ed25519Seed& seed);
/// Returns the Ed25519 signature (RFC 8032) of the text.
Signature sign(const Ed25519Seed& seed, std::span<const std::byte> text);
/// Returns true if the signature of the text is valid for the key.
bool verify_signature(const Ed25519PublicKey& key, std::span<const std::byte> text,
                      const Signature& signature);

}  // namespace jostle::crypto
