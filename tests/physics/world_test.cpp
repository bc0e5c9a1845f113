#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

TEST(Stacks, TenBoxesSleepWhereTheyWereBuilt) {
  World world{WorldOptions{}};
  add_ground(world);
  const auto bodies = add_stack(world, 10);
  run(world, 600);
  EXPECT_EQ(world.stats().awake_bodies, 0U);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const Position start{0, 0.5 + static_cast<double>(i), 0};
    EXPECT_LT(length(world.centre_of_mass(bodies[i]) - start), 0.011f) << i;
  }
}

TEST(Stacks, TowerOfTwentyStandsForAMinuteWithoutSleep) {
  WorldOptions options;
  options.is_sleeping_enabled = false;
  World world(options);
  add_ground(world);
  const auto bodies = add_stack(world, 20);
  run(world, 3'600);
  const Position top = world.centre_of_mass(bodies.back());
  EXPECT_LT(std::hypot(top.x, top.z), 0.02);
  EXPECT_NEAR(top.y, 19.5, 0.045);
  EXPECT_LT(length(world.linear_velocity(bodies.back())), 0.01f);
}

TEST(Stacks, BoxBearsAnotherOfAHundredTimesItsMass) {
  WorldOptions options;
  options.is_sleeping_enabled = false;
  World world(options);
  add_ground(world);
  const state::Shape box = state::box({0.5f, 0.5f, 0.5f});
  const BodyHandle light = add_dynamic(world, {0, 0.5, 0}, box);
  BodyDef def;
  def.pose.position = {0, 1.5, 0};
  def.mass = 100 * world.mass(light);
  const BodyHandle heavy = world.create_body(def);
  world.add_shape(heavy, shape_def(box));
  run(world, 600);
  const Position top = world.centre_of_mass(heavy);
  EXPECT_LT(std::hypot(top.x, top.z), 0.005);
  EXPECT_NEAR(top.y, 1.5, 0.025);
  EXPECT_LT(length(world.linear_velocity(heavy)), 0.002f);
}

TEST(Stacks, WallOfThirtyLayersRestsWhereItWasBuilt) {
  WorldOptions options;
  options.is_sleeping_enabled = false;
  World world(options);
  add_ground(world);
  const auto bodies = add_pyramid(world, 30);
  std::vector<Position> starts;
  for (const BodyHandle body : bodies)
    starts.push_back(world.centre_of_mass(body));
  run(world, 600);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    EXPECT_LT(length(world.centre_of_mass(bodies[i]) - starts[i]), 0.03f) << i;
    EXPECT_LT(length(world.linear_velocity(bodies[i])), 0.005f) << i;
  }
}

TEST(Stacks, ThousandFallingCratesComeToRest) {
  World world{WorldOptions{}};
  add_ground(world);
  for (int i = 0; i < 1'000; ++i) {
    add_dynamic(world, {(i % 10 - 4.5) * 2, 1 + 1.5 * (i / 100), (i / 10 % 10 - 4.5) * 2},
                state::box({0.4f, 0.4f, 0.4f}));
  }
  int steps = 0;
  do {
    world.step();
    ++steps;
    for (const BodyHandle body : world.bodies()) {
      ASSERT_LT(length(world.linear_velocity(body)), 25.0f);
    }
  } while (world.stats().awake_bodies > 0 && steps < 2'000);
  EXPECT_EQ(world.stats().awake_bodies, 0U);
  EXPECT_LT(deepest_overlap(world), 0.03f);
  for (const BodyHandle body : world.bodies()) {
    if (world.motion_type(body) == MotionType::Dynamic) {
      EXPECT_GT(world.centre_of_mass(body).y, 0.38);
    }
  }
}

TEST(ContinuousCollision, StopsFastBallsAtACrateAndTheGround) {
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(i);
    World world{WorldOptions{}};
    add_ground(world);
    add_body(world, MotionType::Static, {{0, 0.1, 0}, {}}, shape_def(state::box({0.1f, 1, 1})));
    const BodyHandle ball = add_dynamic(world, {-5 - 0.017 * i, 0.5, 0}, state::sphere(0.1f));
    world.set_velocity(ball, {40, 0, 0}, {});
    const BodyHandle falling = add_dynamic(world, {9, 5 + 0.017 * i, 0}, state::sphere(0.1f));
    world.set_velocity(falling, {0, -40, 0}, {});
    run(world, 60);
    EXPECT_LT(world.centre_of_mass(ball).x, 0);
    EXPECT_GT(world.centre_of_mass(falling).y, 0.09);
  }
}

TEST(Sleep, ImpulseWakesOnlyTheIslandOfTheBody) {
  World world{WorldOptions{}};
  add_ground(world);
  const auto stack = add_stack(world, 3);
  const BodyHandle apart = add_dynamic(world, {5, 0.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  run(world, 200);
  ASSERT_EQ(world.stats().awake_bodies, 0U);
  world.apply_central_impulse(stack[0], {10, 0, 0});
  for (const BodyHandle body : stack)
    EXPECT_TRUE(world.is_awake(body));
  EXPECT_FALSE(world.is_awake(apart));
  world.step();
  ASSERT_EQ(world.sleep_changes().size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(world.sleep_changes(), {}, &SleepChange::body));
}

TEST(Sleep, DestroyingASupportWakesTheBodiesOnIt) {
  World world{WorldOptions{}};
  const BodyHandle ground = add_ground(world);
  const auto stack = add_stack(world, 3);
  run(world, 200);
  ASSERT_EQ(world.stats().awake_bodies, 0U);
  world.destroy_body(ground);
  run(world, 60);
  EXPECT_LT(world.centre_of_mass(stack[0]).y, -3);
}

TEST(ContactEvents, AreReportedInTheStepInWhichTheyHappen) {
  World world{WorldOptions{}};
  const BodyHandle ground = add_ground(world);
  const BodyHandle ball = add_dynamic(world, {0, 2, 0}, state::sphere(0.5f));
  std::size_t begins = 0, hits = 0;
  for (int i = 0; i < 60; ++i) {
    world.step();
    begins += world.contact_begins().size();
    hits += world.contact_hits().size();
  }
  EXPECT_EQ(begins, 1U);
  EXPECT_EQ(hits, 1U);
  const ShapeHandle a = world.shapes(ground)[0], b = world.shapes(ball)[0];
  world.destroy_body(ball);
  EXPECT_FALSE(world.is_alive(ball));
  world.step();
  ASSERT_EQ(world.contact_ends().size(), 1U);
  EXPECT_EQ(world.contact_ends()[0], (ContactEnd{a, b}));
}

TEST(CollisionFilter, MasksAndGroupsDecideWhichShapesCollide) {
  World world{WorldOptions{}};
  add_ground(world);
  ShapeDef ghost = shape_def(state::sphere(0.5f));
  ghost.filter.mask = 0;
  const BodyHandle falls = add_body(world, MotionType::Dynamic, {{0, 1, 0}, {}}, ghost);
  const BodyHandle stays = add_dynamic(world, {3, 1, 0}, state::sphere(0.5f));
  run(world, 120);
  EXPECT_LT(world.centre_of_mass(falls).y, -5);
  EXPECT_NEAR(world.centre_of_mass(stays).y, 0.5, 1e-2);
  EXPECT_TRUE(may_collide({1, 0, 2}, {1, 0, 2})) << "a shared positive group overrides masks";
  EXPECT_FALSE(may_collide({1, 1, -2}, {1, 1, -2}));
}

TEST(RayCast, NearestHitIsTheFirstOfAllHits) {
  World world{WorldOptions{}};
  add_ground(world);
  add_mixed_rain(world, 60, 3);
  run(world, 60);
  base::Random random(4);
  int hits = 0;
  for (int i = 0; i < 500; ++i) {
    SCOPED_TRACE(i);
    const Ray ray{{random.between(-4, 4), 6, random.between(-4, 4)},
                  {random.between(-3, 3), -10, random.between(-3, 3)}};
    const auto all = world.cast_ray_all(ray, {});
    const auto nearest = world.cast_ray(ray, {});
    ASSERT_EQ(nearest.has_value(), !all.empty());
    if (!nearest) continue;
    EXPECT_EQ(nearest->shape, all[0].shape);
    EXPECT_EQ(nearest->fraction, all[0].fraction);
    hits += all.size() > 1 ? 1 : 0;
  }
  EXPECT_GT(hits, 10);
}

TEST(Quarantine, InfiniteForceQuarantinesOnlyItsBody) {
  World world{WorldOptions{}};
  add_ground(world);
  const auto stack = add_stack(world, 3);
  run(world, 30);
  for (int i = 0; i < 3; ++i)
    world.apply_central_force(stack[2], {3e38f, 0, 0});
  world.step();
  EXPECT_EQ(world.stats().quarantined_bodies, 1U);
  EXPECT_TRUE(world.is_quarantined(stack[2]));
  EXPECT_FALSE(world.is_quarantined(stack[1]));
  run(world, 30);
  for (const BodyHandle body : stack)
    EXPECT_TRUE(is_finite(world.centre_of_mass(body)));
  EXPECT_NEAR(world.centre_of_mass(stack[1]).y, 1.5, 0.02);
}

TEST(WorldCallsDeathTest, RejectImpulsesAndForcesThatAreNotFinite) {
  World world{WorldOptions{}};
  const BodyHandle body = add_dynamic(world, {0, 3, 0}, state::sphere(0.5f));
  const Vec3 bad{0, std::nanf(""), 0};
  const Position nowhere{HUGE_VAL, 0, 0};
  EXPECT_DEATH(world.set_velocity(body, bad, {}), "is_finite");
  EXPECT_DEATH(world.apply_impulse(body, bad, {}), "is_finite");
  EXPECT_DEATH(world.apply_impulse(body, {}, nowhere), "is_finite");
  EXPECT_DEATH(world.apply_central_impulse(body, bad), "is_finite");
  EXPECT_DEATH(world.apply_angular_impulse(body, bad), "is_finite");
  EXPECT_DEATH(world.apply_force(body, bad, {}), "is_finite");
  EXPECT_DEATH(world.apply_force(body, {}, nowhere), "is_finite");
  EXPECT_DEATH(world.apply_central_force(body, bad), "is_finite");
  EXPECT_DEATH(world.apply_torque(body, bad), "is_finite");
}

// Each impulse is finite, but their sum is not. The body is quarantined, and the simulation
// continues.
TEST(Quarantine, OverflowingFiniteImpulsesQuarantineTheBody) {
  World world{WorldOptions{}};
  const BodyHandle body = add_dynamic(world, {0, 3, 0}, state::sphere(0.5f));
  for (int i = 0; i < 2000; ++i)
    world.apply_central_impulse(body, {3e38f, 0, 0});
  world.step();
  EXPECT_EQ(world.stats().quarantined_bodies, 1U);
  EXPECT_TRUE(is_finite(world.centre_of_mass(body)));
}

// Stored hashes detect changes between builds, which comparisons within one build cannot. Change
// this one only together with an intended change of behaviour, and state it in the commit.
TEST(Determinism, PileMatchesItsGoldenHash) {
  const auto hash = [] {
    World world{WorldOptions{}};
    add_ground(world);
    add_mixed_rain(world, 100, 42);
    run(world, 120);
    EXPECT_GT(world.stats().awake_bodies, 50U);
    return world.hash().total;
  };
  const std::uint64_t first = hash();
  EXPECT_EQ(first, hash());
  EXPECT_EQ(first, 0xC8C47936AD990722ULL);
}

}  // namespace
}  // namespace jostle::physics
