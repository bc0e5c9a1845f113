#include "server/reconnect_slots.h"

#include <gtest/gtest.h>

namespace jostle::server {
namespace {

TEST(ReconnectSlots, ReturnsAPlaceOnceForItsKey) {
  ReconnectSlots places;
  places.keep({11, {1}, 1'000});
  places.keep({12, {2}, 2'000});
  EXPECT_TRUE(places.holds({2}));
  EXPECT_FALSE(places.take(99));
  EXPECT_EQ(places.take(12), state::PlayerId{2});
  EXPECT_FALSE(places.take(12));
  EXPECT_FALSE(places.holds({2}));
  EXPECT_EQ(places.size(), 1U);
}

TEST(ReconnectSlots, RejectsKeyZero) {
  ReconnectSlots places;
  places.keep({0, {1}, 1'000});
  EXPECT_FALSE(places.take(0));
}

TEST(ReconnectSlots, ReturnsExpiredPlaces) {
  ReconnectSlots places;
  places.keep({11, {1}, 1'000});
  places.keep({12, {2}, 500});
  EXPECT_TRUE(places.take_expired(499).empty());
  EXPECT_EQ(places.take_expired(500), (std::vector<state::PlayerId>{{2}}));
  EXPECT_EQ(places.take_expired(5'000), (std::vector<state::PlayerId>{{1}}));
  EXPECT_EQ(places.size(), 0U);
}

TEST(ReconnectSlots, TakesTheOldestSlotFirst) {
  ReconnectSlots places;
  EXPECT_FALSE(places.take_oldest());
  places.keep({11, {1}, 9'000});
  places.keep({12, {2}, 1'000});
  EXPECT_EQ(places.take_oldest(), state::PlayerId{1});
}

}  // namespace
}  // namespace jostle::server
