#pragma once

#include "shared/crypto/secret.h"

#include <cstdint>
#include <span>

namespace jostle::crypto {

inline constexpr std::size_t aead_key_bytes = 32;
inline constexpr std::size_t aead_tag_bytes = 16;
using AeadKey = Secret<aead_key_bytes>;

/// Encrypts a text in place and appends its tag. `sealed` holds the text, followed by
/// `aead_tag_bytes` bytes that receive the tag. A `number` must never be used twice with the same
/// key. `header` is the associated data: it is authenticated but not encrypted.
///
/// ChaCha20-Poly1305 (RFC 8439). The nonce is four zero bytes followed by the number,
/// little-endian, as in the Noise protocol.
void aead_encrypt(const AeadKey& key, std::uint64_t number, std::span<const std::byte> header,
                  std::span<std::byte> sealed);

/// Decrypts `sealed` in place. On success, `sealed` holds the text, followed by the tag. Returns
/// false if `sealed` was not made with this key, `number` and `header`; its bytes must not be used
/// in that case.
bool aead_decrypt(const AeadKey& key, std::uint64_t number, std::span<const std::byte> header,
                  std::span<std::byte> sealed);

}  // namespace jostle::crypto
