// Wheels and six-DOF joints of bodies with locks (shared/physics/solver/locked_coordinates.h).
#include "shared/base/random.h"
#include "tests/physics/coordinate_scenes.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

Vec3 direction(base::Random& random) {
  for (;;) {
    const Vec3 v{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    const float size = length(v);
    if (size > 0.2f && size < 1.0f) return v / size;
  }
}
Vec3 direction_across(Vec3 n, base::Random& random) {
  for (;;) {
    const Vec3 v = cross(n, direction(random));
    if (length(v) > 0.1f) return v / length(v);
  }
}

BodyHandle add_block(World& world, Position at, state::MotionLocks locks, base::Random& random) {
  BodyDef def;
  def.pose.position = at;
  def.mass = 1;
  def.locks = locks;
  const BodyHandle body = world.create_body(def);
  const Vec3 half{random.between(0.1f, 0.4f), random.between(0.1f, 0.4f),
                  random.between(0.1f, 0.4f)};
  world.add_shape(body, ghost(state::box(half)));
  return body;
}

/// Adds joints at random positions with random axes. `kinds` has one letter per joint: 'w' for a
/// wheel, 's' for a six-DOF joint that locks all axes, 'h' for a hinge.
void add_joints(World& world, std::string_view kinds, BodyHandle a, BodyHandle b,
                base::Random& random) {
  for (const char kind : kinds) {
    const Position at{random.between(-1, 1), random.between(-1, 1), 0};
    const Vec3 axis = direction(random);
    if (kind == 'w') {
      JointDef wheel = make_wheel_joint_def(world, a, b, at, axis, direction_across(axis, random));
      wheel.spring = {true, random.between(1, 5), random.between(0.2f, 1)};
      world.create_joint(wheel);
    } else if (kind == 's') {
      const float turned = random.between(0, 3);
      world.create_joint(
          make_six_dof_joint_def(world, a, b, at, math::from_axis_angle(axis, turned)));
    } else {
      world.create_joint(make_joint_def(world, JointKind::Hinge, a, b, at, axis));
    }
  }
}

struct Locked {
  const char* name;
  state::MotionLocks locks;
};
class LockedCoordinates : public ::testing::TestWithParam<Locked> {};

// With two joints, most rows are redundant or cannot be satisfied.
TEST_P(LockedCoordinates, HoldForRandomAnchorsAndAxes) {
  for (const std::string_view kinds : {"w", "ww", "ws", "ss", "hs"}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      SCOPED_TRACE(::testing::Message() << kinds << " " << seed);
      base::Random random(seed);
      World world(awake_options(earth));
      const BodyHandle a =
          seed % 2 == 0 ? add_anchor(world, {}) : add_block(world, {}, GetParam().locks, random);
      const Position at{random.between(-1, 1), random.between(-1, 1), 0};
      const BodyHandle b = add_block(world, at, GetParam().locks, random);
      add_joints(world, kinds, a, b, random);
      for (int i = 0; i < 120; ++i) {
        world.step();
        ASSERT_FALSE(world.is_quarantined(a) || world.is_quarantined(b)) << i;
        ASSERT_LT(worst_failure(world).gap, 1e-3f) << i;
        ASSERT_LT(length(world.linear_velocity(b)), 30.0f) << i;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    Physics, LockedCoordinates,
    ::testing::Values(
        Locked{"None", 0},
        Locked{"Plane", state::lock_linear_z | state::lock_angular_x | state::lock_angular_y},
        Locked{"TurningX", state::lock_angular_x}, Locked{"X", state::lock_linear_x},
        Locked{"Turning", state::lock_angular_x | state::lock_angular_y | state::lock_angular_z}),
    [](const auto& row) { return std::string(row.param.name); });

}  // namespace
}  // namespace jostle::physics
