#pragma once

#include "shared/crypto/secret.h"

#include <array>
#include <cstddef>
#include <initializer_list>
#include <span>

namespace jostle::crypto {

inline constexpr std::size_t blake2b_bytes = 64;
using Digest = std::array<std::byte, blake2b_bytes>;

/// A list of byte strings. The functions below hash their concatenation.
using Parts = std::initializer_list<std::span<const std::byte>>;

/// Returns the 64-byte BLAKE2b hash (RFC 7693) of the concatenated parts.
Digest blake2b(Parts parts);

/// Writes the keyed BLAKE2b hash of the concatenated parts, a message authentication code, to
/// `out`. The size of `out` sets the length of the hash: 16 to 64 bytes.
void keyed_blake2b(std::span<const std::byte, 32> key, Parts parts, std::span<std::byte> out);

/// Returns HMAC (RFC 2104) with BLAKE2b as its hash, as the Noise protocol requires. `key` has at
/// most 128 bytes.
Secret<blake2b_bytes> hmac_blake2b(std::span<const std::byte> key, Parts parts);

}  // namespace jostle::crypto
