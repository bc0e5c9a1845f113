#include "tests/physics/joint_scenes.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

TEST(Joints, ChainHoldsItsOwnWeight) {
  World world(without_sleep());
  BodyHandle above = add_anchor(world, {});
  for (int i = 1; i <= 20; ++i) {
    const BodyHandle link = add_ghost(world, {0, -0.2 * i, 0}, state::sphere(0.1f));
    world.create_joint(
        make_joint_def(world, JointKind::Ball, above, link, {0, -0.2 * i + 0.1, 0}, {0, 1, 0}));
    above = link;
  }
  for (int i = 0; i < 600; ++i) {
    world.step();
    ASSERT_LT(-world.centre_of_mass(above).y / 4.0, 1.015) << i;
  }
  const JointState top = world.joint_state(world.joints().front());
  EXPECT_NEAR(top.force.y, 20 * world.mass(above) * static_cast<float>(g), 0.02f * top.force.y);
}

/// A motor at its force limit F cancels most of the weight. The remaining motion, y = −½·(g −
/// F/m)·t², is small compared with the effect of either force alone.
TEST(SliderMotor, LowersAnOverloadWithTheRemainingAcceleration) {
  for (const double share : {0.5, 0.9, 0.99}) {
    World world(without_sleep());
    const BodyHandle anchor = add_anchor(world, {});
    const BodyHandle load = add_ghost(world, {}, state::box({0.1f, 0.1f, 0.1f}));
    JointDef def = make_joint_def(world, JointKind::Slider, anchor, load, {}, {0, 1, 0});
    def.motor = {true, 0, static_cast<float>(share * g) * world.mass(load)};
    world.create_joint(def);
    for (int i = 0; i < 60; ++i)
      world.step();
    const double fallen = 0.5 * g * (1 - share);
    EXPECT_NEAR(world.centre_of_mass(load).y, -fallen, 1e-3 * fallen) << share << " of the weight";
  }
}

TEST(HingeMotor, AcceleratesWithItsTorqueUpToItsSpeed) {
  World world(without_gravity());
  const BodyHandle pivot = add_anchor(world, {});
  const BodyHandle wheel = add_ghost(world, {}, state::sphere(0.5f));
  JointDef def = make_joint_def(world, JointKind::Hinge, pivot, wheel, {}, {0, 0, 1});
  def.motor = {true, 5, 100};
  world.create_joint(def);
  const double gain = 100 / static_cast<double>(world.inertia_local(wheel).cz.z);  // rad/s²
  run(world, 30);
  EXPECT_NEAR(world.angular_velocity(wheel).z, gain * 0.5, 1e-3 * gain);
  run(world, 300);
  EXPECT_NEAR(world.angular_velocity(wheel).z, 5, 1e-3);
}

class HingeLimits : public ::testing::TestWithParam<float> {};

TEST_P(HingeLimits, HoldOnBothSides) {
  World world(without_sleep());
  const BodyHandle pivot = add_anchor(world, {});
  const BodyHandle arm = add_ghost(world, {0, -0.5, 0}, state::box({0.05f, 0.5f, 0.05f}));
  JointDef def = make_joint_def(world, JointKind::Hinge, pivot, arm, {}, {0, 0, 1});
  def.limits = {true, -0.5f, 0.5f};
  const JointHandle hinge = world.create_joint(def);
  world.set_velocity(arm, {GetParam() * 2, 0, 0}, {0, 0, GetParam() * 4});
  float farthest = 0;
  for (int i = 0; i < 600; ++i) {
    world.step();
    farthest = std::max(farthest, std::abs(world.joint_state(hinge).angle));
  }
  EXPECT_NEAR(farthest, 0.5f, 0.02f);
  EXPECT_LT(worst_failure(world).gap, 1e-3f);
}
// The limit is 7.5 ticks away. The wheel reaches it in the middle of a tick, at the end of a
// substep of 1/240 s.
TEST_P(HingeLimits, StopAFastWheelExactlyAtTheLimit) {
  World world(without_gravity());
  const BodyHandle pivot = add_anchor(world, {});
  const BodyHandle wheel = add_ghost(world, {}, state::sphere(0.5f));
  JointDef def = make_joint_def(world, JointKind::Hinge, pivot, wheel, {}, {0, 0, 1});
  def.limits = {true, -0.5f, 0.5f};
  const JointHandle hinge = world.create_joint(def);
  world.set_velocity(wheel, {}, {0, 0, GetParam() * 4});
  run(world, 7);
  EXPECT_NEAR(world.joint_state(hinge).angle, GetParam() * 4 * 7 / 60, 1e-5);
  EXPECT_NEAR(world.angular_velocity(wheel).z, GetParam() * 4, 1e-5);
  run(world, 1);
  EXPECT_NEAR(world.joint_state(hinge).angle, GetParam() * 0.5, 1e-4);
  EXPECT_NEAR(world.angular_velocity(wheel).z, 0, 1e-4);
}
INSTANTIATE_TEST_SUITE_P(Directions, HingeLimits, ::testing::Values(1.0f, -1.0f));

// A light ball is attached by a hinge with limits to the end of a heavy rod, which falls onto the
// ground. The impact opens the joint and its limit a little.
TEST(HingeLimits, AddNoEnergyToAnImpact) {
  for (int i = 0; i < 20; ++i) {
    SCOPED_TRACE(i);
    base::Random random(static_cast<std::uint64_t>(i));
    World world(without_sleep());
    add_ground(world);
    const math::Quat turned = random_rotation(random);
    const Position middle{0, 4, 0};
    ShapeDef dense = shape_def(state::sphere(0.03f));
    dense.density = 2e5f;
    const Vec3 to_anchor = rotate(turned, Vec3{0, 1.3f, 0}),
               beside = rotate(turned, {0.1f, 0.1f, 0});
    const BodyHandle rod = add_body(world, MotionType::Dynamic, {middle, turned},
                                    shape_def(state::capsule(0.2f, 1.2f)));
    const BodyHandle ball =
        add_body(world, MotionType::Dynamic, {middle + to_anchor + beside, turned}, dense);
    JointDef def = make_joint_def(world, JointKind::Hinge, rod, ball, middle + to_anchor,
                                  rotate(turned, Vec3{0, 0, 1}));
    def.limits = {true, -0.2f, 0.2f};
    world.create_joint(def);
    for (const BodyHandle body : {rod, ball})
      world.set_velocity(body, {0, -20, 0}, {});
    const double energy = total_energy(world);
    for (int step = 0; step < 120; ++step) {
      world.step();
      ASSERT_LT(total_energy(world), 1.01 * energy) << "step " << step;
    }
  }
}

TEST(BallJoint, StaysWithinItsConeAndTwistLimits) {
  World world(without_sleep());
  const BodyHandle pivot = add_anchor(world, {});
  const BodyHandle arm = add_ghost(world, {0, -0.5, 0}, state::box({0.1f, 0.5f, 0.15f}));
  JointDef def = make_joint_def(world, JointKind::Ball, pivot, arm, {}, {0, -1, 0});
  def.limits = {true, -0.3f, 0.3f};
  def.cone = {true, 0.6f};
  const JointHandle ball = world.create_joint(def);
  world.set_velocity(arm, {2, 0, 1}, {-2, 4, 4});
  for (int i = 0; i < 600; ++i) {
    world.step();
    const JointState state = world.joint_state(ball);
    ASSERT_LT(state.swing, 0.65f) << i;
    ASSERT_LT(std::abs(state.angle), 0.35f) << i;
  }
}

TEST(JointSpring, OscillatesAndDecaysLikeTheExactSolution) {
  for (const float ratio : {0.0f, 0.05f, 0.3f}) {
    SCOPED_TRACE(ratio);
    World world(without_gravity());
    const BodyHandle pivot = add_anchor(world, {});
    const BodyHandle bob = add_ghost(world, {2.5, 0, 0}, state::sphere(0.1f));
    JointDef def = make_distance_joint_def(world, pivot, bob, {}, {2.5, 0, 0});
    def.rest = 2;
    def.spring = {true, 2, ratio};
    world.create_joint(def);
    const double omega = 4 * std::acos(-1.0), z = static_cast<double>(ratio);
    const double damped = omega * std::sqrt(1 - z * z);
    for (int i = 1; i <= 240; ++i) {
      world.step();
      const double t = i / 60.0;
      const double x = 0.5 * std::exp(-z * omega * t) *
                       (std::cos(damped * t) + z * omega / damped * std::sin(damped * t));
      ASSERT_NEAR(world.centre_of_mass(bob).x, 2 + x, 0.01) << "step " << i;
    }
  }
}

TEST(JointSpring, SagsUnderAWeightByItsStiffness) {
  World world(without_sleep());
  const BodyHandle pivot = add_anchor(world, {});
  const BodyHandle bob = add_ghost(world, {0, -1, 0}, state::sphere(0.1f));
  JointDef def = make_distance_joint_def(world, pivot, bob, {}, {0, -1, 0});
  def.spring = {true, 2, 0.5f};
  world.create_joint(def);
  run(world, 600);
  const double omega = 4 * std::acos(-1.0);
  EXPECT_NEAR(world.centre_of_mass(bob).y, -1 - g / (omega * omega), 1e-4);
  EXPECT_NEAR(length(world.linear_velocity(bob)), 0, 1e-3);
}

TEST(DistanceJoint, RopeIsSlackUntilItIsTaut) {
  World world(without_sleep());
  const BodyHandle pivot = add_anchor(world, {});
  const BodyHandle bob = add_ghost(world, {0, -0.5, 0}, state::sphere(0.1f));
  JointDef def = make_distance_joint_def(world, pivot, bob, {}, {0, -0.5, 0});
  def.limits = {true, 0, 2};
  const JointHandle rope = world.create_joint(def);
  run(world, 30);
  EXPECT_NEAR(world.centre_of_mass(bob).y, -0.5 - g / 8, 1e-3) << "the bob must fall freely";
  EXPECT_EQ(world.joint_state(rope).force, Vec3{});
  for (int i = 0; i < 300; ++i) {
    world.step();
    ASSERT_LT(world.joint_state(rope).translation, 2.01f);
  }
  EXPECT_NEAR(world.centre_of_mass(bob).y, -2, 2e-3);
  EXPECT_NEAR(world.joint_state(rope).force.y, world.mass(bob) * static_cast<float>(g),
              0.01f * world.mass(bob) * static_cast<float>(g));
}

TEST(SliderJoint, SlidesAlongItsAxisToItsLimit) {
  World world(without_sleep());
  const BodyHandle rail = add_anchor(world, {});
  const BodyHandle cart = add_ghost(world, {0.5, 0, 0}, state::box({0.2f, 0.1f, 0.3f}));
  const Vec3 axis = math::normalized_or({1, -1, 0}, {});
  JointDef def = make_joint_def(world, JointKind::Slider, rail, cart, {0.5, 0, 0}, axis);
  def.limits = {true, -1, 2};
  const JointHandle slider = world.create_joint(def);
  run(world, 30);
  EXPECT_NEAR(world.joint_state(slider).translation, 0.5 * g * std::sqrt(0.5) * 0.25, 5e-3);
  run(world, 300);
  EXPECT_NEAR(world.joint_state(slider).translation, 2, 5e-3);
  EXPECT_LT(worst_failure(world).gap, 5e-4f);
  EXPECT_LT(worst_failure(world).lean, 2e-3f);
}

TEST(FixedJoint, HoldsABeamWithoutBending) {
  World world(without_sleep());
  const BodyHandle wall = add_anchor(world, {});
  const BodyHandle beam = add_ghost(world, {1, 0, 0}, state::box({1, 0.05f, 0.05f}));
  const JointHandle weld =
      world.create_joint(make_joint_def(world, JointKind::Fixed, wall, beam, {}, {1, 0, 0}));
  run(world, 600);
  const JointState state = world.joint_state(weld);
  EXPECT_LT(state.gap, 1e-4f);
  EXPECT_LT(state.lean, 1e-3f);
  const float weight = world.mass(beam) * static_cast<float>(g);
  EXPECT_NEAR(state.force.y, weight, 0.01f * weight);
  EXPECT_NEAR(state.torque.z, weight, 0.01f * weight) << "the lever arm is one metre";
}

/// The body circles about a hinge or a ball joint without gravity. The tolerance of the angle
/// covers the error of the method: a velocity along the chord of the arc covers sin θ of an angle θ
/// (solver/joint_solver.h).
TEST(Joints, BodyCirclingAPivotKeepsItsRadiusAndSpeed) {
  for (const JointKind kind : {JointKind::Hinge, JointKind::Ball}) {
    for (const float spin : {5.0f, 20.0f, 40.0f}) {
      SCOPED_TRACE(::testing::Message()
                   << (kind == JointKind::Hinge ? "hinge" : "ball") << " at " << spin);
      World world(without_gravity());
      const BodyHandle pivot = add_anchor(world, {});
      const BodyHandle bob = add_ghost(world, {0, -1, 0}, state::box({0.1f, 0.3f, 0.05f}));
      world.create_joint(make_joint_def(world, kind, pivot, bob, {}, {0, 0, 1}));
      world.set_velocity(bob, {spin, 0, 0}, {0, 0, spin});
      double turned = 0, before = 0;
      for (int i = 0; i < 300; ++i) {
        world.step();
        ASSERT_LT(worst_failure(world).gap, 1e-5f) << i;
        const Position at = world.centre_of_mass(bob);
        const double angle = std::atan2(at.x, -at.y);
        turned += std::remainder(angle - before, 2 * math::pi);
        before = angle;
      }
      const double by_substep = static_cast<double>(spin) / 240;
      EXPECT_NEAR(turned / (5.0 * static_cast<double>(spin)), 1,
                  0.18 * by_substep * by_substep + 1e-5);
      EXPECT_NEAR(world.angular_velocity(bob).z, spin, 3e-4f * spin);
    }
  }
}

/// The bodies spin about none of their principal axes, so each alone would precess differently.
TEST(Joints, TumblingPairConservesEnergyAndAngularMomentum) {
  for (const JointKind kind : {JointKind::Fixed, JointKind::Hinge, JointKind::Ball}) {
    for (const float mass : {1.0f, 3.0f, 10.0f}) {
      SCOPED_TRACE(::testing::Message() << "kind " << static_cast<int>(kind) << ", mass " << mass);
      World world(without_gravity());
      const auto add = [&](double x, Vec3 half, float own) {
        BodyDef def;
        def.pose.position = {x, 0, 0};
        def.mass = own;
        const BodyHandle body = world.create_body(def);
        world.add_shape(body, ghost(state::box(half)));
        return body;
      };
      const BodyHandle a = add(-0.5, {0.2f, 0.1f, 0.15f}, 1),
                       b = add(0.5, {0.3f, 0.1f, 0.05f}, mass);
      world.create_joint(make_joint_def(world, kind, a, b, {0, 0.05, 0}, {0, 1, 0}));
      const Vec3 spin = normalized_or(Vec3{0.3f, 0.5f, 0.81f}, Vec3{}) * 15.0f;
      const float middle = 0.5f * (mass - 1) / (mass + 1);
      world.set_velocity(a, cross(spin, Vec3{-0.5f - middle, 0, 0}), spin);
      world.set_velocity(b, cross(spin, Vec3{0.5f - middle, 0, 0}), spin);
      const double energy = total_energy(world);
      const auto momentum_now = [&] {
        Vec3 sum;
        for (const BodyHandle body : {a, b}) {
          const Vec3 arm = world.centre_of_mass(body) - Position{};
          sum += angular_momentum(world, body) +
                 cross(arm, world.linear_velocity(body)) * world.mass(body);
        }
        return sum;
      };
      const Vec3 momentum = momentum_now();
      for (int i = 0; i < 1'800; ++i) {
        world.step();
        if (kind != JointKind::Ball) {
          ASSERT_LT(worst_failure(world).lean, 4e-4f) << i;
        }
      }
      EXPECT_NEAR(total_energy(world) / energy, 1, 6e-4);
      EXPECT_LT(length(momentum_now() - momentum), 1e-4f * length(momentum));
    }
  }
}

TEST(Joints, RagdollConservesMomentum) {
  World world(without_gravity());
  const std::vector<BodyHandle> bodies = add_ragdoll(world, {}, 0.4f);
  world.set_velocity(bodies[0], {1, 2, -1}, {3, -2, 4});
  const auto sums = [&] {
    Vec3 linear, angular;
    for (const BodyHandle body : bodies) {
      const Vec3 p = world.linear_velocity(body) * world.mass(body);
      linear += p;
      angular +=
          cross(math::to_vec3(world.centre_of_mass(body)), p) + angular_momentum(world, body);
    }
    return std::pair{linear, angular};
  };
  const auto [linear, angular] = sums();
  for (int i = 0; i < 120; ++i) {
    world.step();
    const auto [linear_now, angular_now] = sums();
    ASSERT_LT(length(linear_now - linear), 1e-4f * length(linear)) << i;
    ASSERT_LT(length(angular_now - angular), 0.02f * length(angular)) << i;
  }
}

// A chain of boards, joined by two ball joints each, carries two hundred times the weight of a
// board.
TEST(Joints, PairsOfBallJointsBearAHeavyLoad) {
  World world{WorldOptions{}};
  BodyDef def;
  def.motion = MotionType::Static;
  BodyHandle above = world.create_body(def);
  def.motion = MotionType::Dynamic;
  constexpr int boards = 8;
  for (int i = 0; i < boards; ++i) {
    const double middle = -0.25 - 0.5 * i;
    def.pose.position = {0, middle, 0};
    def.mass = i + 1 < boards ? 1.0f : 200.0f;
    const BodyHandle board = world.create_body(def);
    world.add_shape(board, ghost(state::box({0.4f, 0.24f, 0.03f})));
    for (const double side : {-0.3, 0.3}) {
      world.create_joint(make_joint_def(world, JointKind::Ball, above, board,
                                        {side, middle + 0.25, 0}, {0, 1, 0}));
    }
    above = board;
  }
  world.set_velocity(above, {0, 0, 0.5f}, {});
  for (int i = 0; i < 600; ++i) {
    world.step();
    for (const JointHandle joint : world.joints())
      ASSERT_LT(world.joint_state(joint).gap, 2e-4f) << i;
  }
  world.set_velocity(above, {}, {});
  double pull = 0;
  for (int i = 0; i < 1'800; ++i) {
    world.step();
    const std::vector<JointHandle> joints = world.joints();
    pull += static_cast<double>(world.joint_state(joints[0]).force.y +
                                world.joint_state(joints[1]).force.y);
  }
  EXPECT_NEAR(pull / 1'800, 207 * 9.81, 0.01 * 207 * 9.81);
}

// Graph colouring has 64 colours; the other joints of the body are solved one after the other.
TEST(Joints, HundredJointsOfOneBodyHold) {
  World world{WorldOptions{}};
  const BodyHandle ground = add_ground(world);
  const BodyHandle plate = add_dynamic(world, {0, 8, 0}, state::box({6, 0.1f, 6}));
  world.create_joint(make_joint_def(world, JointKind::Fixed, ground, plate, {0, 8, 0}, {0, 1, 0}));
  std::vector<BodyHandle> beads;
  for (int i = 0; i < 100; ++i) {
    const Position at{i % 10 - 4.5, 7, i / 10 - 4.5};
    beads.push_back(add_dynamic(world, at, state::sphere(0.2f)));
    world.create_joint(make_distance_joint_def(world, plate, beads.back(), {at.x, 8, at.z}, at));
  }
  run(world, 120);
  EXPECT_EQ(world.stats().quarantined_bodies, 0U);
  for (std::size_t i = 0; i < beads.size(); ++i)
    EXPECT_NEAR(world.pose(beads[i]).position.y, 7, 1e-3) << i;
}

}  // namespace
}  // namespace jostle::physics
