#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <string>

namespace jostle::scene {
namespace {

std::string with_joint(const std::string& fields) {
  return scene_with(R"("bodies": [
    {"name": "a", "motion": "static", "shape": {"sphere": {"radius": 1}}},
    {"name": "b", "shape": {"sphere": {"radius": 1}}},
    {"name": "c", "motion": "static", "shape": {"sphere": {"radius": 1}}}],
    "joints": [{)" + fields +
                    "}]");
}
const std::string hinge = R"("kind": "hinge", "body_a": "a", "body_b": "b", "anchor": [1, 2, 3])";

TEST(SceneJoints, AreReadInRadiansAndUnitAxes) {
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
  EXPECT_TRUE(joint.collides_connected);
}

TEST(SceneJoints, AreRefusedWithTheirPath) {
  const auto why = [](const std::string& fields) { return refusal(with_joint(fields)); };
  EXPECT_EQ(why(R"("kind": "hinge", "body_a": "a", "body_b": "x", "anchor": [0, 0, 0])"),
            "test.scene.json: joints[0].body_b: no body has the name \"x\"");
  EXPECT_EQ(why(R"("kind": "hinge", "body_a": "a", "body_b": "bb", "anchor": [0, 0, 0])"),
            "test.scene.json: joints[0].body_b: no body has the name \"bb\"");
  EXPECT_EQ(why(R"("kind": "hinge", "body_a": "a", "body_b": "c", "anchor": [0, 0, 0])"),
            "test.scene.json: joints[0].body_b: one of the two bodies must be dynamic");
  EXPECT_EQ(why(R"("kind": "ball", "body_a": "b", "body_b": "b", "anchor": [0, 0, 0])"),
            "test.scene.json: joints[0].body_b: is body_a; a joint needs two bodies");
  EXPECT_EQ(why(R"("body_a": "a", "body_b": "b", "anchor": [0, 0, 0])"),
            "test.scene.json: joints[0].kind: is missing");
  EXPECT_EQ(why(hinge + R"(, "cone": 20)"),
            "test.scene.json: joints[0].cone: only a ball joint has a cone");
  EXPECT_EQ(why(hinge + R"(, "lower": 20, "upper": 10)"),
            "test.scene.json: joints[0].upper: must not be below lower");
  EXPECT_EQ(why(hinge + R"(, "motor_speed": 1)"),
            "test.scene.json: joints[0].max_motor_force: is missing: a motor needs it");
}

TEST(SceneJoints, ChangeTheHashOfTheScene) {
  EXPECT_NE(hash(parsed(with_joint(hinge))), hash(parsed(with_joint(hinge + R"(, "lower": 0)"))));
}

}  // namespace
}  // namespace jostle::scene
