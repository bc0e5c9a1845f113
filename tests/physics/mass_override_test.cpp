// Mass properties of a body that replace those of its shapes.
#include "shared/geometry/mass_properties.h"
#include "shared/math/trig.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;
using geometry::is_inertia;
using math::diagonal;
using math::Mat3;

TEST(IsInertia, AcceptsOnlyMomentsThatABodyCanHave) {
  EXPECT_TRUE(is_inertia(diagonal({1, 1, 1})));
  EXPECT_TRUE(is_inertia(diagonal({1, 2, 1})));  // a hoop: one moment is the sum of the others
  EXPECT_FALSE(is_inertia(diagonal({1, 2.01f, 1})));
  EXPECT_FALSE(is_inertia(diagonal({0, 1, 1})));
  EXPECT_FALSE(is_inertia(diagonal({-1, 1, 1})));
  EXPECT_FALSE(is_inertia(math::zero_matrix()));
  EXPECT_FALSE(is_inertia(diagonal({NAN, 1, 1})));
  EXPECT_FALSE(is_inertia(diagonal({INFINITY, 1, 1})));
  EXPECT_TRUE(is_inertia(diagonal({1e-10f, 2e-10f, 2e-10f})));
  EXPECT_TRUE(is_inertia({{2, 0.5f, 0}, {0.5f, 2, 0}, {0, 0, 2}}));
  EXPECT_FALSE(is_inertia({{2, 0.5f, 0}, {0.4f, 2, 0}, {0, 0, 2}}));  // not symmetric
  EXPECT_FALSE(is_inertia({{2, 1.9f, 0}, {1.9f, 2, 0}, {0, 0, 2}}));  // 3.9 > 0.1 + 2
}

TEST(MassOverride, ReplacesTheMassPropertiesOfTheShapes) {
  World world(without_sleep());
  BodyDef def;
  def.mass = 5;
  def.inertia = Mat3{{2, 0.3f, 0}, {0.3f, 1.5f, 0.1f}, {0, 0.1f, 1}};
  def.centre_of_mass = Vec3{0.2f, -0.1f, 0};
  def.pose.position = {1, 2, 3};
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(state::box({0.5f, 0.5f, 0.5f})));
  EXPECT_EQ(world.mass(body), 5.0f);
  EXPECT_EQ(world.inertia_local(body), *def.inertia);
  EXPECT_NEAR(world.centre_of_mass(body).x, 1.2, 1e-6);
  EXPECT_NEAR(world.centre_of_mass(body).y, 1.9, 1e-6);
  EXPECT_NEAR(world.pose(body).position.x, 1, 1e-6);
  // more shapes do not change the mass properties
  world.add_shape(body, shape_def(state::sphere(2)));
  EXPECT_EQ(world.inertia_local(body), *def.inertia);
  EXPECT_NEAR(world.centre_of_mass(body).x, 1.2, 1e-6);
}

TEST(MassOverride, CentreOfMassAloneKeepsTheInertiaOfTheShapes) {
  World world(without_sleep());
  BodyDef def;
  def.mass = 6;
  def.centre_of_mass = Vec3{0, -0.4f, 0};
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(state::box({0.5f, 0.5f, 0.5f})));
  EXPECT_NEAR(world.inertia_local(body).cx.x, 1, 1e-5f);  // 6·1²/6
  EXPECT_NEAR(world.centre_of_mass(body).y, -0.4, 1e-6);
}

TEST(MassOverride, BallWithALowCentreOfMassRightsItself) {
  World world(without_sleep());
  add_ground(world, {0.8f, 0, 0.01f});
  BodyDef def;
  def.mass = 2;
  def.centre_of_mass = Vec3{0, -0.3f, 0};
  def.angular_damping = 1;
  def.pose = {{0, 0.5, 0}, math::from_axis_angle({0, 0, 1}, 1.5f)};
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(state::sphere(0.5f)));
  run(world, 900);
  EXPECT_GT(rotate(world.pose(body).rotation, {0, 1, 0}).y, 0.99f);
}

TEST(MassOverride, IsSavedAndHashed) {
  const auto make = [](float moment, float low, bool has_centre) {
    World world(without_sleep());
    BodyDef def;
    def.mass = 2;
    def.inertia = diagonal({1, moment, 1});
    if (has_centre) def.centre_of_mass = Vec3{0, low, 0};
    def.angular_velocity = {1, 5, 0.3f};
    world.add_shape(world.create_body(def), shape_def(state::sphere(0.5f)));
    run(world, 3);
    return world;
  };
  World world = make(1.5f, -0.1f, true);
  EXPECT_NE(world.hash(), make(1.6f, -0.1f, true).hash());
  EXPECT_NE(world.hash(), make(1.5f, -0.2f, true).hash());
  EXPECT_NE(make(1.5f, 0, true).hash(), make(1.5f, 0, false).hash());
  const auto bytes = saved(world);
  World copy{WorldOptions{}};
  base::ByteReader reader(bytes);
  ASSERT_TRUE(copy.restore(reader).has_value());
  EXPECT_EQ(copy.hash(), world.hash());
  run(world, 30);
  run(copy, 30);
  EXPECT_EQ(copy.hash(), world.hash());
}

}  // namespace
}  // namespace jostle::physics
