#pragma once

#include "shared/crypto/secret.h"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>

namespace jostle::crypto {

inline constexpr std::size_t blake2b_bytes = 64;
using Digest = std::array<std::byte, blake2b_bytes>;

using Parts = std::initializer_list<std::span<const std::byte>>;

/// BLAKE2b (RFC 7693) of 64 bytes, over all parts as one text.
Digest blake2b(Parts parts);

/// BLAKE2b with a key, of as many bytes as `out` has (16 to 64): only who has the key can make it.
void keyed_blake2b(std::span<const std::byte, 32> key, Parts parts, std::span<std::byte> out);

/// HMAC (RFC 2104) with BLAKE2b, as the Noise protocol wants it.
Secret<blake2b_bytes> hmac_blake2b(std::span<const std::byte> key, Parts parts);

}  // namespace jostle::crypto
