#include "shared/base/crc32c.h"

#include <cstddef>

namespace jostle::base {
namespace {

constexpr std::uint32_t polynomial_reflected = 0x82F63B78U;

/// Lookup tables of "slicing by 8" (Kounavis and Berry, 2005). `of[k][b]` is the CRC of byte b
/// followed by k zero bytes, without initial and final inversion. The tables are plain arrays
/// because sanitizers instrument each access to a std::array, and simulated networks compute the
/// CRC of every datagram.
struct Tables {
  std::uint32_t of[8][256]{};

  constexpr Tables() {
    for (std::uint32_t byte = 0; byte < 256; ++byte) {
      std::uint32_t crc = byte;
      for (int bit = 0; bit < 8; ++bit)
        crc = (crc >> 1) ^ ((crc & 1U) != 0 ? polynomial_reflected : 0U);
      of[0][byte] = crc;
    }
    for (std::size_t k = 1; k < 8; ++k) {
      for (std::size_t byte = 0; byte < 256; ++byte) {
        const std::uint32_t before = of[k - 1][byte];
        of[k][byte] = (before >> 8) ^ of[0][before & 0xFFU];
      }
    }
  }
};
constexpr Tables tables;

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t seed) {
  const std::byte* at = bytes.data();
  std::size_t left = bytes.size();
  std::uint32_t crc = ~seed;
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(at[i]); };
  for (; left >= 8; left -= 8, at += 8) {
    crc = tables.of[7][(crc ^ byte(0)) & 0xFFU] ^ tables.of[6][((crc >> 8) ^ byte(1)) & 0xFFU] ^
          tables.of[5][((crc >> 16) ^ byte(2)) & 0xFFU] ^
          tables.of[4][((crc >> 24) ^ byte(3)) & 0xFFU] ^ tables.of[3][byte(4)] ^
          tables.of[2][byte(5)] ^ tables.of[1][byte(6)] ^ tables.of[0][byte(7)];
  }
  for (; left > 0; --left, ++at)
    crc = (crc >> 8) ^ tables.of[0][(crc ^ byte(0)) & 0xFFU];
  return ~crc;
}

}  // namespace jostle::base
