#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace jostle::scene {
namespace {

std::string with_joint(const std::string& fields) {
  return scene_with(R"("bodies": [
    {"name": "a", "motion_type": "static", "shape": {"sphere": {"radius": 1}}},
    {"name": "b", "shape": {"sphere": {"radius": 1}}},
    {"name": "c", "motion_type": "static", "shape": {"sphere": {"radius": 1}}}],
    "joints": [{)" + fields +
                    "}]");
}
const std::string hinge = R"("kind": "hinge", "body_a": "a", "body_b": "b", "anchor": [1, 2, 3])";
const std::string ball = R"("kind": "ball", "body_a": "a", "body_b": "b", "anchor": [1, 2, 3])";

TEST(SceneJoints, ReadAnglesAsRadiansAndNormaliseAxes) {
  const SceneDef scene = parsed(
      with_joint(hinge + R"(, "axis": [0, 2, 0], "lower": -90, "upper": 180, "motor_speed": 2,
                  "max_motor_force": 5, "collide_connected": true)"));
  ASSERT_EQ(scene.joints.size(), 1U);
  const SceneJoint& joint = scene.joints[0];
  EXPECT_EQ(joint.kind, JointKind::Hinge);
  EXPECT_EQ(joint.body_a, 0U);
  EXPECT_EQ(joint.body_b, 1U);
  EXPECT_EQ(joint.anchor, (math::Position{1, 2, 3}));
  EXPECT_EQ(joint.axis, (math::Vec3{0, 1, 0}));
  EXPECT_TRUE(joint.has_limits);
  EXPECT_NEAR(joint.lower, -1.5708, 1e-4);
  EXPECT_NEAR(joint.upper, 3.14159, 1e-4);
  EXPECT_EQ(joint.motor_speed, 2.0f);
  EXPECT_TRUE(joint.collide_connected);
}

TEST(SceneJoints, ErrorsStateTheirPath) {
  const auto why = [](const std::string& fields) { return refusal(with_joint(fields)); };
  EXPECT_EQ(why(R"("kind": "hinge", "body_a": "a", "body_b": "x", "anchor": [0, 0, 0])"),
            "test.scene.json: joints[0].body_b: no body is named \"x\"; accepted are \"a\", \"b\" "
            "and \"c\"");
  EXPECT_EQ(why(R"("kind": "hinge", "body_a": "a", "body_b": "bb", "anchor": [0, 0, 0])"),
            "test.scene.json: joints[0].body_b: no body is named \"bb\"; accepted are \"a\", \"b\" "
            "and \"c\"");
  EXPECT_EQ(why(R"("kind": "hinge", "body_a": "a", "body_b": "c", "anchor": [0, 0, 0])"),
            "test.scene.json: joints[0].body_b: body_a or body_b must be dynamic");
  EXPECT_EQ(why(R"("kind": "ball", "body_a": "b", "body_b": "b", "anchor": [0, 0, 0])"),
            "test.scene.json: joints[0].body_b: is the same as body_a; a joint needs two different "
            "bodies");
  EXPECT_EQ(why(R"("body_a": "a", "body_b": "b", "anchor": [0, 0, 0])"),
            "test.scene.json: joints[0].kind: is missing");
  EXPECT_EQ(why(hinge + R"(, "cone_angle": 20)"),
            "test.scene.json: joints[0].cone_angle: only a ball joint has a cone");
  EXPECT_EQ(why(hinge + R"(, "lower": 20, "upper": 10)"),
            "test.scene.json: joints[0].upper: must not be below lower");
  EXPECT_EQ(why(hinge + R"(, "motor_speed": 1)"),
            "test.scene.json: joints[0].max_motor_force: is missing; a motor requires it");
  EXPECT_EQ(
      why(ball + R"(, "motor_speed": 1, "max_motor_force": 1)"),
      "test.scene.json: joints[0].motor_speed: must be 0, because the motor of a ball joint is "
      "friction; six_dof joints have motors for rotation");
}

TEST(SceneJoints, TheMotorOfABallJointIsItsFriction) {
  EXPECT_EQ(parsed(with_joint(ball + R"(, "max_motor_force": 3)")).joints[0].max_motor_force, 3.0f);
}

TEST(SceneJoints, SixDofWheelAndPulleyAreReadInTheirUnits) {
  const SceneDef six = parsed(with_joint(
      R"("kind": "six_dof", "body_a": "a", "body_b": "b", "anchor": [0, 0, 0],
         "linear_y": {"lower": -1, "upper": 2, "rest": 1, "friction": 3}, "angular_x": {"upper": 90}, "angular_z": {})"));
  const SceneJointDetails& axes = six.joints[0].details.get();
  EXPECT_TRUE(axes.axes[0].is_locked);
  EXPECT_TRUE(axes.axes[1].has_limits);
  EXPECT_EQ(axes.axes[1].upper, 2.0f);
  EXPECT_EQ(axes.axes[1].friction, 3.0f);
  EXPECT_NEAR(axes.axes[3].upper, 1.5708f, 1e-4f);
  EXPECT_NEAR(axes.axes[3].lower, -3.14159f, 1e-4f);
  EXPECT_TRUE(axes.axes[4].is_locked);
  EXPECT_FALSE(axes.axes[5].is_locked || axes.axes[5].has_limits);
  const SceneDef wheel = parsed(with_joint(
      R"("kind": "wheel", "body_a": "a", "body_b": "b", "anchor": [0, 0, 0], "spin_axis": [0, 0, 2], "steer_angle": 45)"));
  EXPECT_EQ(wheel.joints[0].axis, (math::Vec3{0, 1, 0}));
  EXPECT_EQ(wheel.joints[0].details->axle, (math::Vec3{0, 0, 1}));
  EXPECT_NEAR(wheel.joints[0].details->steer_angle, 0.7854f, 1e-4f);
  const SceneDef rope = parsed(with_joint(
      R"("kind": "pulley", "body_a": "a", "body_b": "b", "anchor": [0, 0, 0], "anchor_b": [2, 0, 0],
         "ground_anchor_a": [0, 3, 0], "ground_anchor_b": [2, 4, 0], "ratio": 2)"));
  EXPECT_EQ(rope.joints[0].rest, 11.0f) << "3 m plus twice 4 m";
}

TEST(SceneJoints, ErrorsOfDetailedKindsStateTheirPath) {
  const auto why = [](const std::string& fields) {
    return refusal(with_joint(R"("body_a": "a", "body_b": "b", )" + fields));
  };
  const std::string place = "test.scene.json: joints[0].";
  EXPECT_EQ(why(R"("kind": "gear")"), place + "ratio: is missing; a gear joint requires it");
  EXPECT_EQ(why(R"("kind": "gear", "ratio": 0)"),
            place + "ratio: must be at least 0.001 or at most -0.001");
  EXPECT_EQ(why(R"("kind": "gear", "ratio": 1, "axis": [0, 0, 0])"),
            place + "axis: must not be zero");
  EXPECT_EQ(why(R"("kind": "gear", "ratio": 1, "axis_b": [0, 0, 0])"),
            place + "axis_b: must not be zero");
  EXPECT_EQ(why(R"("kind": "gear", "ratio": 1, "anchor": [0, 0, 0])"),
            place + "anchor: a gear joint has no anchor; it couples motions of its bodies");
  EXPECT_EQ(why(R"("kind": "rack_and_pinion", "ratio": 1)"),
            place + "axis_b: is missing; a rack_and_pinion joint requires it");
  EXPECT_EQ(why(R"("kind": "wheel", "anchor": [0, 0, 0])"),
            place + "spin_axis: is missing; a wheel joint requires it");
  EXPECT_EQ(
      why(R"("kind": "wheel", "anchor": [0, 0, 0], "spin_axis": [0, 1, 0])"),
      place +
          "spin_axis: must be at least 60 degrees away from axis, along which the wheel travels");
  EXPECT_EQ(
      why(R"("kind": "wheel", "anchor": [0, 0, 0], "spin_axis": [0, 0, 1], "steer_angle": 90)"),
      place + "steer_angle: must be from -80 to 80, is 90");
  EXPECT_EQ(why(R"("kind": "hinge", "anchor": [0, 0, 0], "spin_axis": [0, 0, 1])"),
            place + "spin_axis: is not used by a hinge joint");
  EXPECT_EQ(why(R"("kind": "hinge", "anchor": [0, 0, 0], "spring_hertz": 1, "tension_only": true)"),
            place + "tension_only: is not used by a hinge joint");
  EXPECT_EQ(
      why(R"("kind": "distance", "anchor": [0, 0, 0], "anchor_b": [1, 0, 0], "tension_only": true)"),
      place + "tension_only: requires spring_hertz above 0");
  EXPECT_EQ(why(R"("kind": "six_dof", "anchor": [0, 0, 0], "linear_x": {"lower": 2, "upper": 1})"),
            place + "linear_x.upper: must not be below lower");
  EXPECT_EQ(why(R"("kind": "six_dof", "anchor": [0, 0, 0], "linear_x": {"lower": 1, "upper": 2})"),
            place + "linear_x.rest: must be from lower to upper, is 0");
  EXPECT_EQ(why(R"("kind": "six_dof", "anchor": [0, 0, 0], "spring_hertz": 2)"),
            place + "spring_hertz: a six-DOF joint does not use it");
  EXPECT_EQ(
      why(R"("kind": "six_dof", "anchor": [0, 0, 0], "angular_x": {"upper": 100}, "angular_y": {}, "angular_z": {})"),
      place +
          "angular_y: one of angular_x, angular_y and angular_z must be locked or within ±85 "
          "degrees, "
          "unless all are free");
  EXPECT_EQ(why(R"("kind": "servo", "anchor": [0, 0, 0], "max_force": 3)"),
            place + "spring_hertz: is missing; a servo joint requires it");
  EXPECT_EQ(why(R"("kind": "servo", "anchor": [0, 0, 0], "spring_hertz": 3)"),
            place + "max_force: is missing; a servo joint requires it");
  EXPECT_EQ(
      why(R"("kind": "pulley", "anchor": [0, 0, 0], "anchor_b": [1, 0, 0], "ground_anchor_a": [0, 3, 0])"),
      place + "ground_anchor_b: is missing; a pulley joint requires it");
  EXPECT_EQ(why(R"("kind": "pulley", "anchor": [0, 0, 0])"), place + "anchor_b: is missing");
}

TEST(SceneJoints, EveryDetailChangesTheSceneHash) {
  const SceneDef plain = parsed(with_joint(
      R"("kind": "six_dof", "body_a": "a", "body_b": "b", "anchor": [0, 0, 0], "angular_x": {})"));
  std::vector<std::uint64_t> hashes{hash(plain)};
  const auto changes = [&](auto&& change) {
    SceneDef scene = plain;
    change(scene.joints[0].details.edit());
    hashes.push_back(hash(scene));
  };
  using Details = SceneJointDetails;
  changes([](Details& d) { d.axle = {1, 0, 0}; });
  changes([](Details& d) { d.steer_angle = 1; });
  changes([](Details& d) { d.brake_torque = 1; });
  changes([](Details& d) { d.sprung_mass = 1; });
  changes([](Details& d) { d.rotation = {1, 0, 0, 0}; });
  changes([](Details& d) { d.target.y = 1; });
  changes([](Details& d) { d.max_force = 1; });
  changes([](Details& d) { d.max_torque = 1; });
  changes([](Details& d) { d.axis_b = {0, 1, 0}; });
  changes([](Details& d) { d.ratio = 2; });
  changes([](Details& d) { d.ground_anchor_a.x = 1; });
  changes([](Details& d) { d.ground_anchor_b.x = 1; });
  changes([](Details& d) { d.axes[2].is_locked = false; });
  changes([](Details& d) { d.axes[2].has_limits = true; });
  changes([](Details& d) { d.axes[2].lower = 1; });
  changes([](Details& d) { d.axes[2].upper = 1; });
  changes([](Details& d) { d.axes[2].rest = 1; });
  changes([](Details& d) { d.axes[2].spring_hertz = 1; });
  changes([](Details& d) { d.axes[2].spring_damping_ratio = 1; });
  changes([](Details& d) { d.axes[2].motor_speed = 1; });
  changes([](Details& d) { d.axes[2].max_motor_force = 1; });
  changes([](Details& d) { d.axes[2].friction = 1; });
  std::sort(hashes.begin(), hashes.end());
  EXPECT_EQ(std::adjacent_find(hashes.begin(), hashes.end()), hashes.end());
  SceneDef bungee = parsed(with_joint(hinge));
  bungee.joints[0].tension_only = true;
  EXPECT_NE(hash(bungee), hash(parsed(with_joint(hinge))));
}

TEST(SceneBuilders, AddBodiesAndJointsThatJointsCanReferTo) {
  const SceneDef scene = parsed(scene_with(R"("bodies": [
      {"name": "ground", "motion_type": "static", "shape": {"plane": {}}}],
    "assemblies": [
      {"kind": "car", "name": "taxi", "position": [0, 1, 0]},
      {"kind": "ragdoll", "name": "ann", "position": [9, 0, 0]},
      {"kind": "chain", "name": "rope", "points": [0, 9, 0, 2, 9, 0], "count": 4},
      {"kind": "bridge", "points": [0, 9, 5, 8, 9, 5], "count": 3}],
    "joints": [{"kind": "ball", "body_a": "rope_3", "body_b": "taxi_rear_left", "anchor": [2, 9, 0]}])"));
  EXPECT_EQ(scene.bodies.size(), 1U + 5 + 13 + 5 + 5);
  EXPECT_EQ(scene.joints.size(), 1U + 4 + 12 + 4 + 4);
  EXPECT_EQ(scene.bodies[scene.joints[0].body_a].name, "rope_3");
  EXPECT_EQ(scene.bodies[scene.joints[1].body_a].name, "taxi");
  EXPECT_EQ(scene.bodies[scene.joints[1].body_b].name, "taxi_front_left");
  EXPECT_EQ(scene.bodies[scene.joints[5].body_a].name, "ann_pelvis");
}

TEST(SceneBuilders, ErrorsStateTheirPath) {
  const auto why = [](const std::string& fields) {
    return refusal(scene_with(R"("assemblies": [{)" + fields + "}]"));
  };
  const std::string place = "test.scene.json: assemblies[0].";
  EXPECT_EQ(why(R"("name": "x")"), place + "kind: is missing");
  EXPECT_EQ(why(R"("kind": "chain")"),
            place + "points: must have x, y, z of 2 to 10000 points, has 0 numbers");
  EXPECT_EQ(why(R"("kind": "bridge", "points": [0, 0, 0, 1, 0, 0, 2, 0, 0])"),
            place + "points: must have x, y, z of 2 points, has 9 numbers");
  EXPECT_EQ(why(R"("kind": "chain", "points": [1, 0, 0, 1, 0, 0])"),
            place + "points: must not all be at the same position");
  EXPECT_EQ(why(R"("kind": "chain", "points": [1, 0, 0, 2, 0, 0], "count": 0)"),
            place + "count: must be from 1 to 10000, is 0");
  EXPECT_EQ(why(R"("kind": "car", "height": 2)"),
            place + "height: is not used by an assembly of kind \"car\"");
  EXPECT_EQ(why(R"("kind": "car", "car": {"mass": 0})"),
            place + "car.mass: must be from 0.1 to 1000000, is 0");
  EXPECT_EQ(
      why(R"("kind": "car", "car": {"wheelbase": 0.3, "max_steer_angle": 50})"),
      place +
          "car.max_steer_angle: turns the inner wheel by more than 75 degrees; use a smaller angle "
          "or a longer wheelbase");
  const std::string maker = "test.scene.json: assemblies[0]: creates a body ";
  const std::string from_1 = R"("points": [0, 5, 0, 1, 5, 0])",
                    far = R"("points": [-9e5, 5, 0, 9e5, 5, 0])";
  EXPECT_EQ(why(R"("name": "c", "kind": "chain", "count": 3000, "radius": 0.01, )" + from_1),
            maker + R"("c_0" that has a size below 0.001 m)");
  EXPECT_EQ(why(R"("kind": "chain", "count": 1, )" + far),
            maker + "that has a size above 100000 m");
  EXPECT_EQ(why(R"("kind": "chain", "count": 300, )" + far),
            maker + "that is 6000 m long; a moving body may be at most 2000");
  EXPECT_EQ(why(R"("kind": "bridge", "count": 600, )" + from_1),
            maker + "that has a size below 0.001 m");
  EXPECT_EQ(why(R"("kind": "bridge", "count": 2, )" + far),
            maker + "that has a size above 100000 m");
  EXPECT_NE(why(R"("kind": "ragdoll", "mass": 1e-5)").find("kg: must be from 1e-06 to 1000000000"),
            std::string::npos);
  EXPECT_NE(why(R"("kind": "chain", "radius": 0.001, "density": 1e-6, )" + from_1).find("weighs"),
            std::string::npos);
  EXPECT_EQ(refusal(scene_with(R"("player": {"kind": "car", "mass": 3})")),
            "test.scene.json: player.mass: is only used by a player of kind \"body\"");
  EXPECT_EQ(refusal(scene_with(R"("player": {"car": {}})")),
            "test.scene.json: player.car: is only used by a player of kind \"car\"");
}

TEST(SceneJoints, ChangeTheHashOfTheScene) {
  EXPECT_NE(hash(parsed(with_joint(hinge))), hash(parsed(with_joint(hinge + R"(, "lower": 0)"))));
}

}  // namespace
}  // namespace jostle::scene
