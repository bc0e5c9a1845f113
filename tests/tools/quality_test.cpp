#include "tools/check/quality.h"

#include "tools/workload/body_state.h"
#include "tools/workload/detail/makers.h"
#include "tools/workload/scenes.h"

#include <gtest/gtest.h>

#include <limits>

namespace jostle::check {
namespace {

using workload::BodyState;
using workload::Scene;

std::vector<BodyState> at_rest(const Scene& scene) {
  std::vector<BodyState> states;
  for (const workload::Body& body : scene.bodies)
    states.push_back({body.position, body.rotation, {}, {}});
  return states;
}

TEST(Quality, CountsBodiesOutsideOrBelowTheFloor) {
  Scene scene;
  workload::add_pit(scene, 8, 10);
  const std::uint32_t sphere = workload::add_sphere(scene, 0.5f);
  for (int i = 0; i < 5; ++i)
    workload::add_dynamic(scene, sphere, {static_cast<float>(i), 1, 0});
  std::vector<BodyState> states = at_rest(scene);
  EXPECT_EQ(measure_quality(scene, states).dynamic_bodies, 5);
  EXPECT_EQ(measure_quality(scene, states).drift_max, 0);

  states[5].position.y = -0.25f;
  states[6].position.z = 8.25f;
  states[7].position.y = 0.25f;
  states[7].position.x += 3;
  states[8].rotation.w = std::numeric_limits<float>::infinity();
  const Quality quality = measure_quality(scene, states);
  EXPECT_EQ(quality.below_floor, 1);
  EXPECT_EQ(quality.outside, 1);
  EXPECT_EQ(quality.dropped, 2);
  EXPECT_EQ(quality.nonfinite, 1);
  EXPECT_DOUBLE_EQ(quality.drift_max, 8.25);
  // One of the three finite bodies inside the walls has moved horizontally, by 3 m.
  EXPECT_DOUBLE_EQ(quality.travel_mean, 1);
}

TEST(Quality, UsesTheTerrainSurfaceAsTheFloor) {
  const Scene scene = *workload::make_scene("mesh_terrain");
  std::vector<BodyState> states = at_rest(scene);
  EXPECT_EQ(measure_quality(scene, states).below_floor, 0);
  EXPECT_EQ(measure_quality(scene, states).outside, 0);
  // Two bodies are at vertices of the terrain. The centre of one is 1 cm below the surface, and the
  // centre of the other is 1 cm above it.
  const workload::Shape& terrain = scene.shapes[0];
  states[1].position = terrain.points[40'000] - math::Vec3{0, 0.01f, 0};
  states[2].position = terrain.points[50'000] + math::Vec3{0, 0.01f, 0};
  EXPECT_EQ(measure_quality(scene, states).below_floor, 1);
}

TEST(Quality, KineticEnergyUsesTheInertiaOfTheSolid) {
  Scene scene;
  workload::add_dynamic(scene, workload::add_box(scene, {0.5f, 1, 1.5f}), {});
  std::vector<BodyState> states = at_rest(scene);
  states[0].linear_velocity = {2, 0, 0};
  states[0].angular_velocity = {0, 1, 0};
  // The mass is 6,000 kg, and the moment of inertia about y is m/12·(1² + 3²) = 5,000 kg·m².
  const double expected = 0.5 * 6000 * 4 + 0.5 * 5000;
  EXPECT_NEAR(measure_quality(scene, states).kinetic_energy, expected, 1e-6 * expected);
}

TEST(Quality, IgnoresTheMotionOfBodiesOutsideTheArena) {
  const Scene scene = *workload::make_scene("mesh_terrain");
  std::vector<BodyState> states = at_rest(scene);
  states[1].linear_velocity = {0, -2, 0};
  const double one = measure_quality(scene, states).kinetic_energy;
  EXPECT_GT(one, 0);
  states[2].position = {1'000, -50, 0};
  states[2].linear_velocity = {0, -90, 0};
  EXPECT_EQ(measure_quality(scene, states).outside, 1);
  EXPECT_EQ(measure_quality(scene, states).kinetic_energy, one);
}

TEST(JointGaps, AreZeroAtTheStartAndGrowWithDisplacement) {
  for (const char* name : {"joint_grid", "ragdolls"}) {
    SCOPED_TRACE(name);
    const Scene scene = *workload::make_scene(name);
    std::vector<BodyState> states = at_rest(scene);
    EXPECT_LT(measure_joint_gaps(scene, states).largest, 1e-12);
    states[scene.joints[7].body_b].position.y += 0.25f;
    EXPECT_NEAR(measure_joint_gaps(scene, states).largest, 0.25, 1e-6);
  }
}

/// Returns the gap of `joint` between a ball at the origin and one at (1, 0, 0) that has moved to
/// `end`.
double gap_of(workload::Joint joint, math::Vec3 end) {
  Scene scene;
  const std::uint32_t sphere = workload::add_sphere(scene, 0.1f);
  workload::add_dynamic(scene, sphere, {});
  workload::add_dynamic(scene, sphere, {1, 0, 0});
  joint.body_b = 1;
  joint.anchor_b = {1, 0, 0};
  joint.axis = {1, 0, 0};
  scene.joints.push_back(joint);
  std::vector<BodyState> states = at_rest(scene);
  states[1].position = end;
  return measure_joint_gaps(scene, states).largest;
}

TEST(JointGaps, MeasureTheMotionThatEachKindForbids) {
  using workload::JointKind;
  for (const JointKind kind :
       {JointKind::Ball, JointKind::ConeTwist, JointKind::Hinge, JointKind::Fixed})
    EXPECT_NEAR(gap_of({.kind = kind}, {1.3f, 0.4f, 0}), 0.5, 1e-6);
  EXPECT_NEAR(gap_of({.kind = JointKind::Slider}, {1.3f, 0.4f, 0}), 0.4, 1e-6);
  EXPECT_NEAR(
      gap_of({.kind = JointKind::Slider, .limits = workload::Limits{-1, 0.1f}}, {1.3f, 0.4f, 0}),
      0.6, 1e-6);
  const auto distance = [](std::optional<workload::Limits> limits, float x) {
    return gap_of({.kind = JointKind::Distance, .limits = limits}, {x, 0, 0});
  };
  EXPECT_NEAR(distance({}, 1.25f), 0.25, 1e-6);
  EXPECT_NEAR(distance({}, 0.5f), 0.5, 1e-6);
  EXPECT_EQ(distance(workload::Limits{0, 2}, 1.5f), 0);
  EXPECT_NEAR(distance(workload::Limits{0, 2}, 2.5f), 0.5, 1e-6);
  EXPECT_NEAR(distance(workload::Limits{0.75f, 2}, 0.5f), 0.25, 1e-6);
  EXPECT_NEAR(gap_of({.kind = JointKind::Distance, .rest = 3.0f}, {1, 0, 0}), 2, 1e-6);
  EXPECT_EQ(gap_of({.kind = JointKind::Distance, .spring = workload::Spring{1, 0}}, {4, 0, 0}), 0);
  EXPECT_EQ(gap_of({.kind = JointKind::Ball, .break_force = 1}, {4, 0, 0}), 0);
}

}  // namespace
}  // namespace jostle::check
