#include "shared/base/edit_distance.h"

#include <gtest/gtest.h>

namespace jostle::base {
namespace {

TEST(EditDistance, CountsInsertedRemovedReplacedAndSwappedLetters) {
  EXPECT_EQ(edit_distance("", ""), 0u);
  EXPECT_EQ(edit_distance("crates", "crates"), 0u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("abc", ""), 3u);
  EXPECT_EQ(edit_distance("crats", "crates"), 1u);
  EXPECT_EQ(edit_distance("polo", "pool"), 1u);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3u);
}

}  // namespace
}  // namespace jostle::base
