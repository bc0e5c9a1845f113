#include "shared/base/counted.h"

#include <gtest/gtest.h>

#include <cstddef>

namespace jostle::base {
namespace {

TEST(Counted, UsesTheSingularOnlyForOne) {
  EXPECT_EQ(counted(0, "tick"), "0 ticks");
  EXPECT_EQ(counted(1, "tick"), "1 tick");
  EXPECT_EQ(counted(2, "tick"), "2 ticks");
  EXPECT_EQ(counted(std::size_t{1}, "body"), "1 body");
  EXPECT_EQ(counted(std::size_t{3}, "body"), "3 bodies");
}

}  // namespace
}  // namespace jostle::base
