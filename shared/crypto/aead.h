#pragma once

#include "shared/crypto/secret.h"

#include <cstdint>
#include <span>

namespace jostle::crypto {

inline constexpr std::size_t aead_key_bytes = 32;
inline constexpr std::size_t aead_tag_bytes = 16;
using AeadKey = Secret<aead_key_bytes>;

/// Encrypts `text` in place and puts its tag behind it. `number` may be used once with a key.
///
/// ChaCha20-Poly1305 (RFC 8439); the nonce is 32 zero bits and the number, little-endian, as in the
/// Noise protocol. `sealed` holds the text and room for the tag; `header` is not encrypted, but
/// what opens must have the same.
void seal(const AeadKey& key, std::uint64_t number, std::span<const std::byte> header,
          std::span<std::byte> sealed);

/// Decrypts in place; the text is all but the last aead_tag_bytes. False, and nothing of a text is
/// to be used, when it was not sealed with this key, number and header.
bool open(const AeadKey& key, std::uint64_t number, std::span<const std::byte> header,
          std::span<std::byte> sealed);

}  // namespace jostle::crypto
