#include "shared/base/hash.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace jostle::base {
namespace {

// The hash is part of recordings and of the wire protocol, so its values must never change.
TEST(Hash, MatchesItsGoldenValue) {
  Hasher hasher;
  hasher.add(std::uint64_t{1});
  hasher.add(-2.5f);
  hasher.add_text("jostle");
  EXPECT_EQ(hasher.finish(), 16871458353517863094ULL);
}

TEST(Hash, DiffersBetweenSimilarSequencesOfValues) {
  std::set<std::uint64_t> seen;
  const auto insert = [&](auto... values) {
    Hasher hasher;
    (hasher.add(values), ...);
    EXPECT_TRUE(seen.insert(hasher.finish()).second);
  };
  insert();
  insert(0U);
  insert(0U, 0U);
  insert(1U, 0U);
  insert(0U, 1U);
  insert(1.0);
  insert(-0.0f);
}

TEST(Hash, ChangesWithEveryBitOfAWord) {
  std::set<std::uint64_t> seen;
  for (int bit = 0; bit < 64; ++bit) {
    Hasher hasher;
    hasher.add(std::uint64_t{1} << bit);
    hasher.add(std::uint64_t{12345});
    EXPECT_TRUE(seen.insert(hasher.finish()).second) << bit;
  }
}

TEST(Hash, OfBytesDependsOnTheirLength) {
  const std::vector<std::byte> zeros(16);
  std::set<std::uint64_t> seen;
  for (std::size_t n = 0; n <= 16; ++n) {
    EXPECT_TRUE(seen.insert(hash_bytes(std::span(zeros).first(n))).second) << n;
  }
}

TEST(HashDeathTest, AddingNanFailsAnAssertion) {
  Hasher hasher;
  EXPECT_DEATH(hasher.add(std::nanf("")), "assertion failed");
}

}  // namespace
}  // namespace jostle::base
