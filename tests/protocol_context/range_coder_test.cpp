#include "protocol/context/range_coder.h"

#include "protocol/context/log_odds.h"
#include "shared/base/random.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace jostle::protocol::context {
namespace {

struct ExplicitBit {
  bool bit = false;
  Probability of_one = 0;
};

std::vector<ExplicitBit> random_bits(std::uint64_t seed, std::size_t count) {
  base::Random random(seed);
  std::vector<ExplicitBit> bits(count);
  for (ExplicitBit& b : bits) {
    b.of_one = to_probability(static_cast<int>(random.below(4'096)) - 2'048);
    b.bit = random.below(65'536) < b.of_one;
  }
  return bits;
}

std::vector<std::byte> encode(const std::vector<ExplicitBit>& bits) {
  RangeEncoder encoder;
  for (const ExplicitBit& b : bits)
    encoder.code(b.bit, b.of_one);
  return encoder.take();
}

TEST(RangeCoder, RoundTripsRandomBits) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE(seed);
    const auto bits = random_bits(seed, seed * 7);
    const auto bytes = encode(bits);
    RangeDecoder decoder(bytes);
    for (const ExplicitBit& b : bits)
      ASSERT_EQ(decoder.code(b.of_one), b.bit);
    EXPECT_TRUE(decoder.is_whole());
  }
}

TEST(RangeCoder, OutputSizeMatchesTheEntropy) {
  const auto bits = random_bits(5, 50'000);
  double cost = 0;
  for (const ExplicitBit& b : bits)
    cost -= std::log2((b.bit ? b.of_one : 65'536 - b.of_one) / 65'536.0);
  const auto size = static_cast<double>(encode(bits).size());
  EXPECT_NEAR(size, cost / 8, 0.0005 * cost / 8 + 2);
}

TEST(RangeCoder, PropagatesCarriesThroughManyBytes) {
  // Each zero bit selects the upper part of the interval, so many zero bits move its lower end
  // close to its upper end, where carries occur.
  RangeEncoder encoder;
  std::vector<ExplicitBit> bits;
  for (int i = 0; i < 3'000; ++i)
    bits.push_back({i % 97 == 0, i % 97 == 0 ? 65'512U : 24U});
  for (const ExplicitBit& b : bits)
    encoder.code(b.bit, b.of_one);
  const auto bytes = encoder.take();
  RangeDecoder decoder(bytes);
  for (const ExplicitBit& b : bits)
    ASSERT_EQ(decoder.code(b.of_one), b.bit);
}

TEST(RangeCoder, DetectsReadingPastTheEnd) {
  RangeDecoder decoder({});
  for (int i = 0; i < 200; ++i)
    decoder.code(1U << 15);
  EXPECT_TRUE(decoder.is_exhausted());
  EXPECT_FALSE(decoder.is_whole());
}

TEST(LogOdds, AreMonotonicAndSymmetric) {
  for (int x = -max_log_odds; x < max_log_odds; ++x)
    EXPECT_LE(to_probability(x), to_probability(x + 1));
  EXPECT_EQ(to_probability(0), 1U << 15);
  EXPECT_EQ(to_probability(-100'000), 24U);
  EXPECT_EQ(to_probability(100'000), 65'512U);
  for (int x = 0; x <= 1'500; ++x)
    EXPECT_NEAR(to_probability(x) + to_probability(-x), 65'536, 1);
}

}  // namespace
}  // namespace jostle::protocol::context
