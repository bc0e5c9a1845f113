#include "tools/bench/scene_file.h"

#include "shared/math/trig.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"
#include "tests/tools/file_scenes.h"
#include "tools/bench/figures.h"
#include "tools/bench/measurement.h"
#include "tools/workload/body_mass.h"

#include <gtest/gtest.h>

#include <array>
#include <ostream>
#include <string>
#include <string_view>

namespace jostle::bench {
namespace {

std::uint32_t index_of(const scene::SceneDef& scene, std::string_view name) {
  for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
    if (scene.bodies[i].name == name) return i;
  }
  ADD_FAILURE() << "no body " << name;
  return 0;
}

void expect_that_the_server_moves_it_the_same(const scene::SceneDef& file, int steps) {
  sim::Simulation simulation(file, {}, sim::default_rules());
  const workload::Scene scene = to_workload(file);
  rig::Rig rig = set_up(file, {});
  for (int step = 0; step < steps; ++step) {
    simulation.step({simulation.tick() + 1, {}});
    rig::step(scene, step, rig);
    ASSERT_EQ(rig.world.hash(), simulation.world().hash()) << "step " << step;
  }
}

TEST(SceneFile, MatchesTheServerSimulationBitForBit) {
  expect_that_the_server_moves_it_the_same(scene_of_everything(), 240);
}

TEST(SceneFile, ShippedScenesMatchTheServerSimulation) {
  for (const char* name : {"joints", "shapes", "dominoes", "cradle", "orbit", "magnets", "boats",
                           "particles", "integrators"}) {
    SCOPED_TRACE(name);
    expect_that_the_server_moves_it_the_same(shipped_scene(name), 120);
  }
}

Measurement measured(const scene::SceneDef& file, int threads) {
  MeasureOptions options;
  options.steps = 100;
  options.settings.threads = threads;
  const std::array engines{jostle_engine(file)};
  return measure(to_workload(file), engines, options).front();
}

TEST(SceneFile, HashDoesNotDependOnTheNumberOfThreads) {
  const scene::SceneDef file = scene_of_everything();
  const Measurement one = measured(file, 1), again = measured(file, 1), two = measured(file, 2);
  ASSERT_EQ(one.failure, "");
  EXPECT_EQ(one.rounds[0].hash, again.rounds[0].hash);
  EXPECT_EQ(one.rounds[0].hash, two.rounds[0].hash);

  sim::Simulation simulation(file, {}, sim::default_rules());
  for (int step = 0; step < 100; ++step)
    simulation.step({simulation.tick() + 1, {}});
  EXPECT_EQ(one.rounds[0].hash, simulation.world().hash().total);
}

TEST(SceneFile, JointsHoldDuringTheMeasurement) {
  const scene::SceneDef file = shipped_scene("joints");
  const Measurement run = measured(file, 1);
  ASSERT_EQ(run.failure, "");
  const Figures figures = summarise(to_workload(file), run, {});
  EXPECT_GT(figures.joint_gap_max, 0);
  EXPECT_LT(figures.joint_gap_max, 0.05);
  EXPECT_LE(figures.joint_gap_end, figures.joint_gap_max);
}

TEST(SceneFile, WorkloadHasAllPropertiesOfBodies) {
  const scene::SceneDef file = scene_of_everything();
  const workload::Scene scene = to_workload(file);
  ASSERT_EQ(scene.bodies.size(), file.bodies.size());
  EXPECT_EQ(scene.world->restitution_threshold, 0.5f);
  EXPECT_EQ(scene.world->sleep_seconds, 0.3f);
  const auto body = [&](std::string_view name) { return scene.bodies[index_of(file, name)]; };
  EXPECT_EQ(body("hammer").linear_damping, 0.1f);
  EXPECT_EQ(body("hammer").angular_damping, 0.2f);
  EXPECT_EQ(surface_of(scene, body("hammer").parts[0]).density, 600);
  EXPECT_EQ(surface_of(scene, body("hammer").parts[1]).density, 3000);
  EXPECT_EQ(surface_of(scene, body("hammer").parts[1]).friction, 0.2f);
  EXPECT_EQ(surface_of(scene, body("hammer").parts[1]).restitution, 0.4f);
  EXPECT_EQ(surface_of(scene, body("roller").parts[0]).rolling_resistance, 0.02f);
  EXPECT_EQ(surface_of(scene, body("roller").parts[0]).spinning_resistance, 0.01f);
  EXPECT_EQ(filter_of(body("ghost"), body("ghost").parts[0]), (workload::Filter{2, 1, -3}));
  EXPECT_EQ(body("balloon").gravity_scale, -0.1f);
  EXPECT_TRUE(body("upright").is_rotation_locked);
  EXPECT_FALSE(body("upright").is_sleep_allowed);
  EXPECT_FALSE(body("sleeper").is_awake);
  EXPECT_EQ(body("lift").motion, workload::Motion::Kinematic);
  ASSERT_EQ(scene.kinematic_motions.size(), 1U);
  EXPECT_EQ(scene.kinematic_motions[0].body, index_of(file, "lift"));
  EXPECT_EQ(scene.pushes, file.pushes);
}

TEST(SceneFile, WorkloadHasAllPropertiesOfJoints) {
  const workload::Scene scene = to_workload(scene_of_everything());
  ASSERT_EQ(scene.joints.size(), 5U);
  const workload::Joint &ball = scene.joints[0], &hinge = scene.joints[1], &rope = scene.joints[2];
  EXPECT_EQ(ball.kind, workload::JointKind::ConeTwist);
  EXPECT_NEAR(*ball.cone, 60 * math::pi / 180, 1e-6f);
  EXPECT_NEAR(ball.limits->lower, -20 * math::pi / 180, 1e-6f);
  EXPECT_NEAR(hinge.limits->upper, 80 * math::pi / 180, 1e-6f);
  EXPECT_NEAR(*hinge.rest, 20 * math::pi / 180, 1e-6f);
  EXPECT_EQ(hinge.spring->hertz, 2);
  EXPECT_EQ(hinge.spring->damping_ratio, 0.3f);
  EXPECT_FALSE(hinge.motor);
  EXPECT_EQ(rope.kind, workload::JointKind::Distance);
  EXPECT_EQ(rope.limits->lower, 0.5f);
  EXPECT_EQ(rope.anchor_b, (math::Vec3{-6, 4.6f, 0}));
  EXPECT_TRUE(rope.do_bodies_collide);
  EXPECT_EQ(scene.joints[3].motor->speed, 0.5f);
  EXPECT_EQ(scene.joints[3].motor->max_force, 2000);
  EXPECT_EQ(scene.joints[4].break_force, 700);
  EXPECT_EQ(scene.joints[4].break_torque, 400);
}

// The checker and the engine compute the mass with different code, so the test compares their
// results.
TEST(BodyMass, EqualsTheMassOfTheEngine) {
  const scene::SceneDef file = scene_of_everything();
  const workload::Scene scene = to_workload(file);
  const rig::Rig rig = set_up(file, {});
  for (const char* name : {"hammer", "rock", "cone", "upright", "roller", "crate_3"}) {
    SCOPED_TRACE(name);
    const std::uint32_t i = index_of(file, name);
    const physics::BodyHandle handle = rig.bodies[i];
    const workload::BodyMass mass = workload::mass_of(scene, scene.bodies[i]);
    const double engine_mass = static_cast<double>(rig.world.mass(handle));
    EXPECT_NEAR(mass.mass / engine_mass, 1, 1e-5);
    const math::Vec3 centre =
        math::inverse_transform_point(rig.world.pose(handle), rig.world.centre_of_mass(handle));
    EXPECT_LT(length(centre - math::to_vec3(mass.centre)), 1e-5f);
    if (scene.bodies[i].is_rotation_locked) continue;
    const math::Mat3 inertia = rig.world.inertia_local(handle);
    for (int column = 0; column < 3; ++column) {
      math::Vec3 unit;
      (column == 0 ? unit.x : column == 1 ? unit.y : unit.z) = 1;
      const math::Vec3 expected = inertia * unit;
      const auto c = static_cast<std::size_t>(column);
      const double size = mass.inertia[0][0] + mass.inertia[1][1] + mass.inertia[2][2];
      EXPECT_NEAR(mass.inertia[0][c], static_cast<double>(expected.x), 1e-4 * size);
      EXPECT_NEAR(mass.inertia[1][c], static_cast<double>(expected.y), 1e-4 * size);
      EXPECT_NEAR(mass.inertia[2][c], static_cast<double>(expected.z), 1e-4 * size);
    }
  }
}

/// A case in which two engines must move a body in the same way, without gravity: by one joint,
/// motor, actuator or kinematic motion, or by the body's initial velocity.
struct PeerCase {
  const char* name;
  std::string fields;  // fields of the scene; the body is named "b"
  float tolerance;     // tolerance of the pose, m and rad
};

std::ostream& operator<<(std::ostream& out, const PeerCase& row) {
  return out << row.name;
}

class Peers : public testing::TestWithParam<PeerCase> {};

TEST_P(Peers, JostleAndBulletMoveABodyAlike) {
  if (!bullet_engine().make) GTEST_SKIP() << "built without Bullet";
  const scene::SceneDef file = scene_of(R"("world": {"gravity": [0, 0, 0]}, )" + GetParam().fields);
  const workload::Scene scene = to_workload(file);
  MeasureOptions options;
  options.steps = 40;
  const auto both = measure(scene, std::array{jostle_engine(file), bullet_engine()}, options);
  ASSERT_EQ(both[0].failure + both[1].failure, "");
  const std::uint32_t body = index_of(file, "b");
  const workload::BodyState ours = both[0].rounds[0].states[body];
  const workload::BodyState theirs = both[1].rounds[0].states[body];
  const workload::Body& start = scene.bodies[body];
  const float moved = length(ours.position - start.position) +
                      length(to_rotation_vector(conjugate(start.rotation) * ours.rotation));
  EXPECT_GT(moved, 2 * GetParam().tolerance) << "nothing to compare";
  EXPECT_LT(length(ours.position - theirs.position), GetParam().tolerance);
  EXPECT_LT(length(to_rotation_vector(conjugate(ours.rotation) * theirs.rotation)),
            GetParam().tolerance);
}

std::string two_boxes(const std::string& joint, const std::string& velocity) {
  return R"("bodies": [{"name": "a", "motion_type": "static", "shape": {"box": {"size": [1, 1, 1]}}},
    {"name": "b", "position": [2, 0, 0], "shape": {"box": {"size": [1, 0.8, 0.6]}})" +
         velocity + R"(}], "joints": [{"body_a": "a", "body_b": "b", "anchor": [1, 0, 0], )" +
         joint + "}]";
}

const std::string turning = R"(, "angular_velocity": [0, 0, 2], "linear_velocity": [0, 2, 0])";
const std::string turning_back =
    R"(, "angular_velocity": [0, 0, -2], "linear_velocity": [0, -2, 0])";
const std::string leaving = R"(, "linear_velocity": [2, 0, 0])";

const PeerCase peer_cases[] = {
    {"HingeMotor",
     two_boxes(R"("kind": "hinge", "axis": [0, 0, 1], "motor_speed": 1, "max_motor_force": 1e6)",
               ""),
     0.05f},
    {"HingeUpperLimit",
     two_boxes(R"("kind": "hinge", "axis": [0, 0, 1], "lower": -80, "upper": 20)", turning), 0.1f},
    {"HingeLowerLimit",
     two_boxes(R"("kind": "hinge", "axis": [0, 0, 1], "lower": -20, "upper": 80)", turning_back),
     0.1f},
    {"HingeSpring",
     two_boxes(R"("kind": "hinge", "axis": [0, 0, 1], "spring_hertz": 0.5,
                  "spring_damping_ratio": 0.5, "rest": 40)",
               ""),
     0.1f},
    {"SliderMotor", two_boxes(R"("kind": "slider", "motor_speed": 1, "max_motor_force": 1e6)", ""),
     0.05f},
    {"SliderLimit", two_boxes(R"("kind": "slider", "lower": -5, "upper": 0.5)", leaving), 0.2f},
    {"SliderSpring",
     two_boxes(R"("kind": "slider", "spring_hertz": 0.5, "spring_damping_ratio": 0.5, "rest": 1)",
               ""),
     0.1f},
    {"TwistLimit",
     two_boxes(R"("kind": "ball", "lower": -70, "upper": 20)",
               R"(, "angular_velocity": [2, 0, 0])"),
     0.15f},
    {"Rod",
     two_boxes(R"("kind": "distance", "anchor_b": [2, 0, 0])", R"(, "linear_velocity": [0, 1, 0])"),
     0.05f},
    {"Rope", two_boxes(R"("kind": "distance", "anchor_b": [2, 0, 0], "upper": 1.5)", leaving),
     0.15f},
    {"DistanceSpring",
     two_boxes(R"("kind": "distance", "anchor_b": [2, 0, 0], "spring_hertz": 0.5, "rest": 2)", ""),
     0.1f},
    {"DistanceMotor",
     two_boxes(R"("kind": "distance", "anchor_b": [2, 0, 0], "lower": 0.2, "motor_speed": 1,
                  "max_motor_force": 1e6)",
               ""),
     0.05f},
    {"KinematicMotion",
     R"("bodies": [{"name": "b", "motion_type": "kinematic", "shape": {"sphere": {"radius": 1}},
      "kinematic_motion": {"amplitude": [1, 2, 0], "period": 3, "angular_velocity": [0, 1, 0]}}])",
     1e-4f},
    {"Drifting",
     R"("bodies": [{"name": "b", "motion_type": "kinematic", "linear_velocity": [1, 0, 0],
      "angular_velocity": [0, 1, 0], "shape": {"sphere": {"radius": 1}}}])",
     1e-3f},
    {"ImpulseAtAPoint", R"("bodies": [{"name": "b", "shape": {"box": {"size": [1, 1, 1]}}}],
      "actuators": [{"body": "b", "impulse": [0, 600, 0], "point": [0.5, 0, 0], "interval": 0.25}])",
     0.01f},
    {"Velocity", R"("bodies": [{"name": "b", "shape": {"box": {"size": [1, 1, 1]}}}],
      "actuators": [{"body": "b", "velocity": {"amplitude": [1, 2, 0], "period": [2, 3, 1]}}])",
     0.01f},
    {"Follow", R"("bodies": [{"name": "b", "shape": {"box": {"size": [1, 1, 1]}}}],
      "actuators": [{"body": "b", "follow": {"centre": [4, 1, 0], "stiffness": 20, "damping": 6,
                                          "max_acceleration": 30}}])",
     0.02f},
    {"CompoundOffItsOrigin",
     R"("bodies": [{"name": "b", "angular_velocity": [0.3, 0, 2], "linear_damping": 0.2,
      "angular_damping": 0.4, "linear_velocity": [1, 0, 0], "shapes": [
      {"box": {"size": [2, 0.2, 0.2]}, "position": [1, 0, 0]},
      {"cone": {"radius": 0.4, "height": 1}, "position": [2, 0.4, 0]}]}])",
     0.05f},
};

INSTANTIATE_TEST_SUITE_P(Joined, Peers, testing::ValuesIn(peer_cases),
                         [](const testing::TestParamInfo<PeerCase>& row) {
                           return row.param.name;
                         });

TEST(SceneFile, HasNoWorkloadIfOtherEnginesLackItsJoints) {
  scene::SceneDef file = scene_of_everything();
  EXPECT_TRUE(has_workload(file));
  scene::SceneJoint joint;
  joint.kind = scene::JointKind::Gear;
  joint.body_b = 1;
  file.joints.push_back(joint);
  EXPECT_FALSE(has_workload(file));
  file.joints.back().kind = scene::JointKind::Distance;
  EXPECT_TRUE(has_workload(file));
  file.joints.back().tension_only = true;
  EXPECT_FALSE(has_workload(file));
}

}  // namespace
}  // namespace jostle::bench
