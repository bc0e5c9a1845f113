#include "tests/physics/joint_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

/// Adds a row of ropes of 0.5 m with balls of 1 kg between them, and a bob at its end.
std::vector<JointHandle> add_ropes(World& world, int count, float load, BodyHandle& bob) {
  BodyHandle above = add_anchor(world, {});
  std::vector<JointHandle> ropes;
  for (int i = 1; i <= count; ++i) {
    BodyDef def;
    def.pose.position = {0, -0.5 * i, 0};
    def.mass = i == count ? load : 1.0f;
    const BodyHandle body = world.create_body(def);
    world.add_shape(body, ghost(state::sphere(0.05f)));
    JointDef rope =
        make_distance_joint_def(world, above, body, {0, -0.5 * (i - 1), 0}, {0, -0.5 * i, 0});
    rope.limits = {true, 0, 0.5f};
    ropes.push_back(world.create_joint(rope));
    above = body;
  }
  bob = above;
  return ropes;
}

/// A rope that becomes taut in a throw stops its bob within a substep. The error of that substep is
/// corrected in the next ones.
TEST(TautRopes, StayWithin15MillimetresInAThrowAndAddNoEnergy) {
  for (const Vec3 velocity : {Vec3{8, 9, 0}, Vec3{-3, 6, 5}, Vec3{0, 12, 1}}) {
    World world(without_sleep());
    BodyHandle bob;
    const std::vector<JointHandle> ropes = add_ropes(world, 8, 20, bob);
    world.set_velocity(bob, velocity, {});
    const double energy = total_energy(world);
    double slackest = 0;
    for (int i = 0; i < 600; ++i) {
      world.step();
      for (const JointHandle rope : ropes) {
        ASSERT_LT(world.joint_state(rope).gap, 0.015f) << i;
        slackest =
            std::max(slackest, 0.5 - static_cast<double>(world.joint_state(rope).translation));
      }
      ASSERT_LT(total_energy(world), energy + 0.5) << i;
    }
    EXPECT_GT(slackest, 0.1) << "no rope was slack";
  }
}

TEST(TautRopes, SlackRopeDoesNotActBeforeItIsTaut) {
  World world(without_gravity());
  BodyHandle bob;
  add_ropes(world, 1, 50, bob);
  world.set_pose(bob, {{0, -0.2, 0}, {}});
  world.set_velocity(bob, {0, -1, 0}, {});
  run(world, 17);  // 0.283 m
  EXPECT_NEAR(world.linear_velocity(bob).y, -1, 1e-6);
  run(world, 60);
  EXPECT_NEAR(world.centre_of_mass(bob).y, -0.5, 1e-4);
  EXPECT_NEAR(world.linear_velocity(bob).y, 0, 1e-4);
}

}  // namespace
}  // namespace jostle::physics
