#include "shared/reference/read_world.h"
#include "tests/physics/scenes.h"
#include "tests/reference/systems.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::reference {
namespace {

using namespace jostle::reference::testing;
namespace scenes = jostle::physics::testing;
using math::Position;
using physics::BodyHandle;
using physics::JointDef;
using physics::JointHandle;
using physics::MotionType;
using physics::World;

/// Steps `share` times finer than by default, and no sleep.
physics::WorldOptions fine(int share) {
  physics::WorldOptions options;
  options.is_sleeping_enabled = false;
  options.step_seconds = 1.0f / (60.0f * static_cast<float>(share));
  return options;
}
double step_of(const World& world) {
  return static_cast<double>(world.options().step_seconds);
}

physics::ShapeDef box_shape(math::Vec3 half, float friction) {
  physics::ShapeDef def = scenes::shape_def(state::box(half));
  def.material.friction = friction;
  return def;
}
physics::ShapeDef ghost(math::Vec3 half) {
  physics::ShapeDef def = scenes::shape_def(state::box(half));
  def.filter.mask = 0;
  return def;
}
BodyHandle add_box(World& world, Position at, const physics::ShapeDef& shape) {
  return scenes::add_body(world, MotionType::Dynamic, {at, {}}, shape);
}
BodyHandle add_anchor(World& world) {
  return scenes::add_body(world, MotionType::Static, {}, ghost({0.05f, 0.05f, 0.05f}));
}

/// What the points of one view carry together, and where: N and m.
struct Load {
  double force = 0;
  Vec3d centre;
};
Load load_of(const physics::ContactView& view, double step_seconds) {
  Load load;
  for (int i = 0; i < view.point_count; ++i) {
    const physics::ContactPointView& point = view.points[static_cast<std::size_t>(i)];
    const double force = static_cast<double>(point.normal_impulse) / step_seconds;
    const Position at = point.position;
    load.force += force;
    load.centre = load.centre + Vec3d{at.x, at.y, at.z} * force;
  }
  if (load.force > 0) load.centre = load.centre * (1 / load.force);
  return load;
}
/// The same of the reference, by view.
std::vector<Load> loads_of(const WorldReading& reading, const StepReport& report) {
  std::vector<Load> loads;
  std::size_t contact = 0;
  for (const physics::ContactView& view : reading.contacts) {
    Load load;
    for (int i = 0; i < view.point_count; ++i, ++contact) {
      const double force = report.normal_forces[contact];
      load.force += force;
      load.centre =
          load.centre + stand_of(reading.system, reading.system.contacts[contact]).point * force;
    }
    if (load.force > 0) load.centre = load.centre * (1 / load.force);
    loads.push_back(load);
  }
  return loads;
}

/// At rest the forces are those of balance, whatever the method. What remains of the reference: it
/// lets a gap of s metres close within the step, which costs up to m·s/h² of force for each body of
/// the mass m that moves with it, and its solver leaves w of speed, m·w/h. And of the engine: its
/// floats, a millionth of the weight.
double rest_tolerance(const WorldReading& reading, const StepReport& report, double h) {
  double widest = 0, mass = 0;
  for (std::size_t i = 0; i < reading.system.contacts.size(); ++i) {
    if (report.normal_forces[i] == 0) continue;
    widest = std::max(widest, stand_of(reading.system, reading.system.contacts[i]).separation);
  }
  for (const Body& body : reading.system.bodies) {
    if (body.inverse_mass > 0) mass += 1 / body.inverse_mass;
  }
  return mass * (widest / (h * h) + report.residual / h + 1e-6 * g);
}

/// Of this world's step, with overlaps left alone: the engine answers them by springs, which at
/// rest bear, where the reference would push.
StepOptions options_for(const World& world) {
  StepOptions options;
  options.step_seconds = step_of(world);
  options.baumgarte = 0;
  options.solver.tolerance = 1e-6;
  return options;
}

TEST(Engine, StacksThreeBoxesAsTheReferenceDoes) {
  World world(fine(1));
  scenes::add_ground(world);
  for (int i = 0; i < 3; ++i) {
    // Not one straight above the other, so that the centres of pressure are no symmetry.
    add_box(world, {0.1 * i, 0.25 + 0.5 * i, -0.05 * i},
            box_shape({0.4f - 0.05f * static_cast<float>(i), 0.25f, 0.4f}, 0.6f));
  }
  scenes::run(world, 240);
  const WorldReading reading = read_world(world);
  ASSERT_EQ(reading.contacts.size(), 3U);
  System system = reading.system;
  const StepReport report = step(system, options_for(world));
  ASSERT_TRUE(report.has_converged) << report.residual;
  const double tolerance = rest_tolerance(reading, report, step_of(world));
  EXPECT_LT(tolerance, 0.1) << "N, of 8240";
  const std::vector<Load> loads = loads_of(reading, report);
  for (std::size_t i = 0; i < 3; ++i) {
    SCOPED_TRACE(i);
    const Load engine = load_of(reading.contacts[i], step_of(world));
    EXPECT_NEAR(engine.force, loads[i].force, tolerance);
    EXPECT_LT(distance(engine.centre, loads[i].centre), 1e-5);
  }
  for (const Body& body : system.bodies)
    EXPECT_LT(length(body.linear_velocity), 1e-5);
}

TEST(Engine, PressesABoxAgainstAWallAsTheReferenceDoes) {
  World world(fine(1));
  const physics::ShapeDef slick = box_shape({2, 0.5f, 2}, 0);
  const auto add_static = [&](Position at) {
    scenes::add_body(world, MotionType::Static, {at, {}}, slick);
  };
  add_static({0, -0.5, 0});    // the floor's top at 0
  add_static({-2.5, 0.6, 0});  // walls at −0.5 and 0.5, a little above the floor
  add_static({2.5, 0.6, 0});
  const BodyHandle box = add_box(world, {0, 0.3, 0}, box_shape({0.49f, 0.3f, 0.4f}, 0));
  const float push = 2000;
  // Off the middle, so that floor and wall share the moment.
  const auto apply = [&] { world.apply_force(box, {push, 0, 0}, {0, 0.4, 0}); };
  for (int i = 0; i < 240; ++i) {
    apply();
    world.step();
  }
  const WorldReading reading = read_world(world);
  System system = reading.system;
  Body& body = system.bodies[index_of(reading, box)];
  const Vec3d force{static_cast<double>(push), 0, 0};
  body.force = body.force + force;
  body.torque = cross(Vec3d{0, 0.4, 0} - body.position, force);
  const StepReport report = step(system, options_for(world));
  ASSERT_TRUE(report.has_converged) << report.residual;
  const std::vector<Load> loads = loads_of(reading, report);
  ASSERT_EQ(loads.size(), 2U) << "the floor and one wall";
  const double tolerance = rest_tolerance(reading, report, step_of(world));
  EXPECT_LT(tolerance, 1) << "N, of 2000 and 4614";
  // How floor and wall share the moment, statics leave open; together they bear all of it.
  Vec3d moment_of_engine, moment_of_reference;
  for (std::size_t i = 0; i < 2; ++i) {
    SCOPED_TRACE(i);
    const physics::ContactView& view = reading.contacts[i];
    const Load engine = load_of(view, step_of(world));
    EXPECT_NEAR(engine.force, loads[i].force, tolerance);
    const double side = world.body_of(view.b) == box ? 1 : -1;
    const Vec3d out = math::widened(view.normal) * side;
    const Vec3d centre = reading.system.bodies[index_of(reading, box)].position;
    moment_of_engine = moment_of_engine + cross(engine.centre - centre, out * engine.force);
    moment_of_reference =
        moment_of_reference + cross(loads[i].centre - centre, out * loads[i].force);
  }
  EXPECT_LT(distance(moment_of_reference, -body.torque), tolerance);
  // The engine keeps points until bodies have moved past each other by half a millimetre.
  const double arm = 5e-4;
  EXPECT_LT(distance(moment_of_engine, moment_of_reference),
            arm * (loads[0].force + loads[1].force));
}

TEST(Engine, SlowsASlidingBoxAsTheReferenceDoes) {
  for (const double direction : {0.0, 0.5, 2.0}) {
    SCOPED_TRACE(direction);
    World world(fine(1));
    scenes::add_ground(world, {0.36f, 0});
    const BodyHandle box = add_box(world, {0, 0.1, 0}, box_shape({0.4f, 0.1f, 0.4f}, 0.36f));
    scenes::run(world, 30);
    world.set_velocity(box,
                       {2 * static_cast<float>(std::cos(direction)), 0,
                        2 * static_cast<float>(std::sin(direction))},
                       {});
    for (int i = 0; i < 30; ++i) {
      const WorldReading reading = read_world(world);
      System system = reading.system;
      step(system, options_for(world));
      world.step();
      const Body& expected = system.bodies[index_of(reading, box)];
      // Friction takes 0.059 m/s in a step. It also shifts the load to the front, where the
      // engine's contacts give way first and then bear it, while the reference's are rigid: within
      // the first steps it nods by up to a twentieth of that.
      const double tolerance = i < 12 ? 5e-3 : 1e-4;
      ASSERT_LT(distance(expected.linear_velocity, math::widened(world.linear_velocity(box))),
                tolerance)
          << "step " << i;
      ASSERT_LT(distance(expected.angular_velocity, math::widened(world.angular_velocity(box))),
                tolerance)
          << "step " << i;
    }
    // It stops after 34 steps, and stays.
    scenes::run(world, 30);
    System system = read_world(world).system;
    step(system, options_for(world));
    EXPECT_LT(length(world.linear_velocity(box)), 1e-5f);
    EXPECT_LT(length(system.bodies[1].linear_velocity), 1e-5);
  }
}

/// How all bodies move at a moment.
struct Motion {
  std::vector<Vec3d> positions, velocities, turns;
};
Motion motion_of(const System& system) {
  Motion motion;
  for (const Body& body : system.bodies) {
    motion.positions.push_back(body.position);
    motion.velocities.push_back(body.linear_velocity);
    motion.turns.push_back(body.angular_velocity);
  }
  return motion;
}
/// first·(1 − share) + second·share
Motion mixed(const Motion& first, const Motion& second, double share) {
  Motion motion = first;
  const auto mix = [share](std::vector<Vec3d>& into, const std::vector<Vec3d>& other) {
    for (std::size_t i = 0; i < into.size(); ++i)
      into[i] = into[i] * (1 - share) + other[i] * share;
  };
  mix(motion.positions, second.positions);
  mix(motion.velocities, second.velocities);
  mix(motion.turns, second.turns);
  return motion;
}
/// The largest difference of any position (m) or velocity (m/s, rad/s).
double difference(const Motion& a, const Motion& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.positions.size(); ++i) {
    worst =
        std::max({worst, distance(a.positions[i], b.positions[i]),
                  distance(a.velocities[i], b.velocities[i]), distance(a.turns[i], b.turns[i])});
  }
  return worst;
}

/// Makes a world of steps that are `share` times finer.
using MakeWorld = World (*)(int share);

Motion engine_motion(MakeWorld make, int share, int ticks) {
  World world = make(share);
  scenes::run(world, ticks * share);
  return motion_of(read_world(world).system);
}
Motion reference_motion(MakeWorld make, int share, int ticks) {
  const World world = make(share);
  System system = read_world(world).system;
  StepOptions options = options_for(world);
  options.solver.tolerance = 1e-8;
  for (int i = 0; i < ticks * share; ++i) {
    EXPECT_TRUE(step(system, options).has_converged);
  }
  return motion_of(system);
}

/// Both end where the equations of motion lead, as far as their steps let them, and half the step
/// tells how far that is. The reference is of first order: 2·x(h/2) − x(h) is of second
/// (Richardson), and what that still changes is more than what is left. The engine is between first
/// and second order, as its passes over several joints end before they agree: where half the step
/// leaves two thirds of the error at most, that is no more than twice the change. It is compared at
/// its own step and half of it, since floats gain nothing from finer ones. `most` says that the
/// test tells something.
void expect_same_motion(MakeWorld make, int ticks, double most) {
  const Motion engine = engine_motion(make, 2, ticks);
  const double engine_change = difference(engine, engine_motion(make, 1, ticks));
  const Motion coarse = reference_motion(make, 16, ticks),
               middle = reference_motion(make, 32, ticks),
               finest = reference_motion(make, 64, ticks);
  const Motion limit = mixed(middle, finest, 2);
  const double reference_change = difference(mixed(coarse, middle, 2), limit);
  const double tolerance = 2 * engine_change + reference_change;
  EXPECT_LT(tolerance, most);
  EXPECT_LT(difference(engine, limit), tolerance);
}

World chain_of_three(int share) {
  World world(fine(share));
  BodyHandle above = add_anchor(world);
  for (int i = 0; i < 3; ++i) {
    const BodyHandle link = add_box(world, {0.25 + 0.5 * i, 0, 0}, ghost({0.25f, 0.04f, 0.06f}));
    world.create_joint(physics::joint_at(world, physics::JointKind::Ball, above, link,
                                         {0.5 * i, 0, 0}, {0, 0, 1}));
    above = link;
  }
  world.set_velocity(above, {0, 0, 1}, {0, -1, 0});
  return world;
}
TEST(Engine, SwingsAChainOfThreeAsTheReferenceDoes) {
  expect_same_motion(chain_of_three, 20, 4e-3);
}

World motor_lifts_arm(int share) {
  World world(fine(share));
  const BodyHandle anchor = add_anchor(world);
  const BodyHandle arm = add_box(world, {0, -0.5, 0}, ghost({0.05f, 0.5f, 0.05f}));
  JointDef def = physics::joint_at(world, physics::JointKind::Hinge, anchor, arm, {}, {0, 0, 1});
  def.motor = {true, 3, 80};  // of 49 N·m that the level arm weighs
  def.limits = {true, -1, 1.2f};
  world.create_joint(def);
  return world;
}
TEST(Engine, LiftsAnArmByAMotorAsTheReferenceDoes) {
  expect_same_motion(motor_lifts_arm, 20, 1e-3);
}

TEST(Engine, HoldsAMotorByALimitAsTheReferenceDoes) {
  World world = motor_lifts_arm(1);
  const JointHandle hinge = world.joints().front();
  scenes::run(world, 240);
  const physics::JointState state = world.joint_state(hinge);
  EXPECT_NEAR(state.angle, 1.2f, 1e-3f);
  System system = read_world(world).system;
  const StepReport report = step(system, options_for(world));
  const Wrench expected = report.joint_wrenches[0];
  // Statics: both hold the weight of 98 N at the lever of the arm. A ten-thousandth is left of the
  // arm's motion, and of what the limit's overlap turns it by within the step.
  EXPECT_LT(distance(math::widened(state.force), expected.force), 3e-4 * length(expected.force));
  EXPECT_LT(distance(math::widened(state.torque), expected.torque), 3e-4 * length(expected.torque));
  EXPECT_NEAR(expected.torque.z, 98.1 * 0.5 * std::sin(1.2), 0.02);
}

World bob_on_spring(int share) {
  World world(fine(share));
  const BodyHandle anchor = add_anchor(world);
  const BodyHandle bob = add_box(world, {1, 0, 0}, ghost({0.1f, 0.1f, 0.1f}));
  JointDef def = physics::distance_between(world, anchor, bob, {}, {1, 0, 0});
  def.spring = {true, 2, 0.2f};
  world.create_joint(def);
  world.set_velocity(bob, {1, 0, 1}, {});
  return world;
}
TEST(Engine, SwingsABobOnASpringAsTheReferenceDoes) {
  expect_same_motion(bob_on_spring, 30, 1e-3);
}

TEST(Engine, HangsABobOnASpringAsTheReferenceDoes) {
  World world(fine(1));
  const BodyHandle anchor = add_anchor(world);
  const BodyHandle bob = add_box(world, {0, -1, 0}, ghost({0.1f, 0.1f, 0.1f}));
  JointDef def = physics::distance_between(world, anchor, bob, {}, {0, -1, 0});
  def.spring = {true, 2, 0.7f};
  const JointHandle spring = world.create_joint(def);
  scenes::run(world, 600);
  System system = read_world(world).system;
  const Vec3d expected = step(system, options_for(world)).joint_wrenches[0].force;
  // Of the same length the two springs pull alike but for (ω·h)² of a substep, by which poles that
  // match in time miss the stiffness at rest.
  const double angle = 4 * pi * step_of(world) / world.options().substeps;
  const Vec3d force = math::widened(world.joint_state(spring).force);
  EXPECT_LT(distance(force, expected), angle * angle * length(expected));
  EXPECT_NEAR(force.y, static_cast<double>(world.mass(bob)) * g, 1e-3);
}

class EngineJoint : public ::testing::TestWithParam<physics::JointKind> {};

/// A joint's force is the mean over a step: of the reference, that of the multipliers before and
/// after, but for the curve between, of second order in the step.
TEST_P(EngineJoint, PullsAsTheMultipliersSay) {
  World world(fine(8));
  const BodyHandle anchor = add_anchor(world);
  const BodyHandle body = add_box(world, {0.6, 0, 0}, ghost({0.5f, 0.1f, 0.2f}));
  JointDef def = physics::joint_at(world, GetParam(), anchor, body, {}, {0, 0.6f, 0.8f});
  if (def.kind == physics::JointKind::Distance) {
    def = physics::distance_between(world, anchor, body, {}, {0.2, 0.1, 0});
  }
  const JointHandle joint = world.create_joint(def);
  if (GetParam() != physics::JointKind::Fixed && GetParam() != physics::JointKind::Slider) {
    const math::Vec3 turn{0, 1.8f, 2.4f};
    world.set_velocity(body, cross(turn, math::Vec3{0.6f, 0, 0}), turn);
  }
  const auto multipliers = [&] {
    const System system = read_world(world).system;
    const auto solved = solve_multipliers(system, 0);
    EXPECT_TRUE(solved);
    return joint_wrench(system, *solved, 0);
  };
  double worst_force = 0, worst_torque = 0, largest = 0;
  for (int i = 0; i < 240; ++i) {
    const Wrench before = multipliers();
    world.step();
    const Wrench after = multipliers();
    const physics::JointState state = world.joint_state(joint);
    const Vec3d force = (before.force + after.force) * 0.5;
    worst_force = std::max(worst_force, distance(math::widened(state.force), force));
    worst_torque = std::max(
        worst_torque, distance(math::widened(state.torque), (before.torque + after.torque) * 0.5));
    largest = std::max(largest, length(force));
  }
  // Seven radians a second at most, a 480th of a second: (ω·h)² is 2e-4.
  EXPECT_GT(largest, 600);
  EXPECT_LT(worst_force, 5e-4 * largest);
  EXPECT_LT(worst_torque, 5e-4 * largest);
}
INSTANTIATE_TEST_SUITE_P(Kinds, EngineJoint,
                         ::testing::Values(JointKind::Ball, JointKind::Hinge, JointKind::Slider,
                                           JointKind::Fixed, JointKind::Distance));

}  // namespace
}  // namespace jostle::reference
