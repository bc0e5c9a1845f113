#include "shared/secure/replay_window.h"

#include "shared/base/random.h"

#include <gtest/gtest.h>

#include <set>

namespace jostle::secure {
namespace {

TEST(ReplayWindow, AcceptsEachSequenceNumberOnceInAnyOrder) {
  ReplayWindow window;
  for (const std::uint64_t number : {1ULL, 3ULL, 2ULL, 10ULL, 4ULL}) {
    ASSERT_TRUE(window.is_new(number)) << number;
    window.note(number);
    EXPECT_FALSE(window.is_new(number)) << number;
  }
  EXPECT_EQ(window.newest(), 10U);
  EXPECT_TRUE(window.is_new(5));
}

TEST(ReplayWindow, RejectsSequenceNumbersOlderThanItsSize) {
  ReplayWindow window;
  window.note(5'000);
  EXPECT_TRUE(window.is_new(5'000 - ReplayWindow::size + 1));
  EXPECT_FALSE(window.is_new(5'000 - ReplayWindow::size));
}

TEST(ReplayWindow, MatchesAReferenceSetForRandomSequences) {
  ReplayWindow window;
  std::set<std::uint64_t> seen;
  base::Random random(7);
  std::uint64_t newest = 0;
  for (int i = 0; i < 200'000; ++i) {
    // Half of the numbers are up to 1,299 behind the newest one, some of them too old for the
    // window. The others are ahead of the newest one by at most 3, or in 1 % of the cases by up to
    // 2,999, which is more than the window's size.
    const std::uint64_t ahead = random.chance(0.01f) ? random.below(3'000) : random.below(4);
    const std::uint64_t behind = random.below(1'300);
    const std::uint64_t number =
        random.chance(0.5f) ? newest + ahead : newest - std::min(newest, behind);
    const bool is_new =
        number > newest || (newest - number < ReplayWindow::size && !seen.contains(number));
    ASSERT_EQ(window.is_new(number), is_new) << "step " << i << ", number " << number;
    if (!is_new) continue;
    window.note(number);
    seen.insert(number);
    newest = std::max(newest, number);
  }
}

TEST(ReplayWindow, WorksAtTheLargestSequenceNumber) {
  ReplayWindow window;
  window.note(UINT64_MAX - 1);
  window.note(UINT64_MAX);
  EXPECT_FALSE(window.is_new(UINT64_MAX));
  EXPECT_TRUE(window.is_new(UINT64_MAX - 5));
  EXPECT_FALSE(window.is_new(0));
}

}  // namespace
}  // namespace jostle::secure
