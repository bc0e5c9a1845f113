#include "client/debug_draw_buffer.h"

#include <gtest/gtest.h>

namespace jostle::client {
namespace {

protocol::DebugDrawPart part_of(std::uint32_t tick, std::uint8_t part, std::uint8_t parts,
                                std::uint32_t revision = 1) {
  protocol::DebugDrawPart made{revision, part, parts, {{tick}, {}, 0}};
  made.debug_draw.items.push_back({{static_cast<double>(tick), 0, 0}, {}, {}});
  return made;
}

TEST(DebugDrawBuffer, ShowsTheNewestDebugDrawThatIsNotAheadOfTheShownTick) {
  DebugDrawBuffer buffer;
  EXPECT_EQ(buffer.at(100, 60), nullptr);
  for (const std::uint32_t tick : {106U, 100U, 103U})
    EXPECT_TRUE(buffer.insert(part_of(tick, 0, 1)));
  EXPECT_EQ(buffer.at(99.5, 60), nullptr);
  EXPECT_EQ(buffer.at(104.5, 60)->tick, state::Tick{103});
  EXPECT_EQ(buffer.at(106, 60)->tick, state::Tick{106});
  EXPECT_NE(buffer.at(166, 60), nullptr);
  EXPECT_EQ(buffer.at(166.5, 60), nullptr) << "older than a second";
}

TEST(DebugDrawBuffer, PrefersCompleteDebugDraws) {
  DebugDrawBuffer buffer;
  EXPECT_TRUE(buffer.insert(part_of(100, 1, 2)));
  EXPECT_EQ(buffer.at(110, 60)->items.size(), 1U) << "an incomplete overlay is better than none";
  EXPECT_TRUE(buffer.insert(part_of(100, 0, 2)));
  EXPECT_TRUE(buffer.insert(part_of(103, 0, 2)));
  EXPECT_EQ(buffer.at(110, 60)->tick, state::Tick{100});
  EXPECT_EQ(buffer.at(110, 60)->items.size(), 2U);
  EXPECT_TRUE(buffer.insert(part_of(103, 1, 2)));
  EXPECT_EQ(buffer.at(110, 60)->tick, state::Tick{103});
}

TEST(DebugDrawBuffer, RefusesContradictingPartsAndIgnoresDuplicates) {
  DebugDrawBuffer buffer;
  EXPECT_TRUE(buffer.insert(part_of(100, 0, 2)));
  EXPECT_TRUE(buffer.insert(part_of(100, 0, 2)));
  EXPECT_EQ(buffer.at(100, 60)->items.size(), 1U);
  EXPECT_FALSE(buffer.insert(part_of(100, 1, 3)));
  EXPECT_FALSE(buffer.insert(part_of(100, 1, 2, 5)));
  for (std::uint32_t tick = 101; tick < 140; ++tick)
    EXPECT_TRUE(buffer.insert(part_of(tick, 0, 1)));
  EXPECT_EQ(buffer.at(131, 60), nullptr) << "only the newest are kept";
  EXPECT_TRUE(buffer.insert(part_of(90, 0, 1)));
  EXPECT_EQ(buffer.at(95, 60), nullptr);
}

TEST(DebugDrawBuffer, IgnoresDebugDrawsOfAnotherScene) {
  DebugDrawBuffer buffer;
  EXPECT_TRUE(buffer.insert(part_of(100, 0, 1, 4)));
  EXPECT_EQ(buffer.at(101, 60, {.first = 5}), nullptr);
  EXPECT_EQ(buffer.at(101, 60, {.first = 0, .end = 4}), nullptr);
  EXPECT_NE(buffer.at(101, 60, {.first = 4}), nullptr);
}

}  // namespace
}  // namespace jostle::client
