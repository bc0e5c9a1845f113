#include "shared/sim/cars.h"

#include "shared/math/trig.h"
#include "shared/scene/builders.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/instantiate.h"
#include "shared/sim/simulation.h"

#include <gtest/gtest.h>

#include <cmath>

namespace jostle::sim {
namespace {

using math::Vec3;
using physics::JointState;
using scene::CarDef;

constexpr float g = 9.81f;

/// A car on a wide floor.
struct CarOnFloor {
  physics::World world;
  CarDef car;
  BuiltAssembly built;

  explicit CarOnFloor(const CarDef& def, float floor_friction = 1)
      : world([] {
          physics::WorldOptions options;
          options.is_sleeping_enabled = false;
          return options;
        }()),
        car(def) {
    physics::BodyDef floor;
    floor.motion = state::MotionType::Static;
    physics::ShapeDef shape;
    shape.shape = state::plane();
    shape.material.friction = floor_friction;
    world.add_shape(world.create_body(floor), shape);
    scene::CarBuild build;
    build.car = car;
    build.pose.position.y = standing_height(car);
    built = instantiate(world, scene::build_car(build));
  }
  physics::BodyHandle chassis() const { return built.bodies[0]; }
  void run(int steps, const CarControls& controls = {}) {
    for (int i = 0; i < steps; ++i) {
      control_car(world, chassis(), car, controls);
      world.step();
    }
  }
  float speed() const {
    return dot(world.linear_velocity(chassis()), rotate(world.pose(chassis()).rotation, {1, 0, 0}));
  }
  float whole_mass() const { return car.mass + 4 * car.wheel_mass; }
  /// Returns the effective mass that resists acceleration, which includes the rotational inertia of
  /// the wheels.
  float inert_mass() const {
    const float moment = world.inertia_local(built.bodies[1]).cz.z;
    return whole_mass() + 4 * moment / (car.wheel_radius * car.wheel_radius);
  }
};

TEST(Car, SpringsSagByGOverOmegaSquared) {
  for (const float hertz : {1.2f, 2.0f}) {
    CarDef def;
    def.suspension_hertz = hertz;
    CarOnFloor car(def);
    car.run(600);
    const float omega = 2 * math::pi * hertz, sag = g / (omega * omega);
    for (const physics::JointHandle wheel : car.built.joints) {
      const float pressed =
          car.world.joint_state(wheel).translation - car.world.joint_def(wheel).rest;
      EXPECT_NEAR(pressed, sag, 0.01f * sag) << hertz;
      EXPECT_LT(car.world.joint_state(wheel).gap, 5e-4f);
    }
    EXPECT_NEAR(car.world.pose(car.chassis()).position.y, standing_height(def), 0.005);
    const math::Position before = car.world.pose(car.chassis()).position;
    car.run(60);
    EXPECT_LT(length(car.world.pose(car.chassis()).position - before), 2e-4f) << "it stands still";
  }
}

/// The force F = τ/r must accelerate the effective mass, which includes the inertia of the wheels.
TEST(Car, AcceleratesByTorqueOverRadius) {
  CarDef def;
  def.drive_torque = 600;
  for (const scene::Drive drive : {scene::Drive::Rear, scene::Drive::Front, scene::Drive::All}) {
    def.drive = drive;
    CarOnFloor car(def);
    car.run(120);
    const float before = car.speed();
    car.run(180, {.throttle = 1});
    const float acceleration = def.drive_torque / def.wheel_radius / car.inert_mass();
    EXPECT_NEAR(car.speed() - before, 3 * acceleration, 0.03f * 3 * acceleration);
    EXPECT_NEAR(car.world.pose(car.chassis()).position.z, 0, 0.02) << "straight on";
  }
}

/// The torque exceeds what the tyres can transmit. All weight is on driven wheels, so the
/// acceleration is μ·g.
TEST(Car, WheelsSpinIfTheTorqueExceedsFriction) {
  CarDef def;
  def.drive = scene::Drive::All;
  def.drive_torque = 12000;
  def.max_speed = 100;
  CarOnFloor car(def, 0.25f);  // μ = √(1·¼)
  car.run(120);
  const float before = car.speed();
  car.run(120, {.throttle = 1});
  EXPECT_NEAR(car.speed() - before, 2 * 0.5f * g, 0.05f * g);
  const float spin = car.world.joint_state(car.built.joints[0]).rates[5];
  EXPECT_GT(spin * def.wheel_radius, 2 * car.speed());
}

TEST(Car, BrakesWithTheFrictionOfItsTyres) {
  CarDef def;
  def.brake_torque = 20000;    // locks the wheels
  CarOnFloor car(def, 0.36f);  // μ = 0.6
  for (const physics::BodyHandle body : car.built.bodies)
    car.world.set_velocity(body, {20, 0, 0}, {});
  for (std::size_t i = 1; i < 5; ++i)
    car.world.set_velocity(car.built.bodies[i], {20, 0, 0}, {0, 0, -20 / def.wheel_radius});
  car.run(60);
  const float before = car.speed();
  EXPECT_NEAR(before, 20, 0.1f) << "it rolls freely";
  car.run(60, {.brake = 1});
  EXPECT_NEAR(before - car.speed(), 0.6f * g, 0.04f * g);
  car.run(240, {.brake = 1});
  EXPECT_LT(std::abs(car.speed()), 0.02f) << "and stops";
}

/// At walking speed, where tyres hardly slip, the middle of the rear axle moves on a circle of
/// radius L/tan δ. L is the wheelbase and δ the steering angle.
TEST(Car, TurnsOnTheAckermannCircle) {
  for (const float steer : {0.25f, -0.5f}) {
    CarDef def;
    def.max_steer = 0.6f;
    CarOnFloor car(def);
    car.run(60);
    for (int i = 0; i < 240; ++i)
      car.run(1, {.throttle = car.speed() < 2 ? 0.3f : 0.0f, .steer = steer / def.max_steer});
    const float radius = def.wheelbase / std::tan(steer);
    double way = 0, turn = 0;
    for (int i = 0; i < 240; ++i) {
      car.run(1, {.throttle = car.speed() < 2 ? 0.3f : 0.0f, .steer = steer / def.max_steer});
      const math::Vec3 w = car.world.angular_velocity(car.chassis());
      const math::Position rear =
          transform_point(car.world.pose(car.chassis()), Vec3{-0.5f * def.wheelbase, 0, 0});
      const Vec3 v = car.world.velocity_at(car.chassis(), rear);
      way += static_cast<double>(dot(v, rotate(car.world.pose(car.chassis()).rotation, {1, 0, 0})));
      turn += static_cast<double>(w.y);
    }
    EXPECT_NEAR(way / turn, radius, 0.03 * std::abs(radius)) << steer;
    for (std::size_t i = 0; i < 2; ++i) {
      const auto angles = steer_angles(def, steer);
      EXPECT_NEAR(car.world.joint_state(car.built.joints[i]).axes[3],
                  i == 0 ? angles.left : angles.right, 3e-3f);
    }
  }
}

TEST(Car, AckermannAnglesMakeAllWheelsRollAboutOnePoint) {
  const CarDef car;
  for (const float steer : {0.1f, 0.4f, -0.55f}) {
    const scene::SteerAngles angles = steer_angles(car, steer);
    const float middle = car.wheelbase / std::tan(steer);
    EXPECT_NEAR(car.wheelbase / std::tan(angles.left), middle - car.track / 2, 1e-4f);
    EXPECT_NEAR(car.wheelbase / std::tan(angles.right), middle + car.track / 2, 1e-4f);
  }
}

// --- Cars of players ---

scene::SceneDef car_scene() {
  auto scene = scene::parse_scene(R"({"name": "t", "player": {"kind": "car"},
    "spawns": [{"position": [0, 0.7, 0]}, {"position": [0, 0.7, 9]}],
    "bodies": [{"name": "ground", "motion_type": "static", "shape": {"plane": {}}}]})",
                                  "t");
  EXPECT_TRUE(scene.has_value()) << (scene ? "" : scene.error().text());
  return *std::move(scene);
}

state::TickCommands commands(const Simulation& simulation, float x, float z) {
  state::TickCommands out;
  out.tick = simulation.tick() + 1;
  state::InputCommand input;
  input.player = state::PlayerId{1};
  input.input.move_x = x;
  input.input.move_z = z;
  out.commands.push_back(input);
  return out;
}

TEST(PlayerCar, FollowsThePlayersInputAndIsRemovedWithThePlayer) {
  Simulation simulation(car_scene(), SimulationOptions{60, 7}, default_rules());
  state::TickCommands join;
  join.tick = simulation.tick() + 1;
  join.commands.push_back(state::JoinCommand{state::PlayerId{1}, "ann"});
  simulation.step(join);
  EXPECT_EQ(simulation.world().body_count(), 6U);
  EXPECT_EQ(simulation.world().joint_count(), 4U);
  const auto place = [&] {
    for (const physics::BodyHandle body : simulation.world().bodies())
      if (simulation.world().mass(body) > 1000) return simulation.world().pose(body).position;
    return math::Position{};
  };
  for (int i = 0; i < 240; ++i)
    simulation.step(commands(simulation, 1, 0));
  EXPECT_GT(place().x, 5);
  EXPECT_NEAR(place().z, 0, 0.1);
  const double before = place().z;
  for (int i = 0; i < 240; ++i)
    simulation.step(commands(simulation, 0, 1));
  EXPECT_GT(place().z, before + 5) << "it has turned to the side";
  base::ByteWriter saved;
  simulation.save(saved);
  Simulation copy(car_scene(), SimulationOptions{60, 7}, default_rules());
  base::ByteReader reader(saved.bytes());
  ASSERT_TRUE(copy.restore(reader).has_value());
  for (int i = 0; i < 30; ++i) {
    simulation.step(commands(simulation, -1, 0));
    copy.step(commands(copy, -1, 0));
    ASSERT_EQ(copy.hash(), simulation.hash());
  }
  state::TickCommands leave;
  leave.tick = simulation.tick() + 1;
  leave.commands.push_back(state::LeaveCommand{state::PlayerId{1}});
  simulation.step(leave);
  EXPECT_EQ(simulation.world().body_count(), 1U);
  EXPECT_EQ(simulation.world().joint_count(), 0U);
}

// --- Other builders ---

TEST(Builders, RagdollHasItsMassAndFallsWithinItsJointLimits) {
  scene::RagdollDef def;
  def.height = 1.7f;
  def.mass = 60;
  def.pose.position.y = 0.5;
  physics::World world{physics::WorldOptions{}};
  physics::BodyDef floor;
  floor.motion = state::MotionType::Static;
  physics::ShapeDef plane;
  plane.shape = state::plane();
  world.add_shape(world.create_body(floor), plane);
  const BuiltAssembly doll = instantiate(world, scene::build_ragdoll(def));
  ASSERT_EQ(doll.bodies.size(), 13U);
  float mass = 0;
  for (const physics::BodyHandle body : doll.bodies)
    mass += world.mass(body);
  EXPECT_NEAR(mass, 60, 0.1f);
  world.set_velocity(doll.bodies[1], {2, 0, 1}, {0, 0, 1});
  float gap = 0;
  for (int i = 0; i < 600; ++i) {
    world.step();
    for (const physics::JointHandle joint : doll.joints) {
      const JointState state = world.joint_state(joint);
      const physics::JointDef& limits = world.joint_def(joint);
      gap = std::max(gap, state.gap);
      if (limits.cone.is_enabled) {
        EXPECT_LT(state.swing, limits.cone.angle + 0.15f);
      }
    }
  }
  EXPECT_LT(gap, 0.02f);
  for (const physics::JointHandle joint : doll.joints) {
    const physics::JointDef& limits = world.joint_def(joint);
    const JointState state = world.joint_state(joint);
    EXPECT_GT(state.angle, limits.limits.lower - 0.05f);
    EXPECT_LT(state.angle, limits.limits.upper + 0.05f);
    EXPECT_LT(state.gap, 2e-3f);
  }
  for (const physics::BodyHandle body : doll.bodies)
    EXPECT_LT(world.pose(body).position.y, 0.5) << "it lies on the ground";
}

TEST(Builders, ChainHangsFromItsEndsAndKeepsItsLength) {
  scene::ChainDef def;
  def.points = {{0, 0, 0}, {1, -1, 0}, {2, 0, 0}};
  def.count = 20;
  def.is_end_fixed = true;
  physics::World world{physics::WorldOptions{}};
  const scene::Assembly plan = scene::build_chain(def);
  ASSERT_EQ(plan.bodies.size(), 22U);
  ASSERT_EQ(plan.joints.size(), 21U);
  const BuiltAssembly chain = instantiate(world, plan);
  for (int i = 0; i < 600; ++i)
    world.step();
  double length = 0;
  for (std::size_t i = 1; i < 20; ++i) {
    length += math::length(world.pose(chain.bodies[i]).position -
                           world.pose(chain.bodies[i - 1]).position);
  }
  // The chain still swings, and bent links have closer centres.
  EXPECT_NEAR(length, 19 * 2 * std::sqrt(2.0) / 20, 0.06);
  for (const physics::JointHandle joint : chain.joints)
    EXPECT_LT(world.joint_state(joint).gap, 1e-3f);
}

// A level bridge between two posts cannot lengthen, so forces along it are nearly indeterminate.
// Impulses across the bridge must not cause large forces along it.
TEST(Builders, LevelBridgeStaysStableUnderImpulses) {
  scene::BridgeDef def;
  def.from = {-5.6, 4, 0};
  def.to = {5.6, 4, 0};
  def.count = 24;
  def.width = 1.2f;
  def.thickness = 0.06f;
  for (int blows = 0; blows < 24; ++blows) {
    SCOPED_TRACE(blows);
    const auto plank = static_cast<std::size_t>(4 + blows / 4 * 3);
    const math::Vec3 impulse{0, blows % 2 == 0 ? 200.0f : -200.0f, 0};
    const int every = blows % 4 < 2 ? 15 : 30;
    def.ball_joints = blows % 8 > 3;
    physics::World world{physics::WorldOptions{}};
    const BuiltAssembly bridge = instantiate(world, scene::build_bridge(def));
    for (int tick = 0; tick < 300; ++tick) {
      if (tick >= 30 && tick % every == 0 && tick < 30 + 6 * every) {
        const physics::BodyHandle body = bridge.bodies[plank];
        world.apply_impulse(body, impulse,
                            transform_point(world.pose(body), math::Vec3{0.2f, 0, 0.3f}));
      }
      world.step();
      for (const physics::JointHandle joint : bridge.joints)
        ASSERT_LT(world.joint_state(joint).gap, 1.5e-3f) << tick;
      for (const physics::BodyHandle body : bridge.bodies)
        ASSERT_LT(length(world.linear_velocity(body)), 20.0f) << tick;
    }
  }
}

TEST(Builders, BridgeCarriesAWeight) {
  for (const bool ball_joints : {false, true}) {
    scene::BridgeDef def;
    def.from = {0, 3, 0};
    def.to = {8, 3.5, 2};
    def.ball_joints = ball_joints;
    physics::World world{physics::WorldOptions{}};
    const BuiltAssembly bridge = instantiate(world, scene::build_bridge(def));
    EXPECT_EQ(bridge.bodies.size(), 14U);
    physics::BodyDef weight;
    weight.pose.position = {4, 4, 1};
    weight.mass = 100;
    const physics::BodyHandle body = world.create_body(weight);
    physics::ShapeDef shape;
    shape.shape = state::box({0.3f, 0.3f, 0.3f});
    world.add_shape(body, shape);
    for (int i = 0; i < 600; ++i)
      world.step();
    EXPECT_GT(world.pose(body).position.y, 2) << ball_joints;
    for (const physics::JointHandle joint : bridge.joints)
      EXPECT_LT(world.joint_state(joint).gap, 5e-4f) << ball_joints;
  }
}

}  // namespace
}  // namespace jostle::sim
