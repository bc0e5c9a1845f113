#include "tests/reference/worlds.h"

#include <gtest/gtest.h>

namespace jostle::reference {
namespace {

using namespace jostle::reference::testing;

TEST(ExtractSystem, PlacesJointsOfBodiesWithAnOffsetCentreOfMass) {
  World world(fine(1));
  const auto add_lopsided = [&](Position at, math::Quat rotation) {
    physics::ShapeDef shape = ghost({0.2f, 0.3f, 0.1f});
    const BodyHandle body = add_box(world, at, shape);
    shape.local.offset = {0.5f, 0.2f, -0.3f};
    world.add_shape(body, shape);
    world.set_pose(body, {at, math::normalized(rotation)});
    return body;
  };
  const BodyHandle a = add_lopsided({3, 2, 1}, {0.1f, 0.4f, -0.2f, 0.8f});
  const BodyHandle b = add_lopsided({4, 2, 1}, {0.5f, -0.3f, 0.1f, 0.6f});
  JointDef def = physics::make_joint_def(world, physics::JointKind::Ball, a, b, {3.6, 2.1, 0.7},
                                         {0.6f, 0, 0.8f});
  def.cone = {true, 0.7f};
  def.limits = {true, -0.25f, 0.5f};
  world.create_joint(def);
  const WorldReading reading = extract_system(world);
  const Joint& joint = reading.system.joints[0];
  EXPECT_GT(length(world.pose(a).position - world.centre_of_mass(a)), 0.1f);
  EXPECT_LT(distance(anchor_a_of(reading.system, joint), {3.6, 2.1, 0.7}), 1e-6);
  EXPECT_LT(distance(anchor_b_of(reading.system, joint), {3.6, 2.1, 0.7}), 1e-6);
  const Body& body = reading.system.bodies[index_of(reading, b)];
  EXPECT_LT(distance(to_world(body, joint.frame_b_local.cx), {0.6, 0, 0.8}), 1e-6);
  EXPECT_FLOAT_EQ(static_cast<float>(joint.cone_angle.value()), 0.7f);
  EXPECT_EQ(joint.limits->lower, -0.25);
  EXPECT_EQ(joint.limits->upper, 0.5);
}

TEST(ExtractSystem, GivesKinematicBodiesAnInverseMassOfZero) {
  World world(fine(1));
  const BodyHandle belt = scenes::add_body(world, MotionType::Kinematic, {}, ghost({1, 1, 1}));
  world.set_velocity(belt, {1, 2, 3}, {4, 5, 6});
  System system = extract_system(world).system;
  EXPECT_EQ(system.bodies[0].inverse_mass, 0);
  step(system, StepOptions{});
  EXPECT_EQ(system.bodies[0].linear_velocity, (Vec3d{1, 2, 3}));
  EXPECT_EQ(system.bodies[0].angular_velocity, (Vec3d{4, 5, 6}));
  EXPECT_NEAR(system.bodies[0].position.z, 3.0 / 60, 1e-15);
}

}  // namespace
}  // namespace jostle::reference
