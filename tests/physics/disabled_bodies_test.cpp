#include "tests/physics/joint_scenes.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

const state::Shape small_box = state::box({0.5f, 0.5f, 0.5f});

bool is_reported(const World& world, BodyHandle body, bool is_awake) {
  return std::ranges::count(world.sleep_changes(), SleepChange{body, is_awake}) == 1;
}

TEST(DisabledBodies, KeepTheirState) {
  World world{WorldOptions{}};
  BodyDef def;
  def.pose = {{1, 5, 2}, normalized(math::Quat{0.1f, 0.2f, 0.3f, 0.9f})};
  def.linear_velocity = {3, -1, 2};
  def.angular_velocity = {1, 2, 3};
  def.user_data = 77;
  def.charge = 2;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(state::box({0.3f, 0.2f, 0.4f})));
  run(world, 10);
  const math::Pose pose = world.pose(body);
  const Vec3 linear = world.linear_velocity(body), angular = world.angular_velocity(body);
  world.set_enabled(body, false);
  EXPECT_FALSE(world.is_enabled(body));
  EXPECT_FALSE(world.is_awake(body));
  run(world, 50);
  EXPECT_EQ(world.pose(body), pose);
  EXPECT_EQ(world.linear_velocity(body), linear);
  EXPECT_EQ(world.angular_velocity(body), angular);
  EXPECT_EQ(world.user_data(body), 77U);
  EXPECT_EQ(world.charge(body), 2.0f);
  EXPECT_EQ(world.shapes(body).size(), 1U);
  EXPECT_EQ(world.stats().awake_bodies, 0U);
  EXPECT_EQ(world.body_count(), 1U);

  world.set_enabled(body, true);
  world.step();
  EXPECT_NE(world.pose(body), pose);
  EXPECT_NEAR(world.linear_velocity(body).x, linear.x, 1e-6f);
}

TEST(DisabledBodies, AreInvisibleToCollisionsAndQueries) {
  World world{WorldOptions{}};
  add_ground(world);
  for (const MotionType motion : {MotionType::Static, MotionType::Kinematic, MotionType::Dynamic}) {
    const double x = 4.0 * static_cast<double>(motion);
    const BodyHandle off = add_body(world, motion, {{x, 0.5, 0}, {}}, shape_def(small_box));
    run(world, 5);
    world.set_enabled(off, false);
    const BodyHandle falling = add_dynamic(world, {x, 2, 0}, small_box);
    run(world, 100);
    EXPECT_NEAR(world.pose(falling).position.y, 0.5, 0.01);
    world.destroy_body(falling);
    const Ray ray{{x, 5, 0}, {0, -4.9f, 0}};
    EXPECT_FALSE(world.cast_ray(ray, {}));
    EXPECT_FALSE(world.cast_shape({{state::sphere(0.2f), {{x, 5, 0}, {}}}, {0, -4.7f, 0}}, {}));
    EXPECT_FALSE(world.closest({state::sphere(0.1f), {{x, 0.5, 0}, {}}}, 0.2f, {}));
    const math::Aabb above_ground{{x - 1, 0.1, -1}, {x + 1, 2, 1}};
    EXPECT_TRUE(world.overlap_aabb(above_ground, {}).empty());
    world.set_enabled(off, true);
    EXPECT_EQ(world.overlap_aabb(above_ground, {}).size(), 1U);
    EXPECT_TRUE(world.cast_ray(ray, {}));
  }
}

TEST(DisabledBodies, PlaneSupportsNothing) {
  World world{WorldOptions{}};
  const BodyHandle ground = add_ground(world);
  const BodyHandle box = add_dynamic(world, {0, 0.5, 0}, small_box);
  run(world, 100);
  ASSERT_FALSE(world.is_awake(box));
  world.set_enabled(ground, false);
  world.step();
  EXPECT_EQ(world.contact_ends().size(), 1U);
  EXPECT_TRUE(is_reported(world, box, true));
  run(world, 20);
  EXPECT_LT(world.pose(box).position.y, 0.0);
  EXPECT_FALSE(world.cast_ray({{3, 1, 0}, {0, -2, 0}}, {}));
  world.set_pose(box, {{0, 1, 0}, {}});
  world.set_velocity(box, {}, {});
  world.set_enabled(ground, true);
  run(world, 100);
  EXPECT_NEAR(world.pose(box).position.y, 0.5, 0.01);
}

TEST(DisabledBodies, DisablingWakesBodiesOnTopAndEndsContacts) {
  World world{WorldOptions{}};
  add_ground(world);
  const BodyHandle low = add_dynamic(world, {0, 0.5, 0}, small_box);
  const BodyHandle high = add_dynamic(world, {0, 1.5, 0}, small_box);
  run(world, 100);
  ASSERT_FALSE(world.is_awake(low) || world.is_awake(high));
  world.set_enabled(low, false);
  EXPECT_TRUE(world.is_awake(high));
  EXPECT_TRUE(world.contacts().empty());
  world.step();
  EXPECT_EQ(world.contact_ends().size(), 2U);
  EXPECT_TRUE(is_reported(world, high, true));
  run(world, 100);
  EXPECT_NEAR(world.pose(high).position.y, 0.5, 0.01);
  EXPECT_NEAR(world.pose(low).position.y, 0.5, 0.01);
}

TEST(DisabledBodies, EnablingFindsContactsInTheNextStep) {
  World world{without_sleep()};
  const BodyHandle ground = add_ground(world);
  const BodyHandle box = add_dynamic(world, {0, 0.5, 0}, small_box);
  run(world, 5);
  for (const BodyHandle body : {box, ground}) {
    world.set_enabled(body, false);
    world.set_enabled(body, true);
    world.step();
    EXPECT_EQ(world.contact_ends().size(), 1U);
    EXPECT_EQ(world.contact_begins().size(), 1U);
    EXPECT_EQ(world.contacts().size(), 1U);
  }
}

TEST(DisabledBodies, SensorsReportDisablingAndEnabling) {
  World world{without_sleep()};
  ShapeDef zone = shape_def(state::box({1, 1, 1}));
  zone.is_sensor = true;
  zone.density = 0;
  const BodyHandle gate = add_body(world, MotionType::Kinematic, {}, zone);
  const ShapeHandle sensor = world.shapes(gate)[0];
  const BodyHandle visitor =
      add_body(world, MotionType::Kinematic, {}, shape_def(state::sphere(0.3f)));
  const ShapeHandle ball = world.shapes(visitor)[0];
  world.step();
  ASSERT_EQ(world.sensor_overlaps(sensor).size(), 1U);
  for (const BodyHandle body : {visitor, gate}) {
    world.set_enabled(body, false);
    world.step();
    ASSERT_EQ(world.sensor_ends().size(), 1U);
    EXPECT_EQ(world.sensor_ends()[0], (SensorEnd{sensor, ball}));
    EXPECT_TRUE(world.sensor_overlaps(sensor).empty());
    run(world, 3);
    EXPECT_TRUE(world.sensor_begins().empty());
    world.set_enabled(body, true);
    world.step();
    ASSERT_EQ(world.sensor_begins().size(), 1U);
    EXPECT_EQ(world.sensor_begins()[0], (SensorBegin{sensor, ball}));
  }
}

/// A ball that a joint connects to a hook 1 m beside it.
struct Pendulum {
  explicit Pendulum(World& world, JointKind kind) {
    hook = add_body(world, MotionType::Static, {{0, 5, 0}, {}}, shape_def(state::sphere(0.1f)));
    bob = add_dynamic(world, {1, 5, 0}, state::sphere(0.2f));
    joint =
        kind == JointKind::Distance
            ? world.create_joint(make_distance_joint_def(world, hook, bob, {0, 5, 0}, {1, 5, 0}))
            : world.create_joint(make_joint_def(world, kind, hook, bob, {0, 5, 0}, {0, 0, 1}));
  }
  BodyHandle hook, bob;
  JointHandle joint;
};

TEST(DisabledBodies, JointActsOnlyWhileBothBodiesAreEnabled) {
  for (const JointKind kind : {JointKind::Ball, JointKind::Hinge, JointKind::Distance}) {
    World world{without_sleep()}, free{without_sleep()};
    const Pendulum pendulum(world, kind);
    const BodyHandle twin = add_dynamic(free, {1, 5, 0}, state::sphere(0.2f));
    world.set_enabled(pendulum.hook, false);
    EXPECT_TRUE(world.is_alive(pendulum.joint));
    for (int i = 0; i < 20; ++i) {
      world.step();
      free.step();
      ASSERT_EQ(world.pose(pendulum.bob), free.pose(twin));
    }
    EXPECT_EQ(world.joint_state(pendulum.joint).force, Vec3{});
    world.set_pose(pendulum.bob, {{1, 5, 0}, {}});
    world.set_velocity(pendulum.bob, {}, {});
    world.set_enabled(pendulum.hook, true);
    run(world, 30);
    EXPECT_LT(world.joint_state(pendulum.joint).gap, 1e-3f);
    EXPECT_GT(length(world.joint_state(pendulum.joint).force), 1.0f);
  }
}

TEST(DisabledBodies, PendulumFallsAndIsCaughtAgainByItsHook) {
  World world{WorldOptions{}};
  const Pendulum pendulum(world, JointKind::Ball);
  world.set_pose(pendulum.bob, {{0, 4, 0}, math::from_axis_angle({0, 0, 1}, -math::pi / 2)});
  run(world, 600);
  ASSERT_FALSE(world.is_awake(pendulum.bob));
  world.set_enabled(pendulum.hook, false);
  EXPECT_TRUE(world.is_awake(pendulum.bob));
  run(world, 5);
  EXPECT_LT(world.linear_velocity(pendulum.bob).y, -0.5f);
  world.set_enabled(pendulum.hook, true);
  run(world, 60);
  EXPECT_LT(world.joint_state(pendulum.joint).gap, 1e-3f);
}

TEST(DisabledBodies, JointsAreDestroyedWithTheirBodies) {
  World world{WorldOptions{}};
  add_ground(world);
  const Pendulum first(world, JointKind::Ball), second(world, JointKind::Hinge);
  world.set_enabled(first.bob, false);
  world.destroy_body(first.bob);
  EXPECT_FALSE(world.is_alive(first.joint));
  world.set_enabled(second.bob, false);
  world.destroy_body(second.hook);
  EXPECT_FALSE(world.is_alive(second.joint));
  run(world, 3);
  world.set_enabled(second.bob, true);
  run(world, 3);
  // If both bodies are disabled, the joint acts again only after both have been enabled.
  const Pendulum third(world, JointKind::Ball);
  world.set_enabled(third.bob, false);
  world.set_enabled(third.hook, false);
  world.set_enabled(third.bob, true);
  world.step();
  EXPECT_EQ(world.joint_state(third.joint).force, Vec3{});
  world.set_enabled(third.hook, true);
  run(world, 30);
  EXPECT_LT(world.joint_state(third.joint).gap, 0.02f);
  world.destroy_joint(third.joint);
  EXPECT_EQ(world.joint_count(), 0U);
}

TEST(DisabledBodies, QuarantineOfTheOtherBodyDestroysTheirJoint) {
  World world{WorldOptions{}};
  const Pendulum pendulum(world, JointKind::Ball);
  world.set_enabled(pendulum.hook, false);
  world.apply_central_force(pendulum.bob, {3e38f, 0, 0});
  world.apply_central_force(pendulum.bob, {3e38f, 0, 0});
  world.step();
  ASSERT_TRUE(world.is_quarantined(pendulum.bob));
  EXPECT_EQ(world.joint_breaks().size(), 1U);
  // A quarantined body stays quarantined when it is disabled and enabled again.
  world.set_enabled(pendulum.bob, false);
  EXPECT_EQ(restored(saved(world)).hash(), world.hash());
  world.set_enabled(pendulum.bob, true);
  world.set_enabled(pendulum.hook, true);
  run(world, 2);
  EXPECT_TRUE(world.is_quarantined(pendulum.bob));
  EXPECT_EQ(world.stats().quarantined_bodies, 1U);
}

/// Adds a ground and 30 bodies of mixed shapes that fall on it and on each other.
std::vector<BodyHandle> add_heap(World& world) {
  add_ground(world);
  return add_mixed_rain(world, 30, 9);
}

// A body that is enabled again must behave exactly like a new body in its place. The comparison is
// bit-exact, because slots are reused last in, first out.
TEST(DisabledBodies, EnablingEqualsANewBodyBitExactly) {
  World switched{WorldOptions{}}, made{WorldOptions{}};
  const std::vector<BodyHandle> bodies = add_heap(switched);
  std::vector<BodyHandle> others = add_heap(made);
  run(switched, 90);
  run(made, 90);
  for (const std::size_t i : {3U, 11U, 17U}) {
    ASSERT_EQ(made.shapes(others[i]).size(), 1U);
    const ShapeDef shape = made.shape_def(made.shapes(others[i])[0]);
    BodyDef def;
    def.pose = made.pose(others[i]);
    def.linear_velocity = made.linear_velocity(others[i]);
    def.angular_velocity = made.angular_velocity(others[i]);
    switched.set_enabled(bodies[i], false);
    made.destroy_body(others[i]);
    others[i] = made.create_body(def);
    made.add_shape(others[i], shape);
    made.set_velocity(others[i], def.linear_velocity, def.angular_velocity);
    switched.set_pose(bodies[i], def.pose);
    switched.set_velocity(bodies[i], def.linear_velocity, def.angular_velocity);
    switched.set_enabled(bodies[i], true);
  }
  for (int step = 0; step < 300; ++step) {
    SCOPED_TRACE(step);
    switched.step();
    made.step();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      ASSERT_EQ(switched.pose(bodies[i]), made.pose(others[i]));
      ASSERT_EQ(switched.angular_velocity(bodies[i]), made.angular_velocity(others[i]));
    }
    ASSERT_EQ(switched.hash().contacts, made.hash().contacts);
  }
}

TEST(DisabledBodies, CanBeCreatedDisabled) {
  World world{WorldOptions{}};
  const BodyHandle ground = add_ground(world);
  BodyDef def;
  def.pose.position = {0, 0.5, 0};
  def.linear_velocity = {1, 0, 0};
  def.is_enabled = false;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(small_box));
  world.create_joint(make_joint_def(world, JointKind::Ball, ground, body, {0, 2, 0}, {1, 0, 0}));
  run(world, 10);
  EXPECT_TRUE(world.sleep_changes().empty());
  EXPECT_EQ(world.pose(body).position, def.pose.position);
  EXPECT_EQ(world.linear_velocity(body), def.linear_velocity);
  EXPECT_EQ(world.stats().candidate_pairs, 0U);
  const World copy = restored(saved(world));
  EXPECT_FALSE(copy.is_enabled(body));
  EXPECT_EQ(copy.hash(), world.hash());
  world.set_enabled(body, true);
  world.step();
  EXPECT_TRUE(is_reported(world, body, true));
  EXPECT_GT(length(world.joint_state(world.joints()[0]).force), 0.0f);
}

TEST(DisabledBodies, KeepNewPosesAndIgnoreForces) {
  World world{without_sleep()};
  BodyDef def;
  def.gravity_scale = 0;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(small_box));
  def.motion = MotionType::Kinematic;
  const BodyHandle platform = world.create_body(def);
  world.move_kinematic(platform, {{1, 0, 0}, {}});
  world.apply_central_force(body, {1e6f, 0, 0});
  world.set_enabled(body, false);
  world.set_enabled(platform, false);
  world.apply_central_force(body, {1e6f, 0, 0});
  world.apply_central_impulse(body, {1e6f, 0, 0});
  world.apply_angular_impulse(body, {1e6f, 0, 0});
  world.explode({.centre = {0, 0, 1}, .radius = 5, .impulse = 1e6f});
  world.move_kinematic(platform, {{7, 0, 0}, {}});
  world.set_pose(body, {{0, 3, 0}, {}});
  world.set_velocity(body, {0, 6, 0}, {});
  world.set_awake(body, true);
  EXPECT_FALSE(world.is_awake(body));
  run(world, 10);
  EXPECT_EQ(world.pose(body).position, (Position{0, 3, 0}));
  world.set_enabled(body, true);
  world.set_enabled(platform, true);
  world.step();
  EXPECT_NEAR(world.pose(body).position.y, 3.1, 1e-5);
  EXPECT_NEAR(world.pose(body).position.x, 0, 1e-9);
  EXPECT_EQ(world.pose(platform).position, Position{});
}

TEST(DisabledBodies, NeitherFeelNorExertFieldForces) {
  WorldOptions options = without_sleep();
  options.gravity = {};
  World world{options};
  const auto add = [&](double x, float charge) {
    const BodyHandle body = add_dynamic(world, {x, 0, 0}, state::sphere(0.1f));
    world.set_charge(body, charge);
    return body;
  };
  const BodyHandle bearer = add(-2, 0), charged = add(0, 1), partner = add(1, 1);
  world.create_force_field({forces::Charges{{50, 0.1f, 20, 2}}, {}});
  world.create_force_field({forces::Pole{{0, 0, 0}, {60, 0.1f, 20, 2}}, bearer});
  world.create_force_field({forces::Thrust{{100, 0, 0}, {}, {}, true}, bearer});
  world.set_enabled(bearer, false);
  world.set_enabled(partner, false);
  run(world, 20);
  EXPECT_EQ(world.linear_velocity(charged), Vec3{});
  EXPECT_EQ(world.linear_velocity(bearer), Vec3{});
  EXPECT_EQ(world.linear_velocity(partner), Vec3{});
  EXPECT_EQ(world.island(charged), std::vector{charged});
  EXPECT_TRUE(world.island(bearer).empty());
  EXPECT_EQ(restored(saved(world)).hash(), world.hash());
  // A new charge of a disabled body takes effect after it has been enabled.
  world.set_charge(partner, 2);
  world.set_charge(bearer, 1);
  world.set_enabled(partner, true);
  world.step();
  EXPECT_NE(world.linear_velocity(charged), Vec3{});
  EXPECT_NE(world.linear_velocity(partner), Vec3{});
  EXPECT_EQ(world.linear_velocity(bearer), Vec3{});
  world.set_enabled(bearer, true);
  world.step();
  EXPECT_NE(world.linear_velocity(bearer), Vec3{});
  EXPECT_EQ(world.island(charged), (std::vector{bearer, charged, partner}));
}

TEST(DisabledBodies, ParticlesPassThroughThem) {
  World world{WorldOptions{}};
  const BodyHandle shelf =
      add_body(world, MotionType::Static, {{0, 1, 0}, {}}, shape_def(state::box({1, 0.1f, 1})));
  ParticleSetDef def;
  def.collides = true;
  const ParticleSetHandle set = world.create_particle_set(def);
  Particle particle;
  particle.position = {0, 2, 0};
  ASSERT_TRUE(world.add_particle(set, particle));
  world.set_enabled(shelf, false);
  run(world, 60);
  EXPECT_LT(world.particles(set).positions[0].y, 0.5);
}

}  // namespace
}  // namespace jostle::physics
