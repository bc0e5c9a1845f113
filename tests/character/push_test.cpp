// A character's effect on dynamic bodies, and its body's collisions with them.
#include "tests/character/figure.h"

#include <gtest/gtest.h>

namespace jostle::character {
namespace {

using namespace jostle::character::testing;
using physics::MotionType;

physics::BodyHandle add_crate(World& world, Position at, Vec3 half, float mass) {
  physics::BodyDef def;
  def.pose = {at, {}};
  def.mass = mass;
  const physics::BodyHandle body = world.create_body(def);
  physics::ShapeDef shape;
  shape.shape = state::box(half);
  world.add_shape(body, shape);
  return body;
}

TEST(CharacterPushing, MovesACrateWhoseFrictionIsBelowThePushForce) {
  for (const bool has_body : {false, true}) {
    SCOPED_TRACE(has_body);
    Figure figure;
    add_ground(figure.world);
    const physics::BodyHandle crate =
        add_crate(figure.world, {1.5, 0.5, 0}, {0.5f, 0.5f, 0.5f}, 50);
    figure.put({});
    if (has_body) create_body(figure.world, figure.character, figure.options, 0);
    figure.settle();
    figure.walk(240, {1, 0, 0});  // 600 N against 294 N of friction
    EXPECT_GT(figure.world.pose(crate).position.x, 3.5);
    EXPECT_NEAR(figure.world.linear_velocity(crate).x, 1, 0.2f);
    EXPECT_NEAR(figure.world.pose(crate).position.y, 0.5, 0.02);
    EXPECT_LT(figure.character.position.x, figure.world.pose(crate).position.x - 0.79);
  }
}

TEST(CharacterPushing, IsStoppedByACrateThatIsTooHeavy) {
  for (const bool has_body : {false, true}) {
    SCOPED_TRACE(has_body);
    Figure figure;
    add_ground(figure.world);
    const physics::BodyHandle crate =
        add_crate(figure.world, {1.5, 0.5, 0}, {0.5f, 0.5f, 0.5f}, 200);
    figure.put({});
    if (has_body) create_body(figure.world, figure.character, figure.options, 0);
    figure.settle();
    figure.walk(240, {3, 0, 0});  // 600 N against 1177 N of friction
    EXPECT_NEAR(figure.world.pose(crate).position.x, 1.5, 0.01);
    EXPECT_LT(figure.character.position.x, 0.7);
  }
}

// There is no friction, so the total momentum of the crates is F·t = 100 N · 1 s if the character
// pushes with its maximum force.
TEST(CharacterPushing, LimitsTheTotalForceOnAllBodies) {
  for (const int crates : {1, 2}) {
    Figure figure;
    figure.options.push_force = 100;
    physics::WorldOptions options = awake_options();
    options.gravity = {};
    figure.world = World(options);
    add_static_box(figure.world, {0, -0.5, 0}, {20, 0.5f, 20});
    std::vector<physics::BodyHandle> bodies;
    for (int i = 0; i < crates; ++i) {
      const double z = 0.3 * i - 0.15 * (crates - 1);
      bodies.push_back(add_crate(figure.world, {0.9, 0.6, z}, {0.5f, 0.5f, 0.14f}, 1000));
    }
    figure.put({});
    figure.settle();
    figure.walk(60, {5, 0, 0});
    float momentum = 0;
    for (const physics::BodyHandle body : bodies)
      momentum += 1000 * figure.world.linear_velocity(body).x;
    EXPECT_NEAR(momentum, 100, 12.0f) << crates;
    EXPECT_LE(momentum, 100.1f) << crates;
  }
}

TEST(CharacterPushing, DoesNotAccelerateBodiesBeyondItsOwnSpeed) {
  Figure figure;
  physics::WorldOptions options = awake_options();
  options.gravity = {};
  figure.world = World(options);
  add_static_box(figure.world, {0, -0.5, 0}, {20, 0.5f, 20});
  const physics::BodyHandle ball =
      add_body(figure.world, MotionType::Dynamic, {1, 0.5, 0}, {}, state::sphere(0.2f));
  figure.put({});
  figure.settle();
  figure.walk(120, {2, 0, 0});
  EXPECT_LE(length(figure.world.linear_velocity(ball)), 2.001f);
  EXPECT_GT(length(figure.world.linear_velocity(ball)), 1.9f);
}

TEST(CharacterPushing, PutsItsWeightOnTheGroundBody) {
  Figure figure;
  add_ground(figure.world);
  const physics::BodyHandle crate = add_crate(figure.world, {0, 0.5, 0}, {1, 0.5f, 1}, 100);
  figure.put({0, 1, 0});
  figure.walk(120, {});
  EXPECT_TRUE(figure.is_firm());
  EXPECT_EQ(figure.character.ground_body, crate);
  float bearing = 0;  // N·s in one step
  for (const physics::ContactView& contact : figure.world.contacts()) {
    for (int i = 0; i < contact.point_count; ++i)
      bearing += contact.points[std::size_t(i)].normal_impulse;
  }
  EXPECT_NEAR(bearing * 60, (100 + figure.options.mass) * 9.81f, 20.0f);
  EXPECT_NEAR(figure.world.pose(crate).position.y, 0.5, 5e-3);
}

TEST(CharacterPushing, LandsInelasticallyOnAFreeBody) {
  Figure figure;
  figure.options.gravity = 0;
  physics::WorldOptions options = awake_options();
  options.gravity = {};
  figure.world = World(options);
  const physics::BodyHandle crate = add_crate(figure.world, {0, 0, 0}, {1, 0.5f, 1}, 120);
  figure.put({0, 1, 0});
  figure.character.velocity = {0, -5, 0};
  for (int i = 0; i < 60 && !figure.is_firm(); ++i)
    figure.step({}, false);
  ASSERT_TRUE(figure.is_firm());
  // Momentum conservation: m·v of the 80 kg character over 200 kg in total.
  EXPECT_NEAR(figure.world.linear_velocity(crate).y, -5 * 80.0f / 200, 0.01f);
}

TEST(CharacterPushing, StepsOntoHeavyCratesAndPushesLightOnes) {
  for (const float mass : {40.0f, 400.0f}) {
    Figure figure;
    add_ground(figure.world);
    const physics::BodyHandle crate =
        add_crate(figure.world, {1.5, 0.15, 0}, {0.5f, 0.15f, 0.5f}, mass);
    figure.put({});
    figure.settle();
    for (int i = 0; i < 45; ++i)
      figure.step({2, 0, 0}, false);
    if (mass > figure.options.mass) {
      EXPECT_EQ(figure.character.ground_body, crate);
      EXPECT_NEAR(figure.foot().y, 0.31, 5e-3);
    } else {
      EXPECT_NE(figure.character.ground_body, crate);
      EXPECT_GT(figure.world.pose(crate).position.x, 1.55);
    }
  }
}

TEST(CharacterBody, StopsDynamicBodies) {
  Figure figure;
  add_ground(figure.world);
  figure.put({});
  create_body(figure.world, figure.character, figure.options, 7);
  EXPECT_EQ(figure.world.user_data(figure.character.body), 7U);
  const physics::BodyHandle ball =
      add_body(figure.world, MotionType::Dynamic, {3, 1, 0}, {}, state::sphere(0.2f));
  figure.world.set_velocity(ball, {-6, 2, 0}, {});
  double nearest = 1e9;
  for (int i = 0; i < 120; ++i) {
    figure.step({}, false);
    nearest = std::min(nearest, figure.world.pose(ball).position.x - figure.character.position.x);
  }
  EXPECT_GT(nearest, 0.48);
  EXPECT_LT(nearest, 0.56);
}

TEST(CharacterBody, LetsACrateThatTouchesItFallAsleep) {
  Figure figure;
  figure.world = World(physics::WorldOptions{});
  add_ground(figure.world);
  figure.put({});
  create_body(figure.world, figure.character, figure.options, 0);
  figure.settle();
  const physics::BodyHandle crate = add_crate(figure.world, {0.81, 0.5, 0}, {0.5f, 0.5f, 0.5f}, 50);
  figure.world.set_velocity(crate, {-0.5f, 0, 0}, {});
  figure.walk(120, {});
  EXPECT_FALSE(figure.world.is_awake(crate));
}

TEST(CharacterBody, IsAtTheCharactersPoseAfterEachStep) {
  Figure figure;
  add_ground(figure.world);
  add_static_box(figure.world, {3, 0.1, 0}, {1, 0.1f, 3});
  figure.put({});
  create_body(figure.world, figure.character, figure.options, 0);
  for (int i = 0; i < 120; ++i) {
    figure.step({3, 0, 0.5f}, i % 40 == 20);
    const math::Pose pose = figure.world.pose(figure.character.body);
    ASSERT_LT(length(pose.position - figure.character.position), 1e-5f);
  }
  // If the character is no longer moved, its body stays at its pose.
  for (int i = 0; i < 30; ++i)
    figure.world.step();
  EXPECT_LT(length(figure.world.pose(figure.character.body).position - figure.character.position),
            1e-5f);
  const physics::BodyHandle body = figure.character.body;
  // A disabled body still follows the character, so its pose is right when it is enabled again.
  figure.world.set_enabled(body, false);
  for (int i = 0; i < 30; ++i)
    figure.step({3, 0, 0}, false);
  EXPECT_LT(length(figure.world.pose(body).position - figure.character.position), 1e-5f);
  EXPECT_EQ(figure.world.linear_velocity(body), (Vec3{}));
  figure.world.set_enabled(body, true);
  figure.step({3, 0, 0}, false);
  EXPECT_LT(length(figure.world.pose(body).position - figure.character.position), 1e-5f);
  destroy_body(figure.world, figure.character);
  EXPECT_FALSE(figure.world.is_alive(body));
  EXPECT_TRUE(figure.character.body.is_null());
}

TEST(CharacterBody, BlocksOtherCharactersWithoutPushingThem) {
  for (const float other_speed : {-2.0f, 0.0f}) {
    for (const bool is_other_first : {true, false}) {
      SCOPED_TRACE(::testing::Message()
                   << other_speed << " m/s, other moves first: " << is_other_first);
      Figure figure;
      add_ground(figure.world);
      Character other;
      figure.put({});
      other.position = figure.character.position + Vec3{3, 0, 0};
      create_body(figure.world, figure.character, figure.options, 0);
      create_body(figure.world, other, figure.options, 0);
      const CharacterInput wish{{2, 0, 0}, false}, other_wish{{other_speed, 0, 0}, false};
      for (int i = 0; i < 180; ++i) {
        if (is_other_first) move(figure.world, other, figure.options, other_wish);
        move(figure.world, figure.character, figure.options, wish);
        if (!is_other_first) move(figure.world, other, figure.options, other_wish);
        figure.world.step();
        ASSERT_GT((other.position - figure.character.position).x, 0.6f) << i;
      }
      EXPECT_NEAR((other.position - figure.character.position).x, 0.61f, 0.01f);
      EXPECT_NEAR(other.position.x, other_speed == 0.0f ? 3 : 1.8, 0.02);
    }
  }
}

TEST(CharacterWalking, PassesThroughShapesThatItsFilterExcludes) {
  Figure figure;
  add_ground(figure.world);
  physics::BodyDef def;
  def.motion = MotionType::Static;
  def.pose.position = {2, 1, 0};
  const physics::BodyHandle ghost = figure.world.create_body(def);
  physics::ShapeDef shape;
  shape.shape = state::box({0.5f, 1, 4});
  shape.filter.category = 2;
  figure.world.add_shape(ghost, shape);
  figure.options.filter.mask = ~2U;
  figure.put({});
  figure.walk(120, {2, 0, 0});
  EXPECT_NEAR(figure.character.position.x, 4, 0.05);
}

}  // namespace
}  // namespace jostle::character
