#include "tools/check/motion.h"

#include "tools/workload/scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace jostle::check {
namespace {

/// A scene of one dynamic sphere of 2 kg whose moment of inertia is 0.2 kg·m².
workload::Scene one_ball() {
  workload::Scene scene;
  workload::Shape ball;
  ball.radius = 0.5f;
  scene.shapes.push_back(ball);
  workload::Body body;
  body.position = {0, 10, 0};
  body.mass = 2;
  body.parts.push_back({0, {}});
  scene.bodies.push_back(body);
  return scene;
}

workload::BodyState at_height(float y, float speed, float spin = 0) {
  workload::BodyState state;
  state.position = {0, y, 0};
  state.linear_velocity = {0, speed, 0};
  state.angular_velocity = {spin, 0, 0};
  return state;
}

TEST(MotionWatch, FindsTheHighestSpeedAndTheRangeOfHeights) {
  const workload::Scene scene = one_ball();
  MotionWatch watch(scene);
  for (const workload::BodyState& state :
       {at_height(10, 0), at_height(4, -11), at_height(-1, -3), at_height(12, 5)})
    watch.observe({&state, 1});
  const MotionFigures figures = watch.figures();
  EXPECT_NEAR(figures.speed_max, 11, 1e-6);
  EXPECT_NEAR(figures.y_min, -1, 1e-6);
  EXPECT_NEAR(figures.y_max, 12, 1e-6);
  EXPECT_NEAR(figures.body_energy_max, 0.5 * 2 * 121, 1e-4);
}

TEST(MotionWatch, FindsTheRiseOfTheEnergyAboveItsMinimum) {
  const workload::Scene scene = one_ball();
  const double weight = 2 * 9.81;
  MotionWatch watch(scene);
  // Energies: 10 m; 0 m and 1 rad/s; 0 m and 6 m/s, which is a gain; 0.1 m.
  for (const workload::BodyState& state :
       {at_height(10, 0), at_height(0, 0, 1), at_height(0, 6), at_height(0.1f, 0)})
    watch.observe({&state, 1});
  const MotionFigures figures = watch.figures();
  EXPECT_NEAR(figures.energy_start, 10 * weight, 1e-3);
  EXPECT_NEAR(figures.energy_max, 10 * weight, 1e-3);
  EXPECT_NEAR(figures.energy_gain_max, 36 - 0.1, 1e-3);  // ½·0.2·1² = 0.1 J is the minimum
  EXPECT_NEAR(figures.energy_scale, 36 + 10 * weight + 0.001 * weight, 1e-3);
  EXPECT_NEAR(figures.energy_gain_share(), figures.energy_gain_max / figures.energy_scale, 1e-9);
}

TEST(MotionWatch, UsesTheCentreOfMassAndSkipsNonFiniteBodies) {
  workload::Scene scene = one_ball();
  scene.shapes[0].kind = workload::ShapeKind::Cone;
  scene.shapes[0].half_segment = 2;  // the centre of mass of a cone of 4 m is 1 m below its middle
  MotionWatch watch(scene);
  workload::BodyState state = at_height(5, 0);
  watch.observe({&state, 1});
  state.linear_velocity.x = std::numeric_limits<float>::infinity();
  watch.observe({&state, 1});
  EXPECT_NEAR(watch.figures().y_min, 4, 1e-5);
  EXPECT_NEAR(watch.figures().y_max, 4, 1e-5);
  EXPECT_EQ(watch.figures().speed_max, 0);
}

TEST(ConservesEnergy, IsFalseIfTheSceneDrivesBodies) {
  const workload::Scene plain = one_ball();
  EXPECT_TRUE(conserves_energy(plain));
  workload::Scene kinematic = plain;
  kinematic.bodies[0].motion = workload::Motion::Kinematic;
  EXPECT_FALSE(conserves_energy(kinematic));
  workload::Scene pushed = plain;
  pushed.pushes.emplace_back();
  EXPECT_FALSE(conserves_energy(pushed));
  workload::Scene jointed = plain;
  jointed.joints.emplace_back();
  EXPECT_TRUE(conserves_energy(jointed));
  jointed.joints[0].motor = workload::Motor{1, 1};
  EXPECT_FALSE(conserves_energy(jointed));
  jointed.joints[0].motor.reset();
  jointed.joints[0].spring = workload::Spring{1, 1};
  EXPECT_FALSE(conserves_energy(jointed));
  workload::Scene blown = plain;
  blown.has_force_fields = true;
  EXPECT_FALSE(conserves_energy(blown));
}

TEST(LowestFloor, IsTheLowestPointOfTheTerrain) {
  EXPECT_EQ(lowest_floor(*workload::make_scene("pyramid")), 0);
  workload::Scene scene;
  workload::Shape mesh;
  mesh.kind = workload::ShapeKind::Mesh;
  mesh.points = {{0, 1, 0}, {0, -3, 1}, {1, 2, 0}};
  scene.shapes.push_back(mesh);
  workload::Body ground;
  ground.motion = workload::Motion::Static;
  ground.position = {0, 0.5f, 0};
  ground.parts.push_back({0, {}});
  scene.bodies.push_back(ground);
  scene.arena.has_terrain = true;
  EXPECT_NEAR(lowest_floor(scene), -2.5, 1e-6);
}

}  // namespace
}  // namespace jostle::check
