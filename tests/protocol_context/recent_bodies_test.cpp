#include "protocol/context/detail/surroundings.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <random>
#include <vector>

namespace jostle::protocol::context::detail {
namespace {

bool is_near(const IntVec3& a, const IntVec3& b) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const std::int64_t distance = wrapped_difference(a[axis], b[axis]);
    if (std::abs(distance) > std::int64_t{RecentBodies::reach}) return false;
  }
  return true;
}

bool contains(const RecentBodies::Places& places, std::size_t place) {
  return (places[place / 64] >> (place % 64) & 1) != 0;
}

/// Adds `count` bodies whose coordinates are `centre` plus at most `spread`, and compares the
/// result of near() with a search of all bodies.
void expect_all_near(std::int32_t centre, std::int32_t spread, std::size_t count) {
  const auto seed = static_cast<unsigned>(spread);
  SCOPED_TRACE(testing::Message() << "centre " << centre << ", seed " << seed);
  std::mt19937 random(seed);
  const auto coordinate = [&] {
    const auto offset =
        static_cast<std::uint32_t>(random() % (2U * static_cast<unsigned>(spread) + 1));
    return wrapped_difference(
        static_cast<std::int32_t>(static_cast<std::uint32_t>(centre) + offset), spread);
  };
  constexpr std::size_t most = RecentBodies::max_looked_at;
  RecentBodies recent;
  std::vector<IntVec3> all;
  std::size_t found = 0, skipped = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const IntVec3 position{coordinate(), coordinate(), coordinate()};
    const RecentBodies::Places places = recent.near(position);
    for (std::size_t place = 0; place < most; ++place) {
      // The last body that was coded in this place.
      std::size_t last = place;
      while (last + most < all.size())
        last += most;
      const bool exists = last < all.size();
      if (contains(places, place)) {
        ASSERT_TRUE(exists) << "place " << place << " of " << all.size() << " bodies";
        ++found;
      } else if (exists) {
        ASSERT_FALSE(is_near(all[last], position)) << "body " << last << " of " << all.size();
        ++skipped;
      }
    }
    recent.add(position);
    all.push_back(position);
  }
  EXPECT_GT(found, 0U);
  EXPECT_GT(skipped, 0U);
}

TEST(RecentBodies, FindTheSameNeighboursAsASearchOfTheLast128Bodies) {
  constexpr std::int32_t least = std::numeric_limits<std::int32_t>::min();
  for (const std::int32_t centre : {0, -1'024, 700'000, least})  // the last wraps around
    for (const std::int32_t spread : {1'500, 6'000, 30'000})
      expect_all_near(centre, spread, 400);
}

TEST(RecentBodies, LeaveMostDistantBodiesOut) {
  RecentBodies recent;
  for (std::int32_t i = 0; i < 128; ++i)
    recent.add({i * 1'024, 0, 0});
  std::size_t count = 0;
  const RecentBodies::Places places = recent.near({64 * 1'024, 0, 0});
  for (std::size_t place = 0; place < 128; ++place)
    count += contains(places, place) ? 1 : 0;
  EXPECT_EQ(count, 3U * 8U) << "three slabs of the 16, eight bodies in each";
}

}  // namespace
}  // namespace jostle::protocol::context::detail
