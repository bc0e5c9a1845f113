#include "shared/base/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace jostle::base {
namespace {

enum class Fault { Small };

TEST(Result, HoldsAValueOrAnError) {
  const Result<int, Fault> good = 3;
  EXPECT_TRUE(good.has_value());
  EXPECT_EQ(*good, 3);
  const Result<int, Fault> bad = Fault::Small;
  EXPECT_FALSE(bad.has_value());
  EXPECT_EQ(bad.error(), Fault::Small);
}

TEST(Result, MovesItsValueOut) {
  Result<std::unique_ptr<int>, Fault> result = std::make_unique<int>(5);
  const std::unique_ptr<int> out = *std::move(result);
  EXPECT_EQ(*out, 5);
}

TEST(ResultDeathTest, ReadingTheUnsetSideFailsAnAssertion) {
  const Result<int, Fault> bad = Fault::Small;
  EXPECT_DEATH((void)bad.value(), "assertion failed");
}

}  // namespace
}  // namespace jostle::base
