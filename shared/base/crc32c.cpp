#include "shared/base/crc32c.h"

#include <array>

namespace jostle::base {
namespace {

constexpr std::uint32_t polynomial_reflected = 0x82F63B78U;

using Table = std::array<std::array<std::uint32_t, 256>, 8>;

/// tables[k][b]: the CRC of byte b followed by k zero bytes ("slicing by 8", Kounavis and Berry,
/// 2005).
constexpr Table make_tables() {
  Table tables{};
  for (std::uint32_t byte = 0; byte < 256; ++byte) {
    std::uint32_t crc = byte;
    for (int bit = 0; bit < 8; ++bit)
      crc = (crc >> 1) ^ ((crc & 1U) != 0 ? polynomial_reflected : 0U);
    tables[0][byte] = crc;
  }
  for (std::size_t k = 1; k < 8; ++k) {
    for (std::size_t byte = 0; byte < 256; ++byte) {
      const std::uint32_t before = tables[k - 1][byte];
      tables[k][byte] = (before >> 8) ^ tables[0][before & 0xFFU];
    }
  }
  return tables;
}

constexpr Table tables = make_tables();

}  // namespace

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t seed) {
  std::uint32_t crc = ~seed;
  std::size_t i = 0;
  for (; i + 8 <= bytes.size(); i += 8) {
    std::array<std::uint32_t, 8> b{};
    for (std::size_t k = 0; k < 8; ++k)
      b[k] = static_cast<std::uint32_t>(bytes[i + k]);
    crc = tables[7][(crc ^ b[0]) & 0xFFU] ^ tables[6][((crc >> 8) ^ b[1]) & 0xFFU] ^
          tables[5][((crc >> 16) ^ b[2]) & 0xFFU] ^ tables[4][((crc >> 24) ^ b[3]) & 0xFFU] ^
          tables[3][b[4]] ^ tables[2][b[5]] ^ tables[1][b[6]] ^ tables[0][b[7]];
  }
  for (; i < bytes.size(); ++i) {
    crc = (crc >> 8) ^ tables[0][(crc ^ static_cast<std::uint32_t>(bytes[i])) & 0xFFU];
  }
  return ~crc;
}

}  // namespace jostle::base
