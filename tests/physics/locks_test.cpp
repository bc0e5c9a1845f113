// Bodies with locked degrees of freedom.
#include "tests/physics/joint_scenes.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;
using state::lock_planar;

BodyHandle add_locked(World& world, const math::Pose& pose, MotionLocks locks,
                      const ShapeDef& shape) {
  BodyDef def;
  def.pose = pose;
  def.locks = locks;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape);
  return body;
}

ShapeDef bouncing_shape(const state::Shape& shape, float friction, float restitution) {
  ShapeDef def = shape_def(shape);
  def.material = {friction, restitution};
  return def;
}

/// The state of a body before a run, to check that it has not moved along its locks.
struct Kept {
  BodyHandle body;
  MotionLocks locks = 0;
  Position at;
  math::Quat rotation;

  void expect_golden(const World& world) const {
    const Position now = world.centre_of_mass(body);
    const Vec3 v = world.linear_velocity(body), w = world.angular_velocity(body);
    const std::array<double, 3> is{now.x, now.y, now.z}, was{at.x, at.y, at.z};
    const std::array<float, 3> along{v.x, v.y, v.z}, about{w.x, w.y, w.z};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if ((locks >> axis & 1U) != 0) {
        ASSERT_EQ(std::bit_cast<std::uint64_t>(is[axis]), std::bit_cast<std::uint64_t>(was[axis]));
        ASSERT_EQ(along[axis], 0.0f);
      }
      if ((locks >> (axis + 3) & 1U) != 0) {
        ASSERT_EQ(about[axis], 0.0f);
      }
    }
    if ((locks & state::lock_rotation) == state::lock_rotation) {
      ASSERT_EQ(world.pose(body).rotation, rotation);
    }
    if ((locks & lock_planar) == lock_planar && rotation.x == 0.0f && rotation.y == 0.0f) {
      ASSERT_EQ(world.pose(body).rotation.x, 0.0f);
      ASSERT_EQ(world.pose(body).rotation.y, 0.0f);
    }
  }
};

Kept kept(const World& world, BodyHandle body, MotionLocks locks) {
  return {body, locks, world.centre_of_mass(body), world.pose(body).rotation};
}

class RandomLocks : public ::testing::TestWithParam<int> {};

// Falling bodies with friction and restitution, a paddle, joints, fast bodies and calls act on the
// bodies with locks.
TEST_P(RandomLocks, KeepLockedCoordinatesBitExactly) {
  base::Random random(static_cast<std::uint64_t>(GetParam()));
  World world{WorldOptions{}};
  add_ground(world, {0.7f, 0.3f, 0.02f, 0.01f});
  const BodyHandle paddle = add_body(world, MotionType::Kinematic, {{0, 0.5, 0}, {}},
                                     shape_def(state::box({3, 0.2f, 0.2f})));
  world.set_velocity(paddle, {0, 0, 0.5f}, {0.5f, 3, 0.7f});
  std::vector<Kept> all;
  BodyHandle before;
  for (int i = 0; i < 40; ++i) {
    const bool is_free = random.below(6) == 0, is_planar = random.below(3) == 0;
    const auto locks = static_cast<MotionLocks>(is_free     ? 0
                                                : is_planar ? lock_planar
                                                            : 1 + random.below(state::lock_all));
    const bool is_upright = random.below(2) == 0;
    const Position at{(i % 4 - 1.5) * 1.1, 1.0 + 1.1 * (i / 16), (i / 4 % 4 - 1.5) * 1.1};
    const BodyHandle body =
        add_locked(world, {at, is_upright ? math::Quat{} : random_rotation(random)}, locks,
                   bouncing_shape(random_shape(random), 0.5f, random.between(0, 0.8f)));
    if (i % 3 == 2) {
      // one of the first four kinds, ball to fixed
      const auto kind = static_cast<JointKind>(random.below(4));
      const Position middle = world.centre_of_mass(before) +
                              0.5f * (world.centre_of_mass(body) - world.centre_of_mass(before));
      JointDef def = make_joint_def(world, kind, before, body, middle, {0, 0, 1});
      def.motor = {kind == JointKind::Hinge, 5, 200};
      world.create_joint(def);
    }
    before = body;
    all.push_back(kept(world, body, locks));
  }
  for (int tick = 0; tick < 300; ++tick) {
    if (tick < 200) {
      for (const Kept& body : all)
        throw_about(world, random, body.body);
    }
    world.step();
    ASSERT_EQ(world.stats().quarantined_bodies, 0U);
    for (const Kept& body : all) {
      body.expect_golden(world);
      if (HasFatalFailure()) FAIL() << "tick " << tick << ", locks " << int{body.locks};
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Seeds, RandomLocks, ::testing::Range(1, 9));

// A ball of mass m that cannot move along z is hit by a free one, at 45° to z. The inverse
// effective mass along the contact normal n is 1/m + n_x²/m.
TEST(MotionLocks, IncreaseTheEffectiveMassInAnImpact) {
  World world(without_gravity());
  const ShapeDef ball = bouncing_shape(state::sphere(0.5f), 0, 1);
  const float diagonal = std::sqrt(0.5f);
  const BodyHandle locked = add_locked(world, {}, state::lock_linear_z, ball);
  const BodyHandle free =
      add_locked(world, {{-2 * diagonal, 0, -2 * diagonal}, {}}, MotionLocks{0}, ball);
  world.set_velocity(free, {4 * diagonal, 0, 4 * diagonal}, {});
  run(world, 60);
  const float blow = 2 * 4 / (1 + 0.5f);  // divided by the mass: (1 + e)·v / (1 + n_x²)
  EXPECT_NEAR(world.linear_velocity(locked).x, blow * diagonal, 1e-4f);
  EXPECT_EQ(world.linear_velocity(locked).z, 0.0f);
  EXPECT_NEAR(world.linear_velocity(free).x, (4 - blow) * diagonal, 1e-4f);
  EXPECT_NEAR(world.linear_velocity(free).z, (4 - blow) * diagonal, 1e-4f);
  // The lock absorbs no energy: ½mv² is unchanged.
  EXPECT_NEAR(kinetic_energy(world, free) + kinetic_energy(world, locked),
              0.5 * static_cast<double>(world.mass(free)) * 16,
              1e-3 * static_cast<double>(world.mass(free)));
}

// Two balls that cannot turn meet at 45° to a locked axis. With enough friction they move on
// without sliding past each other. The momentum along x, where nothing is locked, is conserved.
TEST(MotionLocks, FrictionActsOnlyAlongFreeAxes) {
  World world(without_gravity());
  const ShapeDef ball = bouncing_shape(state::sphere(0.5f), 50, 0);
  const float diagonal = std::sqrt(0.5f);
  const BodyHandle locked =
      add_locked(world, {}, state::lock_linear_z | state::lock_rotation, ball);
  const BodyHandle free =
      add_locked(world, {{-1.02 * diagonal, 0, -1.02 * diagonal}, {}}, state::lock_rotation, ball);
  world.set_velocity(free, {6, 0, 1.5f}, {});
  run(world, 2);
  const Vec3 u = world.linear_velocity(free), v = world.linear_velocity(locked);
  EXPECT_NEAR(u.x + v.x, 6, 1e-3f);
  EXPECT_NEAR((v.x - u.x) - (v.z - u.z), 0, 0.02f);
  EXPECT_LT(length_squared(u) + length_squared(v), 6 * 6 + 1.5f * 1.5f);
  EXPECT_GT(v.x, 2);
}

// The trammel of Archimedes: one slider on the y axis, one on the x axis, and a rod of length L
// between them. At the angle θ between rod and y axis, the two sliders of mass m together have the
// kinetic energy ½·m·L²·θ'² and the potential energy m·g·L·cos θ.
TEST(MotionLocks, TrammelOfArchimedesFallsLikeTheExactSolution) {
  World world(without_sleep());
  const ShapeDef ball = shape_def(state::sphere(0.1f));
  constexpr MotionLocks turns = state::lock_rotation | state::lock_linear_z;
  const BodyHandle high = add_locked(world, {{0, 1.6, 0}, {}}, turns | state::lock_linear_x, ball);
  const BodyHandle low = add_locked(world, {{1.2, 0, 0}, {}}, turns | state::lock_linear_y, ball);
  world.create_joint(make_distance_joint_def(world, high, low, {0, 1.6, 0}, {1.2, 0, 0}));
  for (int i = 0; i < 90; ++i) {
    world.step();
    const double y = world.centre_of_mass(high).y, x = world.centre_of_mass(low).x;
    EXPECT_NEAR(std::hypot(x, y), 2, 2e-4);
    const double v = static_cast<double>(world.linear_velocity(high).y);
    const double u = static_cast<double>(world.linear_velocity(low).x);
    EXPECT_NEAR(0.5 * (u * u + v * v), 9.81 * (1.6 - y), 3e-4 * 9.81 * 1.6) << "step " << i;
  }
}

// A rod that leans by 45° and turns only about the axis e = z has the moment of inertia e·I·e about
// it, not 1/(e·I⁻¹·e).
TEST(MotionLocks, BodyWithOneFreeRotationHasTheMomentOfInertiaAboutThatAxis) {
  World world(without_gravity());
  const math::Quat leaning = math::from_axis_angle({1, 0, 0}, math::pi / 4);
  const BodyHandle rod =
      add_locked(world, {{}, leaning}, state::lock_angular_x | state::lock_angular_y,
                 shape_def(state::box({0.1f, 1, 0.1f})));
  const math::Mat3 local = world.inertia_local(rod);
  const float about_z = 0.5f * (local.cy.y + local.cz.z);
  world.apply_angular_impulse(rod, {7, 8, 9});
  EXPECT_NEAR(world.angular_velocity(rod).z, 9 / about_z, 1e-6f);
  run(world, 120);
  EXPECT_NEAR(world.angular_velocity(rod).z, 9 / about_z, 1e-5f);
  EXPECT_EQ(world.angular_velocity(rod).x, 0.0f);
  // A torque with the same z component for 1 s must change the velocity about z by the same amount.
  for (int i = 0; i < 60; ++i) {
    world.apply_torque(rod, {3, 4, 9});
    world.step();
  }
  EXPECT_NEAR(world.angular_velocity(rod).z, 18 / about_z, 1e-4f);
  // An impulse at the end of the rod acts with the same moment of inertia.
  const Position end = world.centre_of_mass(rod) + rotate(world.pose(rod).rotation, {0, 1, 0});
  world.set_velocity(rod, {}, {});
  world.apply_impulse(rod, {10, 0, 0}, end);
  const Vec3 arm = end - world.centre_of_mass(rod);
  EXPECT_NEAR(world.angular_velocity(rod).z, cross(arm, {10, 0, 0}).z / about_z, 1e-5f);
}

// Locks exert no torque about the two free axes, so the angular momentum about these axes is
// conserved.
TEST(MotionLocks, ConserveAngularMomentumAboutFreeAxes) {
  World world(without_gravity());
  const BodyHandle body =
      add_locked(world, {{}, math::from_axis_angle({0, 0.6f, 0.8f}, 0.7f)}, state::lock_angular_y,
                 shape_def(state::box({0.2f, 0.3f, 0.5f})));
  world.apply_angular_impulse(body, {30, 0, 50});
  for (int i = 0; i < 300; ++i) {
    world.step();
    const Vec3 momentum = angular_momentum(world, body);
    ASSERT_NEAR(momentum.x, 30, 0.01f);
    ASSERT_NEAR(momentum.z, 50, 0.01f);
    ASSERT_EQ(world.angular_velocity(body).y, 0.0f);
  }
}

TEST(MotionLocks, GravityDoesNotMoveALockedAxis) {
  World world(without_sleep());
  const BodyHandle body =
      add_locked(world, {{1, 2, 3}, {}}, state::lock_linear_y, shape_def(state::sphere(0.5f)));
  run(world, 60);
  EXPECT_EQ(world.centre_of_mass(body), (Position{1, 2, 3}));
}

TEST(MotionLocks, BodyHeldOnlyByLocksFallsAsleep) {
  World world{WorldOptions{}};
  const BodyHandle body =
      add_locked(world, {{1, 2, 3}, {}}, state::lock_linear_y, shape_def(state::sphere(0.5f)));
  run(world, 60);
  EXPECT_FALSE(world.is_awake(body));
}

/// Lets a crate slide on a slope of a planar world. Returns its change of velocity in the time from
/// 1 s to 2 s, m/s.
float slid(float thickness, float friction) {
  const double tilt = 0.5;
  WorldOptions options = without_sleep();
  options.gravity = math::to_vec3({9.81 * std::sin(tilt), -9.81 * std::cos(tilt), 0});
  World world(options);
  add_ground(world, Material{friction});
  const BodyHandle box =
      add_locked(world, {{0, 0.25, 1}, {}}, lock_planar,
                 bouncing_shape(state::box({0.5f, 0.25f, thickness}), friction, 0));
  run(world, 60);
  const float before = world.linear_velocity(box).x;
  run(world, 60);
  EXPECT_EQ(world.centre_of_mass(box).z, 1.0);
  return world.linear_velocity(box).x - before;
}

TEST(PlanarWorld, CrateOnASlopeHasTheExactAcceleration) {
  const double expected = 9.81 * (std::sin(0.5) - 0.3 * std::cos(0.5));
  for (const float thickness : {0.02f, 0.5f, 3.0f})
    EXPECT_NEAR(slid(thickness, 0.3f), expected, 2e-3 * expected) << thickness;
  EXPECT_NEAR(slid(0.5f, 0.9f), 0, 1e-4);  // below the friction angle
}

TEST(PlanarWorld, StackOfThinBoxesStandsAndSleeps) {
  World world{WorldOptions{}};
  add_ground(world);
  std::vector<BodyHandle> boxes;
  for (int i = 0; i < 12; ++i)
    boxes.push_back(add_locked(world, {{0, 0.5 + i, 0}, {}}, lock_planar,
                               shape_def(state::box({0.5f, 0.5f, 0.05f}))));
  run(world, 300);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    EXPECT_NEAR(world.centre_of_mass(boxes[i]).y, 0.5 + static_cast<double>(i), 2e-3);
    EXPECT_NEAR(world.centre_of_mass(boxes[i]).x, 0, 1e-4);
    EXPECT_FALSE(world.is_awake(boxes[i]));
  }
}

// A thin box has almost no inertia about the axes in its plane. Without locks it would turn over.
TEST(PlanarWorld, ImpactAcrossThePlaneHasNoEffect) {
  World world(without_gravity());
  const BodyHandle box =
      add_locked(world, {}, lock_planar, shape_def(state::box({0.5f, 0.5f, 0.02f})));
  const BodyHandle ball = add_locked(world, {{0.3, 0.2, -3}, {}}, MotionLocks{0},
                                     bouncing_shape(state::sphere(0.2f), 0, 1));
  world.set_velocity(ball, {0, 0, 10}, {});
  run(world, 60);
  EXPECT_EQ(world.pose(box).rotation, math::Quat{});
  EXPECT_EQ(world.centre_of_mass(box), Position{});
  EXPECT_NEAR(world.linear_velocity(ball).z, -10, 1e-3f);  // bounces as from a wall
}

class PlanarJoint : public ::testing::TestWithParam<JointKind> {};

struct Bars {
  JointFailure worst;
  Position end;
};

/// Simulates three bars in a row for four seconds. Each bar has a joint to the previous one, and
/// the first bar has a joint to a wall. `z` is the distance of the joints from the plane of the
/// bars' centres, m.
Bars hang_bars(JointKind kind, MotionLocks locks, double z) {
  World world(without_sleep());
  BodyHandle before = add_body(world, MotionType::Static, {}, shape_def(state::sphere(0.1f)));
  for (int i = 0; i < 3; ++i) {
    const BodyHandle bar =
        add_locked(world, {{0.6 + i, 0, 0}, {}}, locks, shape_def(state::box({0.4f, 0.1f, 0.05f})));
    const Position at{0.1 + i, 0, z};
    world.create_joint(
        kind == JointKind::Distance
            ? make_distance_joint_def(world, before, bar, at, at + Vec3{0.3f, 0, 0})
            : make_joint_def(world, kind, before, bar, at,
                             kind == JointKind::Slider ? Vec3{1, 0, 0} : Vec3{0, 0, 1}));
    before = bar;
  }
  Bars bars;
  for (int i = 0; i < 240; ++i) {
    world.step();
    const JointFailure now = worst_failure(world);
    bars.worst = {std::max(bars.worst.gap, now.gap), std::max(bars.worst.lean, now.lean)};
    if (locks == 0) continue;
    for (const JointHandle joint : world.joints())
      EXPECT_LT(std::abs(world.joint_state(joint).force.z), 1e-3f)
          << "no force along the locked axis z";
  }
  bars.end = world.centre_of_mass(before);
  return bars;
}

TEST_P(PlanarJoint, HoldsAsWellAsInThreeDimensions) {
  const Bars space = hang_bars(GetParam(), 0, 0), flat = hang_bars(GetParam(), lock_planar, 0.02);
  EXPECT_LT(flat.worst.gap, 1.5f * space.worst.gap + 1e-4f);
  EXPECT_LT(flat.worst.lean, 1.5f * space.worst.lean + 1e-3f);
  EXPECT_EQ(flat.end.z, 0.0);
  const bool is_stiff = GetParam() == JointKind::Fixed || GetParam() == JointKind::Slider;
  EXPECT_EQ(flat.end.y > -0.1 && flat.end.x < 3, is_stiff);
}
INSTANTIATE_TEST_SUITE_P(Kinds, PlanarJoint,
                         ::testing::Values(JointKind::Ball, JointKind::Hinge, JointKind::Slider,
                                           JointKind::Fixed, JointKind::Distance));

// If a joint has an error along an axis that both bodies have locked, its solver must ignore that
// error. No impulse could correct it, and the impulses would accumulate.
TEST(MotionLocks, JointIgnoresErrorsAlongLockedAxes) {
  World world(without_sleep());
  const BodyHandle wall = add_body(world, MotionType::Static, {}, shape_def(state::sphere(0.1f)));
  const BodyHandle bar =
      add_locked(world, {{0.6, 0, 0}, {}}, lock_planar, shape_def(state::box({0.4f, 0.1f, 0.05f})));
  const JointHandle joint = world.create_joint(
      make_joint_def(world, JointKind::Hinge, wall, bar, {0.1, 0, 0}, {0, 0, 1}));
  world.set_pose(bar, {{0.6, 0, 0.2}, {}});
  run(world, 120);
  EXPECT_EQ(world.joint_state(joint).force.z, 0.0f);
  EXPECT_NEAR(world.joint_state(joint).gap, 0.2f, 1e-4f);
  // within the plane the joint still carries the weight
  EXPECT_GT(length(world.joint_state(joint).force), 10);
}

TEST(MotionLocks, HaveNoEffectOnKinematicBodies) {
  World world(without_gravity());
  BodyDef def;
  def.motion = MotionType::Kinematic;
  def.locks = state::lock_all;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(state::sphere(0.5f)));
  world.set_velocity(body, {1, 2, 3}, {});
  run(world, 60);
  EXPECT_NEAR(world.centre_of_mass(body).z, 3, 1e-4);
}

TEST(MotionLocks, DoNotChangeOtherBodies) {
  const auto hash_of_rain = [](bool has_locked) {
    World world(without_sleep());
    add_ground(world);
    const std::vector<BodyHandle> bodies = add_mixed_rain(world, 40, 3);
    if (has_locked) {
      for (int i = 0; i < 20; ++i)
        add_locked(world, {{40.0 + i * 0.9, 1.0 + 0.1 * i, 0}, {}}, lock_planar,
                   shape_def(state::box({0.5f, 0.5f, 0.1f})));
    }
    run(world, 150);
    std::vector<math::Pose> poses;
    for (const BodyHandle body : bodies)
      poses.push_back(world.pose(body));
    return poses;
  };
  EXPECT_EQ(hash_of_rain(false), hash_of_rain(true));
}

}  // namespace
}  // namespace jostle::physics
