#include "tests/physics/coordinate_scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

using std::numbers::pi;

/// Adds a wheel on a hinge with a fixed axle.
BodyHandle add_wheel(World& world, BodyHandle ground, Position at, Vec3 axis, float mass) {
  const BodyHandle wheel = add_weight(world, at, mass);
  world.create_joint(make_joint_def(world, JointKind::Hinge, ground, wheel, at, axis));
  return wheel;
}

// --- gears -------------------------------------------------------------------------------------

TEST(GearJoint, KeepsItsRatioOverManyTurns) {
  for (const float ratio : {2.0f, -0.5f, 7.3f}) {
    World world(awake_options({}));
    const BodyHandle ground = add_anchor(world, {0, -5, 0});
    const BodyHandle a = add_wheel(world, ground, {0, 0, 0}, {0, 0, 1}, 2);
    const BodyHandle b = add_wheel(world, ground, {1, 0, 0}, {0, 0, 1}, 3);
    const JointHandle gear =
        world.create_joint(make_gear_joint_def(world, a, b, {0, 0, 1}, {0, 0, 1}, ratio));
    world.set_velocity(a, {}, {0, 0, 20});
    double turned_a = 0, turned_b = 0;
    const auto angle_of = [&](BodyHandle body) {
      const math::Quat q = world.pose(body).rotation;
      return 2 * std::atan2(double(q.z), double(q.w));
    };
    double before_a = 0, before_b = 0;
    for (int i = 0; i < 3600; ++i) {
      world.step();
      const double now_a = angle_of(a), now_b = angle_of(b);
      turned_a += std::remainder(now_a - before_a, 2 * pi);
      turned_b += std::remainder(now_b - before_b, 2 * pi);
      before_a = now_a;
      before_b = now_b;
      const double wa = world.angular_velocity(a).z, wb = world.angular_velocity(b).z;
      ASSERT_NEAR(wa + ratio * wb, 0, 1e-3 * std::abs(wa)) << i;
      ASSERT_NEAR(turned_a + ratio * turned_b, 0, 0.1 / 180 * pi) << ratio << " " << i;
    }
    EXPECT_GT(std::abs(turned_a), 100) << "the gear must turn many times";
    EXPECT_LT(world.joint_state(gear).lean, 1e-4f);
  }
}

/// The joint distributes the rotation between the wheels at the start. After that, the energy
/// I_a·ω² + I_b·(ω/ratio)² must be constant, with the angular velocity ω of `a`.
TEST(GearJoint, ConservesEnergy) {
  World world(awake_options({}));
  const BodyHandle ground = add_anchor(world, {0, -5, 0});
  const BodyHandle a = add_wheel(world, ground, {0, 0, 0}, {0, 0, 1}, 2);
  const BodyHandle b = add_wheel(world, ground, {1, 0, 0}, {0, 0, 1}, 30);
  world.create_joint(make_gear_joint_def(world, a, b, {0, 0, 1}, {0, 0, 1}, 3));
  world.set_velocity(a, {}, {0, 0, 12});
  run(world, 60);
  const float before = world.angular_velocity(a).z;
  const double ia = world.inertia_local(a).cz.z, ib = world.inertia_local(b).cz.z;
  EXPECT_NEAR(before, 12 * ia / (ia + ib / 9), 1e-3 * before);
  run(world, 3600);
  EXPECT_NEAR(world.angular_velocity(a).z, before, 1e-3f * before);
}

/// A torque τ on `a` accelerates `a` by τ/(I_a + I_b/ratio²). The gear transmits the torque that
/// accelerates `b`.
TEST(GearJoint, TransmitsTorqueByItsRatio) {
  World world(awake_options({}));
  const BodyHandle ground = add_anchor(world, {0, -5, 0});
  const BodyHandle a = add_wheel(world, ground, {0, 0, 0}, {0, 0, 1}, 2);
  const BodyHandle b = add_wheel(world, ground, {1, 0, 0}, {0, 1, 0}, 3);  // a bevel gear
  const JointHandle gear =
      world.create_joint(make_gear_joint_def(world, a, b, {0, 0, 1}, {0, 1, 0}, -4));
  constexpr float torque = 0.5f;
  for (int i = 0; i < 120; ++i) {
    world.apply_torque(a, {0, 0, torque});
    world.step();
  }
  const double ia = world.inertia_local(a).cz.z, ib = world.inertia_local(b).cy.y;
  const double acceleration = torque / (ia + ib / 16);
  EXPECT_NEAR(world.angular_velocity(a).z, acceleration * 2, 0.002 * acceleration * 2);
  EXPECT_NEAR(world.angular_velocity(b).y, acceleration / 2, 0.002 * acceleration / 2);
  EXPECT_NEAR(world.joint_state(gear).torque.y, ib * acceleration / 4,
              0.01 * ib * acceleration / 4);
}

TEST(GearJoint, HasPlayBetweenItsLimits) {
  World world(awake_options({}));
  const BodyHandle ground = add_anchor(world, {0, -5, 0});
  const BodyHandle a = add_wheel(world, ground, {0, 0, 0}, {0, 0, 1}, 2);
  const BodyHandle b = add_wheel(world, ground, {1, 0, 0}, {0, 0, 1}, 2);
  JointDef def = make_gear_joint_def(world, a, b, {0, 0, 1}, {0, 0, 1}, 1);
  def.limits = {true, -0.1f, 0.1f};
  const JointHandle gear = world.create_joint(def);
  world.set_velocity(a, {}, {0, 0, 1});
  run(world, 5);
  EXPECT_EQ(world.angular_velocity(b), Vec3{}) << "b must not move within the play";
  run(world, 60);
  EXPECT_LT(world.angular_velocity(b).z, -0.4f) << "b must move beyond the play";
  EXPECT_LT(world.joint_state(gear).angle, 0.101f);
}

// --- rack and pinion ---------------------------------------------------------------------------

TEST(RackJoint, MovesByTheArcOfThePinion) {
  World world(awake_options({}));
  const BodyHandle ground = add_anchor(world, {0, -5, 0});
  const BodyHandle pinion = add_wheel(world, ground, {0, 0, 0}, {0, 0, 1}, 2);
  const BodyHandle rack = add_weight(world, {0, 0.5, 0}, 3);
  world.create_joint(
      make_joint_def(world, JointKind::Slider, ground, rack, {0, 0.5, 0}, {1, 0, 0}));
  constexpr float radius = 0.3f;
  const JointHandle joint = world.create_joint(
      make_rack_and_pinion_joint_def(world, pinion, rack, {0, 0, 1}, {1, 0, 0}, radius));
  world.set_velocity(pinion, {}, {0, 0, 8});
  double turned = 0, before = 0;
  for (int i = 0; i < 1200; ++i) {
    world.step();
    const math::Quat q = world.pose(pinion).rotation;
    const double now = 2 * std::atan2(double(q.z), double(q.w));
    turned += std::remainder(now - before, 2 * pi);
    before = now;
    if (i < 20) continue;  // the two joints need some steps to reach consistent velocities
    ASSERT_NEAR(world.pose(rack).position.x, radius * turned, 5e-4) << i;
    ASSERT_NEAR(world.linear_velocity(rack).x, radius * world.angular_velocity(pinion).z, 1e-3);
  }
  EXPECT_GT(turned, 10);
  EXPECT_LT(world.joint_state(joint).gap, 1e-4f);
  // The joint distributes the initial angular momentum 8·I between pinion and rack: (I + m·r²)·ω =
  // 8·I.
  const double i = world.inertia_local(pinion).cz.z;
  EXPECT_NEAR(world.angular_velocity(pinion).z, 8 * i / (i + 3 * radius * radius), 2e-3);
}

// --- pulleys -----------------------------------------------------------------------------------

/// l_a and l_b are the lengths of the rope on the two sides, ρ is the ratio. With l_a + ρ·l_b
/// constant, a_a = −ρ·a_b. With the tension T on a and ρ·T on b, the downward acceleration of a is
/// a_a = g·(m_a·ρ² − m_b·ρ) / (m_a·ρ² + m_b).
TEST(PulleyJoint, AcceleratesLikeAtwoodsMachine) {
  for (const float ratio : {1.0f, 2.0f, 0.5f}) {
    for (const float heavy : {1.2f, 3.0f}) {
      World world(awake_options(earth));
      const BodyHandle a = add_weight(world, {-1, 0, 0}, heavy),
                       b = add_weight(world, {1, 0, 0}, 1);
      const JointHandle rope = world.create_joint(make_pulley_joint_def(
          world, a, b, {-1, 0, 0}, {1, 0, 0}, {-1, 20, 0}, {1, 20, 0}, ratio));
      const double fall = g * (heavy * ratio * ratio - ratio) / (heavy * ratio * ratio + 1);
      run(world, 60);
      EXPECT_NEAR(world.linear_velocity(a).y, -fall, 0.002 * std::abs(fall)) << ratio;
      EXPECT_NEAR(world.pose(a).position.y, -fall / 2, 0.004 * std::abs(fall)) << ratio;
      EXPECT_NEAR(world.linear_velocity(b).y, fall / ratio, 0.002 * std::abs(fall / ratio));
      EXPECT_LT(world.joint_state(rope).gap, 5e-4f);
      const double tension = heavy * (g - fall);
      EXPECT_NEAR(world.joint_state(rope).force.y, ratio * tension, 0.005 * ratio * tension);
    }
  }
}

TEST(PulleyJoint, PullsButDoesNotPush) {
  World world(awake_options({}));
  const BodyHandle a = add_weight(world, {-1, 0, 0}, 1), b = add_weight(world, {1, 0, 0}, 1);
  world.create_joint(
      make_pulley_joint_def(world, a, b, {-1, 0, 0}, {1, 0, 0}, {-1, 20, 0}, {1, 20, 0}, 1));
  world.set_velocity(a, {0, 2, 0}, {});
  run(world, 60);
  EXPECT_NEAR(world.pose(a).position.y, 2, 1e-4) << "the rope must be slack";
  EXPECT_EQ(world.linear_velocity(b), Vec3{});
}

TEST(PulleyJoint, MotorPullsItsLoadUp) {
  World world(awake_options(earth));
  const BodyHandle ground = add_anchor(world, {-1, 0, 0});
  const BodyHandle load = add_weight(world, {1, 0, 0}, 10);
  JointDef def =
      make_pulley_joint_def(world, ground, load, {-1, 0, 0}, {1, 0, 0}, {-1, 20, 0}, {1, 20, 0}, 1);
  def.motor = {true, -0.5f, 200};
  world.create_joint(def);
  run(world, 120);
  EXPECT_NEAR(world.linear_velocity(load).y, 0.5, 2e-3);
  EXPECT_NEAR(world.pose(load).position.y, 1, 0.02);
}

// --- bungees -----------------------------------------------------------------------------------

/// After half a period of the spring, the load has its initial speed in the opposite direction.
/// From here on it flies freely.
TEST(DistanceJoint, PullOnlySpringPullsOnlyBeyondItsRestLength) {
  World world(awake_options({}));
  const BodyHandle anchor = add_anchor(world, {});
  const BodyHandle load = add_weight(world, {1, 0, 0}, 2);
  JointDef def = make_distance_joint_def(world, anchor, load, {}, {1, 0, 0});
  def.spring = {.is_enabled = true, .hertz = 1, .damping_ratio = 0, .tension_only = true};
  world.create_joint(def);
  world.set_velocity(load, {1, 0, 0}, {});
  double farthest = 0;
  for (int i = 0; i < 30; ++i) {  // half a period
    world.step();
    farthest = std::max(farthest, world.pose(load).position.x);
  }
  EXPECT_NEAR(farthest, 1 + 1 / (2 * pi), 1e-3);
  EXPECT_NEAR(world.linear_velocity(load).x, -1, 2e-3);
  run(world, 45);
  EXPECT_NEAR(world.linear_velocity(load).x, -1, 2e-3) << "the spring must be slack";
  EXPECT_NEAR(world.pose(load).position.x, 0.25, 5e-3);
}

// --- servos ------------------------------------------------------------------------------------

/// x is the distance from the target after a step of the target, relative to the step: x =
/// e^(−ζωt)·(cos ω_d·t + ζω/ω_d·sin ω_d·t), ω_d = ω·√(1−ζ²). The first overshoot is
/// e^(−πζ/√(1−ζ²)), half a damped period after the step.
TEST(ServoJoint, ReachesItsTargetWithItsFrequencyAndDamping) {
  for (const float ratio : {0.2f, 0.5f}) {
    World world(awake_options({}));
    const BodyHandle ground = add_anchor(world, {0, -5, 0});
    const BodyHandle body = add_weight(world, {}, 2);
    const JointHandle servo = world.create_joint(make_servo_joint_def(
        world, ground, body, {}, {.hertz = 1, .damping_ratio = ratio}, 1e4f, 1e4f));
    math::Transform target = world.joint_def(servo).details->target;
    target.offset = target.offset + Vec3{0.3f, 0.4f, 0};
    target.rotation = math::from_axis_angle({0, 0, 1}, 0.5f);
    world.set_servo_target(servo, target);
    const double ring = std::sqrt(1 - double(ratio) * ratio), over = std::exp(-pi * ratio / ring);
    double farthest = 0, most = 0;
    int when = 0;
    for (int i = 1; i <= 90; ++i) {
      world.step();
      const Position p = world.pose(body).position;
      const double way = (p.x * 0.3 + p.y * 0.4) / 0.25;
      if (way > farthest) when = i;
      farthest = std::max(farthest, way);
      most = std::max(most, 2 * std::asin(double(world.pose(body).rotation.z)) / 0.5);
    }
    EXPECT_NEAR(farthest, 1 + over, 0.005) << ratio;
    EXPECT_NEAR(most, 1 + over, 0.01) << ratio;
    EXPECT_NEAR(when / 60.0, 0.5 / ring, 1.5 / 60) << ratio;
    run(world, 1200);
    EXPECT_LT(world.joint_state(servo).gap, 1e-4f);
    EXPECT_LT(world.joint_state(servo).lean, 1e-4f);
  }
}

/// The force towards the target is limited to max_force in every direction.
TEST(ServoJoint, LimitsItsForceInEveryDirection) {
  for (const Vec3 way : {Vec3{1, 0, 0}, Vec3{0.6f, 0.8f, 0}, Vec3{0.57735f, 0.57735f, 0.57735f}}) {
    World world(awake_options({}));
    const BodyHandle ground = add_anchor(world, {0, -5, 0});
    const BodyHandle body = add_weight(world, {}, 2);
    const JointHandle servo = world.create_joint(
        make_servo_joint_def(world, ground, body, {}, {.hertz = 5, .damping_ratio = 1}, 6, 0));
    world.set_servo_target(servo,
                           {world.joint_def(servo).details->target.offset + way * 100.0f, {}});
    run(world, 60);
    EXPECT_NEAR(dot(world.linear_velocity(body), way), 3, 0.01f);
    EXPECT_NEAR(length(world.joint_state(servo).force), 6, 0.01f);
  }
}

/// This is how a body is dragged with the mouse: a point of the body follows a target in the world.
TEST(ServoJoint, DragsAPointOfABodyToItsTarget) {
  World world(awake_options(earth));
  const BodyHandle ground = add_anchor(world, {});
  const BodyHandle body = add_weight(world, {}, 2);
  const Position corner{0.2, 0.25, 0.3};
  const JointHandle servo = world.create_joint(
      make_servo_joint_def(world, ground, body, corner, {.hertz = 5, .damping_ratio = 1}, 1000, 0));
  const Vec3 goal{1, 2, 3};
  world.set_servo_target(servo, {goal, {}});
  for (int i = 0; i < 900; ++i) {
    world.step();
    world.set_velocity(body, world.linear_velocity(body), world.angular_velocity(body) * 0.97f);
  }
  const Vec3 held =
      math::transform_point(world.pose(body), math::Vec3{0.2f, 0.25f, 0.3f}) - Position{};
  const double sag = g / (10 * pi * 10 * pi);
  EXPECT_NEAR(length(held - goal), sag, 5 * sag) << "the point sags by the weight of the body";
  EXPECT_NEAR(world.pose(body).position.x, 1, 0.02) << "the body must hang below the point";
}

// --- wheels ------------------------------------------------------------------------------------

/// Without damping, the suspension must follow x = v/ω·sin ωt with the initial speed v and the
/// angular frequency ω. The frequency applies to the mass on the spring, or to `sprung_mass` if it
/// is set.
TEST(WheelJoint, SuspensionFrequencyAppliesToTheSprungMass) {
  for (const float sprung : {0.0f, 80.0f}) {
    World world(awake_options({}));
    const BodyHandle road = add_anchor(world, {});
    const BodyHandle chassis = add_weight(world, {}, 20);
    JointDef def = make_wheel_joint_def(world, chassis, road, {}, {0, 1, 0}, {0, 0, 1});
    def.spring = {true, 1, 0};
    def.details.edit().sprung_mass = sprung;
    const JointHandle joint = world.create_joint(def);
    world.set_velocity(chassis, {0, -1, 0}, {});
    const double omega = 2 * pi * (sprung > 0 ? 2 : 1);  // √(80 kg/20 kg) = 2
    for (int i = 1; i <= 120; ++i) {
      world.step();
      EXPECT_NEAR(world.joint_state(joint).axes[0], std::sin(omega * i / 60) / omega, 2e-3) << i;
    }
  }
}

TEST(WheelJoint, SteersSpinsAndBrakes) {
  World world(awake_options({}));
  const BodyHandle ground = add_anchor(world, {});
  const BodyHandle wheel = add_weight(world, {}, 2);
  JointDef def = make_wheel_joint_def(world, ground, wheel, {}, {0, 1, 0}, {0, 0, 1});
  def.limits = {true, 0, 0};
  def.motor = {true, 5, 100};
  const JointHandle joint = world.create_joint(def);
  for (const float steer : {0.5f, -0.7f}) {
    world.set_wheel_steering(joint, steer);
    run(world, 60);
    const JointState state = world.joint_state(joint);
    EXPECT_NEAR(state.axes[3], steer, 1e-3f);
    EXPECT_NEAR(state.rates[5], 5, 0.01f);
    EXPECT_LT(state.lean, 1e-3f);
    const Vec3 axle{std::sin(steer), 0, std::cos(steer)};
    EXPECT_NEAR(dot(world.angular_velocity(wheel), axle), 5, 0.02f);
  }
  world.set_joint_motor(joint, {});
  world.set_wheel_brake(joint, 0.05f);
  const float before = world.joint_state(joint).rates[5];
  const float moment = world.inertia_local(wheel).cz.z;
  run(world, 30);
  EXPECT_NEAR(before - world.joint_state(joint).rates[5], 0.5f * 0.05f / moment, 0.01f);
  run(world, 600);
  EXPECT_NEAR(world.joint_state(joint).rates[5], 0, 1e-4f);
}

// --- motors ------------------------------------------------------------------------------------

/// The motor is at its force limit F and cancels most of the weight. The body must fall by y =
/// −½·(g − F/m)·t², which is small compared with the effect of either force alone.
TEST(SixDofJoint, WeakMotorLowersItsLoadWithTheRemainingAcceleration) {
  for (const float share : {0.5f, 0.99f}) {
    World world(awake_options(earth));
    const BodyHandle ground = add_anchor(world, {});
    const BodyHandle load = add_weight(world, {}, 2);
    JointDef def = make_six_dof_joint_def(world, ground, load, {}, {});
    set_axis(def, 1, JointFreedom::Free);
    def.details.edit().axes[1].motor = {true, 0, share * 2 * 9.81f};
    world.create_joint(def);
    run(world, 60);
    const double fallen = 0.5 * (1 - double(share)) * g;
    EXPECT_NEAR(world.pose(load).position.y, -fallen, 2e-3 * fallen) << share;
  }
}

TEST(GearJoint, MotorDrivesTheSumOfTheRotations) {
  World world(awake_options({}));
  const BodyHandle ground = add_anchor(world, {0, -5, 0});
  const BodyHandle a = add_wheel(world, ground, {0, 0, 0}, {0, 0, 1}, 2);
  const BodyHandle b = add_wheel(world, ground, {1, 0, 0}, {0, 0, 1}, 2);
  JointDef def = make_gear_joint_def(world, a, b, {0, 0, 1}, {0, 0, 1}, 2);
  def.motor = {true, 3, 50};
  world.create_joint(def);
  run(world, 60);
  const float wa = world.angular_velocity(a).z, wb = world.angular_velocity(b).z;
  EXPECT_NEAR(wa + 2 * wb, 3, 1e-3f);
  EXPECT_NEAR(wb, 2 * wa, 1e-3f) << "b has the same moment of inertia and twice the torque";
}

/// At a constant target velocity, the servo must follow with the same velocity and at most 2 cm
/// behind.
TEST(ServoJoint, FollowsAMovingTarget) {
  World world(awake_options({}));
  const BodyHandle ground = add_anchor(world, {});
  const BodyHandle body = add_weight(world, {}, 2);
  JointDef def =
      make_servo_joint_def(world, ground, body, {}, {.hertz = 3, .damping_ratio = 1}, 1e4f, 1e4f);
  def.details.edit().target_velocity = {1, 0, 0};
  const JointHandle servo = world.create_joint(def);
  math::Transform target = def.details->target;
  for (int i = 0; i < 120; ++i) {
    target.offset = target.offset + Vec3{1.0f / 60, 0, 0};
    world.set_servo_target(servo, target);
    world.step();
  }
  EXPECT_NEAR(world.linear_velocity(body).x, 1, 0.02f);
  EXPECT_NEAR(world.pose(body).position.x, 2, 0.02);
}

/// The locked rows of one joint are solved as a block. A motor that acts far from the body's
/// centre therefore leaves no error of position or rotation after one step.
TEST(SixDofJoint, IsSolvedExactlyInOneStepIfAlone) {
  World world(awake_options({}));
  const BodyHandle ground = add_anchor(world, {});
  const BodyHandle body = add_weight(world, {}, 2);
  JointDef def = make_six_dof_joint_def(world, ground, body, {0, 3, 1}, {});
  set_axis(def, 0, JointFreedom::Free);
  def.details.edit().axes[0].motor = {true, 2, 1e5f};
  const JointHandle joint = world.create_joint(def);
  world.step();
  EXPECT_NEAR(world.linear_velocity(body).x, 2, 1e-4f);
  EXPECT_LT(length(world.angular_velocity(body)), 1e-4f);
  EXPECT_LT(world.joint_state(joint).gap, 1e-6f);
  EXPECT_LT(world.joint_state(joint).lean, 1e-6f);
}

}  // namespace
}  // namespace jostle::physics
