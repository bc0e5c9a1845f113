#include "tools/bench/measurement.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

// Features that families use: every engine of a comparison must support them.

namespace jostle::bench {
namespace {

std::uint32_t add_box(workload::Scene& scene, workload::Motion motion, math::Vec3 half,
                      math::Vec3 position) {
  workload::Shape box;
  box.kind = workload::ShapeKind::Box;
  box.half_extents = half;
  workload::Body body;
  body.motion = motion;
  body.position = position;
  body.parts.push_back({static_cast<std::uint32_t>(scene.shapes.size()), {}});
  scene.shapes.push_back(box);
  scene.bodies.push_back(body);
  return static_cast<std::uint32_t>(scene.bodies.size() - 1);
}

class DrivenBodies : public testing::TestWithParam<bool> {
 protected:
  static EngineKind engine() { return GetParam() ? bullet_engine() : jostle_engine(); }

  void SetUp() override {
    if (engine().make == nullptr) GTEST_SKIP() << "this program was built without Bullet";
  }

  static Measurement run(const workload::Scene& scene, int steps) {
    MeasureOptions options;
    options.steps = steps;
    const std::array engines{engine()};
    Measurement measured = measure(scene, engines, options)[0];
    EXPECT_EQ(measured.failure, "");
    return measured;
  }
};

TEST_P(DrivenBodies, AreCarriedByKinematicBodies) {
  workload::Scene scene;
  const std::uint32_t plate = add_box(scene, workload::Motion::Kinematic, {2, 0.5f, 2}, {0, 1, 0});
  const std::uint32_t crate =
      add_box(scene, workload::Motion::Dynamic, {0.5f, 0.5f, 0.5f}, {0, 2, 0});
  state::KinematicMotion motion;
  motion.amplitude = {1.5f, 0, 0};
  motion.period = 8;
  scene.kinematic_motions.push_back({plate, {{0, 1, 0}, {}}, motion});
  const auto states = run(scene, 120).rounds[0].states;  // a quarter of the period
  EXPECT_NEAR(states[plate].position.x, 1.5f, 1e-3f);
  EXPECT_NEAR(states[crate].position.x, 1.5f, 0.2f);
  EXPECT_NEAR(states[crate].position.y, 2, 0.1f);
}

TEST_P(DrivenBodies, TurnWithTheSpeedOfTheirMotor) {
  workload::Scene scene;
  scene.gravity = {0, 0, 0};
  add_box(scene, workload::Motion::Static, {0.5f, 0.5f, 0.5f}, {0, 0, 0});
  add_box(scene, workload::Motion::Dynamic, {0.5f, 0.5f, 0.5f}, {0, 0, 2});
  workload::Joint joint;
  joint.kind = workload::JointKind::Hinge;
  joint.body_b = 1;
  joint.anchor = {0, 0, 2};
  joint.axis = {0, 0, 1};
  joint.motor = workload::Motor{3, 1e4f};
  scene.joints.push_back(joint);
  const auto states = run(scene, 60).rounds[0].states;
  EXPECT_NEAR(states[1].angular_velocity.z, 3, 0.05f);
}

TEST_P(DrivenBodies, BounceWithTheLargerRestitution) {
  workload::Scene scene;
  scene.restitution = 0.8f;
  add_box(scene, workload::Motion::Static, {5, 1, 5}, {0, -1, 0});
  workload::Shape ball;
  ball.radius = 0.25f;
  workload::Body body;
  body.position = {0, 2.25f, 0};
  body.parts.push_back({static_cast<std::uint32_t>(scene.shapes.size()), {}});
  scene.shapes.push_back(ball);
  scene.bodies.push_back(body);
  scene.warm_up_steps = 50;  // the ball touches the floor after 38 steps
  // It rises to 0.8² of its height.
  EXPECT_NEAR(run(scene, 30).observation.motion.y_max, 0.25 + 2 * 0.64, 0.15);
}

TEST_P(DrivenBodies, HaveTheDensityOfTheirParts) {
  workload::Scene scene;
  scene.gravity = {0, 0, 0};
  add_box(scene, workload::Motion::Dynamic, {0.5f, 0.5f, 0.5f}, {0, 0, 0});
  scene.bodies[0].parts[0].surface = workload::Surface{.density = 250};
  state::Push push;
  push.bodies = {0};
  state::ImpulsePush impulse;
  impulse.impulse = {500, 0, 0};
  push.kind = impulse;
  scene.pushes.push_back(push);
  EXPECT_NEAR(run(scene, 2).rounds[0].states[0].linear_velocity.x, 2, 1e-3f);
}

INSTANTIATE_TEST_SUITE_P(Engines, DrivenBodies, testing::Bool(),
                         [](const testing::TestParamInfo<bool>& is_bullet) {
                           return std::string(is_bullet.param ? "bullet" : "jostle");
                         });

}  // namespace
}  // namespace jostle::bench
