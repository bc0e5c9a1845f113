#include "shared/base/crc32c.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace jostle::base {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text));
}

// The expected values are those of RFC 3720, appendix B.4, and the usual check value of CRC-32C for
// the text "123456789".
TEST(Crc32c, MatchesPublishedValues) {
  EXPECT_EQ(crc32c(bytes_of("123456789")), 0xE3069283U);
  EXPECT_EQ(crc32c(std::vector<std::byte>(32, std::byte{0})), 0x8A9136AAU);
  EXPECT_EQ(crc32c(std::vector<std::byte>(32, std::byte{0xFF})), 0x62A8AB43U);
}

TEST(Crc32c, ContinuesFromASeed) {
  const std::string_view text = "a datagram of some length";
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    SCOPED_TRACE(cut);
    const std::uint32_t head = crc32c(bytes_of(text.substr(0, cut)));
    EXPECT_EQ(crc32c(bytes_of(text.substr(cut)), head), crc32c(bytes_of(text)));
  }
}

TEST(Crc32c, DetectsEverySingleBitFlip) {
  std::vector<std::byte> data(100, std::byte{0x5A});
  const std::uint32_t before = crc32c(data);
  for (std::size_t bit = 0; bit < data.size() * 8; ++bit) {
    data[bit / 8] ^= std::byte{1} << (bit % 8);
    EXPECT_NE(crc32c(data), before) << "bit " << bit;
    data[bit / 8] ^= std::byte{1} << (bit % 8);
  }
}

}  // namespace
}  // namespace jostle::base
