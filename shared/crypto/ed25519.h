#pragma once

#include "shared/crypto/secret.h"

#include <array>
#include <cstddef>
#include <span>

namespace jostle::crypto {

inline constexpr std::size_t signature_bytes = 64;
using Signature = std::array<std::byte, signature_bytes>;
/// What checks signatures.
using VerifyKey = std::array<std::byte, 32>;
/// What makes them: 32 random bytes.
using SigningSeed = Secret<32>;

VerifyKey verify_key(const SigningSeed& seed);
/// Ed25519 (RFC 8032).
Signature sign(const SigningSeed& seed, std::span<const std::byte> text);
bool is_signed(const VerifyKey& key, std::span<const std::byte> text, const Signature& signature);

}  // namespace jostle::crypto
