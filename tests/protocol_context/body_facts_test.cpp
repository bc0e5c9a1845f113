#include "protocol/context/body_facts.h"

#include <gtest/gtest.h>

namespace jostle::protocol::context {
namespace {

state::BodyInfo body(std::uint32_t id, std::vector<state::BodyShape> shapes) {
  state::BodyInfo info;
  info.id = {id};
  info.shapes = std::move(shapes);
  return info;
}

TEST(BodyFacts, ReachIsHalfTheShortestSideOfTheBoundingBox) {
  state::WorldDef world;
  const math::Transform here{}, aside{{1, 0, 0}, {}};
  world.bodies.push_back(body(1, {{state::box({0.5f, 0.25f, 2}), here}}));
  world.bodies.push_back(body(2, {{state::sphere(1), here}}));
  world.bodies.push_back(body(3, {{state::capsule(0.125f, 3), here}}));
  world.bodies.push_back(body(4, {{state::sphere(0.5f), here}, {state::sphere(0.25f), aside}}));
  world.bodies.push_back(body(5, {}));
  world.bodies.push_back(body(6, {{state::sphere(1e5f), here}}));
  const std::vector<BodyFacts> facts = facts_of(world);
  ASSERT_EQ(facts.size(), 6U);
  EXPECT_EQ(facts[0].reach, 128);
  EXPECT_EQ(facts[1].reach, 512);
  EXPECT_EQ(facts[2].reach, 64);
  EXPECT_EQ(facts[3].reach, 256);
  EXPECT_EQ(facts[4].reach, 1) << "a body without shapes";
  EXPECT_EQ(facts[5].reach, 65'535) << "the largest value on the wire";
}

TEST(BodyFacts, ExistForMovingBodiesOnly) {
  state::WorldDef world;
  world.bodies.push_back(body(1, {{state::plane(), {}}}));
  world.bodies[0].motion = state::MotionType::Static;
  world.bodies.push_back(body(2, {{state::sphere(1), {}}}));
  EXPECT_EQ(facts_of(world).size(), 1U);
}

TEST(BodyFacts, MarkTheFirstPlayerBodiesAsLeading) {
  state::WorldDef world;
  for (std::uint32_t id = 1; id <= 60; ++id) {
    world.bodies.push_back(body(id, {{state::sphere(1), {}}}));
    if (id > 10) world.bodies.back().owner = {static_cast<std::uint16_t>(id)};
  }
  const std::vector<BodyFacts> facts = facts_of(world);
  for (std::size_t i = 0; i < facts.size(); ++i)
    EXPECT_EQ(facts[i].is_player, i >= 10 && i < 10 + max_leading_bodies) << i;
}

}  // namespace
}  // namespace jostle::protocol::context
