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

std::vector<BodyState> at_start(const Scene& scene) {
  std::vector<BodyState> states;
  for (const workload::Body& body : scene.bodies)
    states.push_back({body.position, body.rotation, {}, {}});
  return states;
}

TEST(Quality, CountsBodiesThatLeftOrFellThrough) {
  Scene scene;
  workload::add_pit(scene, 8, 10);
  const std::uint32_t sphere = workload::add_sphere(scene, 0.5f);
  for (int i = 0; i < 5; ++i)
    workload::add_dynamic(scene, sphere, {static_cast<float>(i), 1, 0});
  std::vector<BodyState> states = at_start(scene);
  EXPECT_EQ(measure_quality(scene, states).dynamic_bodies, 5);
  EXPECT_EQ(measure_quality(scene, states).drift_max, 0);

  states[5].position.y = -0.25f;
  states[6].position.z = 8.25f;
  states[7].position.y = 0.25f;
  states[8].rotation.w = std::numeric_limits<float>::infinity();
  const Quality quality = measure_quality(scene, states);
  EXPECT_EQ(quality.below_floor, 1);
  EXPECT_EQ(quality.outside, 1);
  EXPECT_EQ(quality.dropped, 2);
  EXPECT_EQ(quality.nonfinite, 1);
  EXPECT_DOUBLE_EQ(quality.drift_max, 8.25);
}

TEST(Quality, FloorOfATerrainIsItsSurface) {
  const Scene scene = *workload::make_scene("mesh_terrain");
  std::vector<BodyState> states = at_start(scene);
  EXPECT_EQ(measure_quality(scene, states).below_floor, 0);
  EXPECT_EQ(measure_quality(scene, states).outside, 0);
  // Of the terrain's own corners one is 1 cm above a body's centre, one 1 cm below.
  const workload::Shape& terrain = scene.shapes[0];
  states[1].position = terrain.points[40'000] - math::Vec3{0, 0.01f, 0};
  states[2].position = terrain.points[50'000] + math::Vec3{0, 0.01f, 0};
  EXPECT_EQ(measure_quality(scene, states).below_floor, 1);
}

TEST(Quality, KineticEnergyIsThatOfTheSolid) {
  Scene scene;
  workload::add_dynamic(scene, workload::add_box(scene, {0.5f, 1, 1.5f}), {});
  std::vector<BodyState> states = at_start(scene);
  states[0].linear_velocity = {2, 0, 0};
  states[0].angular_velocity = {0, 1, 0};
  // m = 6,000 kg, I_y = m/12·(1² + 3²) kg·m².
  const double expected = 0.5 * 6000 * 4 + 0.5 * 5000;
  EXPECT_NEAR(measure_quality(scene, states).kinetic_energy, expected, 1e-6 * expected);
}

TEST(JointGaps, AreZeroAtTheStartAndGrowWithABody) {
  for (const char* name : {"joint_grid", "ragdolls"}) {
    SCOPED_TRACE(name);
    const Scene scene = *workload::make_scene(name);
    std::vector<BodyState> states = at_start(scene);
    EXPECT_LT(measure_joint_gaps(scene, states).largest, 1e-12);
    states[scene.joints[7].body_b].position.y += 0.25f;
    EXPECT_NEAR(measure_joint_gaps(scene, states).largest, 0.25, 1e-6);
  }
}

}  // namespace
}  // namespace jostle::check
