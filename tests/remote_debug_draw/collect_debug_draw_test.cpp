#include "shared/remote_debug_draw/collect_debug_draw.h"

#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::remote_debug_draw {
namespace {

using namespace jostle::physics::testing;
const state::Shape unit_box = state::box({0.5f, 0.5f, 0.5f});

using state::DebugDrawKind;
using state::DebugDrawLayer;

std::size_t count(const state::DebugDrawFrame& debug_draw, DebugDrawKind kind) {
  return static_cast<std::size_t>(
      std::count_if(debug_draw.items.begin(), debug_draw.items.end(),
                    [&](const state::DebugDrawItem& item) { return item.kind == kind; }));
}

/// Returns a world with a box that lies on the ground.
physics::World box_on_ground() {
  physics::World world{without_sleep()};
  add_ground(world);
  add_dynamic(world, {0, 0.5, 0}, unit_box);
  run(world, 60);
  return world;
}

TEST(CollectDebugDraw, ReturnsTheRequestedLayers) {
  const physics::World world = box_on_ground();
  EXPECT_TRUE(collect(world, 0, 1'000).items.empty());
  const auto contacts = collect(world, bit_of(DebugDrawLayer::Contacts), 1'000);
  EXPECT_EQ(count(contacts, DebugDrawKind::Contact), 4U);
  EXPECT_EQ(count(contacts, DebugDrawKind::ContactNormal), 4U);
  EXPECT_EQ(contacts.items.size(), 8U);
  const auto centres = collect(world, bit_of(DebugDrawLayer::Centres), 1'000);
  ASSERT_EQ(centres.items.size(), 1U);
  EXPECT_EQ(centres.items[0].from, centres.items[0].to);
  EXPECT_NEAR(centres.items[0].from.y, 0.5, 0.01);
  const auto all = collect(world, state::all_debug_draw_layers, 1'000);
  for (const DebugDrawKind kind :
       {DebugDrawKind::Box, DebugDrawKind::Contact, DebugDrawKind::ContactImpulse,
        DebugDrawKind::Centre, DebugDrawKind::Island})
    EXPECT_GE(count(all, kind), 1U) << static_cast<int>(kind);
}

TEST(CollectDebugDraw, BoxesAreGivenByTwoCorners) {
  const physics::World world = box_on_ground();
  const auto boxes = collect(world, bit_of(DebugDrawLayer::Boxes), 1'000);
  ASSERT_EQ(boxes.items.size(), 1U);  // the plane has no box
  EXPECT_LT(math::length(boxes.items[0].from - math::Position{-0.5, 0, -0.5}), 0.02f);
  EXPECT_LT(math::length(boxes.items[0].to - math::Position{0.5, 1, 0.5}), 0.02f);
}

// The box has a mass of 1,000 kg, so arrows of 0.1 m per N·s would be much longer than the box.
TEST(CollectDebugDraw, LimitsTheLengthOfImpulseArrows) {
  const auto impulses = collect(box_on_ground(), bit_of(DebugDrawLayer::Impulses), 1'000);
  ASSERT_EQ(count(impulses, DebugDrawKind::ContactImpulse), 4U);
  for (const state::DebugDrawItem& item : impulses.items) {
    if (item.kind != DebugDrawKind::ContactImpulse) continue;
    EXPECT_GT(item.to.y - item.from.y, 0.3);
    EXPECT_LT(item.to.y - item.from.y, 1.2);
  }
}

TEST(CollectDebugDraw, LimitsTheNumberOfItemsAndCountsTheRest) {
  const physics::World world = box_on_ground();
  const auto all = collect(world, state::all_debug_draw_layers, 1'000);
  EXPECT_EQ(all.left_out, 0U);
  const auto some = collect(world, state::all_debug_draw_layers, 5);
  EXPECT_EQ(some.items, std::vector(all.items.begin(), all.items.begin() + 5));
  EXPECT_EQ(some.left_out, all.items.size() - 5);
}

TEST(CollectDebugDraw, ReturnsOnlyItemsThatReachIntoTheBox) {
  physics::World world = box_on_ground();
  add_dynamic(world, {50, 0.5, 0}, unit_box);
  run(world, 60);
  const math::Aabb place{{40, -5, -10}, {60, 5, 10}};
  const auto centres = collect(world, bit_of(DebugDrawLayer::Centres), 1'000, place);
  ASSERT_EQ(centres.items.size(), 1U);
  EXPECT_NEAR(centres.items[0].from.x, 50, 0.01);
}

}  // namespace
}  // namespace jostle::remote_debug_draw
