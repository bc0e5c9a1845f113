// Light bodies between heavy ones (shared/physics/stabilizers/mass_ratios/squeezed_bodies.h).
#include "shared/geometry/surface.h"
#include "shared/math/trig.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

BodyHandle add_with_mass(World& world, const math::Pose& pose, const state::Shape& shape,
                         float mass) {
  BodyDef def;
  def.motion = MotionType::Dynamic;
  def.pose = pose;
  def.mass = mass;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, shape_def(shape));
  return body;
}

struct Strut {
  const char* name;
  state::Shape shape;
  float height;  // height of the centre of the lying body, m
  math::Quat rotation;
};

std::vector<Strut> struts() {
  const math::Quat lying = math::from_axis_angle({1, 0, 0}, 0.5f * math::pi);
  return {{"sphere", state::sphere(0.2f), 0.2f, {}},
          {"capsule", state::capsule(0.1f, 0.3f), 0.1f, lying},
          {"cylinder", state::cylinder(0.1f, 0.3f), 0.1f, lying}};
}

class SqueezedBody : public ::testing::TestWithParam<Strut> {};

TEST_P(SqueezedBody, IsNotPressedIntoTheGroundByAFallingTon) {
  World world(without_sleep());
  add_ground(world);
  const auto& [name, shape, height, rotation] = GetParam();
  const BodyHandle strut = add_with_mass(world, {{0, height, 0}, rotation}, shape, 1);
  const BodyHandle ton =
      add_with_mass(world, {{0.1, 3, 0}, {}}, state::box({0.6f, 0.3f, 0.6f}), 1000);
  const double energy = total_energy(world);
  double lowest = 1;
  for (int i = 0; i < 300; ++i) {
    world.step();
    lowest = std::min(lowest, world.centre_of_mass(strut).y);
    ASSERT_LT(total_energy(world), 1.001 * energy) << "step " << i;
  }
  EXPECT_GT(lowest, 0.7 * static_cast<double>(height));
  EXPECT_GT(world.centre_of_mass(ton).y, 0.299);
}

INSTANTIATE_TEST_SUITE_P(Struts, SqueezedBody, ::testing::ValuesIn(struts()),
                         [](const auto& strut) { return std::string(strut.param.name); });

/// Returns a mesh of two large triangles that face up.
state::Shape flat_mesh() {
  state::TriangleMesh mesh;
  mesh.vertices = {{-20, 0, -20}, {-20, 0, 20}, {20, 0, -20}, {20, 0, 20}};
  mesh.triangles = {{0, 1, 3}, {0, 3, 2}};
  return state::solid(geometry::share(std::move(mesh)));
}

TEST(MassRatio, LightLegOfAHeavyLoadIsNotPressedThroughAMesh) {
  for (const float mass : {10.0f, 100.0f, 1000.0f}) {
    SCOPED_TRACE(mass);
    World world(without_sleep());
    add_body(world, MotionType::Static, {}, shape_def(flat_mesh()));
    const BodyHandle leg =
        add_with_mass(world, {{0, 2, 0}, {}}, state::box({0.05f, 0.1f, 0.05f}), 1);
    const BodyHandle load =
        add_with_mass(world, {{0, 2.4, 0}, {}}, state::box({0.3f, 0.3f, 0.3f}), mass);
    JointDef joint;
    joint.body_a = leg;
    joint.body_b = load;
    joint.frame_a.offset = {0, 0.1f, 0};
    joint.frame_b.offset = {0, -0.3f, 0};
    world.create_joint(joint);
    const double energy = total_energy(world);
    for (int i = 0; i < 300; ++i) {
      world.step();
      ASSERT_GT(world.centre_of_mass(leg).y, 0) << "step " << i;
      ASSERT_LT(total_energy(world), 1.001 * energy) << "step " << i;
    }
    EXPECT_NEAR(world.centre_of_mass(load).y, 0.3, 0.25);
  }
}

}  // namespace
}  // namespace jostle::physics
