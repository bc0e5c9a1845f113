#include "shared/compression/compression.h"

#include "shared/base/random.h"

#include <gtest/gtest.h>

namespace jostle::compression {
namespace {

std::vector<std::byte> some_bytes(std::size_t count) {
  base::Random random(count);
  std::vector<std::byte> bytes(count);
  for (std::byte& b : bytes)
    b = static_cast<std::byte>(random.below(7));
  return bytes;
}

TEST(Compression, RoundTrips) {
  for (const std::size_t size : {0U, 1U, 100U, 300'000U}) {
    SCOPED_TRACE(size);
    const std::vector<std::byte> raw = some_bytes(size);
    EXPECT_EQ(decompress(compress(raw), raw.size()), raw);
  }
}

TEST(Compression, RejectsAnUnexpectedLength) {
  const std::vector<std::byte> raw = some_bytes(1'000);
  EXPECT_FALSE(decompress(compress(raw), 999).has_value());
  EXPECT_FALSE(decompress(compress(raw), 1'001).has_value());
}

TEST(Compression, RejectsTruncatedOrForeignBytes) {
  const std::vector<std::byte> stored = compress(some_bytes(1'000));
  for (std::size_t size = 0; size < stored.size(); ++size) {
    EXPECT_FALSE(decompress(std::span(stored).first(size), 1'000).has_value()) << size;
  }
  EXPECT_FALSE(decompress(some_bytes(64), 64).has_value());
}

TEST(CompressedDifference, FindsMatchesInAPrefixOfAnySize) {
  for (const std::size_t size : {20'000U, 300'000U, 3'000'000U, 20'000'000U}) {
    SCOPED_TRACE(size);
    std::vector<std::byte> known = some_bytes(size), raw = known;
    raw.insert(raw.begin() + size / 300, std::byte{200});
    raw[size / 3 * 2] = std::byte{201};
    const auto packed = compress_with_prefix(raw, known);
    EXPECT_LT(packed.size(), 100U + size / 500U);
    EXPECT_EQ(decompress_with_prefix(packed, known, raw.size()), raw);
  }
}

TEST(CompressedDifference, RoundTripsWithTheSamePrefix) {
  std::vector<std::byte> known = some_bytes(300'000), raw = known;
  raw.insert(raw.begin() + 1'000, std::byte{200});
  raw[200'000] = std::byte{201};
  const auto packed = compress_with_prefix(raw, known);
  EXPECT_LT(packed.size(), 1'000U);
  EXPECT_EQ(decompress_with_prefix(packed, known, raw.size()), raw);
  EXPECT_FALSE(decompress_with_prefix(packed, known, raw.size() - 1).has_value());
  EXPECT_FALSE(decompress_with_prefix(packed, known, raw.size() + 1).has_value());
  EXPECT_FALSE(decompress_with_prefix(std::span(packed).first(packed.size() - 1), known, raw.size())
                   .has_value());
  EXPECT_NE(decompress_with_prefix(packed, some_bytes(299'000), raw.size()), raw);
}

TEST(CompressedDifference, RoundTripsEmptyInputAndEmptyPrefix) {
  const std::vector<std::byte> none, some = some_bytes(1'000);
  EXPECT_EQ(decompress_with_prefix(compress_with_prefix(none, some), some, 0), none);
  EXPECT_EQ(decompress_with_prefix(compress_with_prefix(some, none), none, some.size()), some);
}

}  // namespace
}  // namespace jostle::compression
