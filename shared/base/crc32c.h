#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace jostle::base {

/// Returns the CRC-32C of the bytes (Castagnoli polynomial, reflected; RFC 3720 appendix B.4).
/// `seed` is the CRC of the preceding bytes, so that crc32c(b, crc32c(a)) == crc32c(ab).
std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t seed = 0);

}  // namespace jostle::base
