#include "tests/scene/separation.h"
#include "tests/scene/test_scenes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <ostream>
#include <set>
#include <string>

namespace jostle::scene {
namespace {

struct CountCase {
  const char* name;
  const char* fields;
  std::size_t count;
};

std::string generator(const std::string& fields) {
  return scene_with(R"("generators": [{"body": {"shape": {"box": {"size": [1, 0.5, 2]}}}, )" +
                    fields + "}]");
}

std::ostream& operator<<(std::ostream& out, const CountCase& row) {
  return out << row.name;
}

class SceneGenerators : public testing::TestWithParam<CountCase> {};

TEST_P(SceneGenerators, CreateTheRequestedNumberOfBodies) {
  EXPECT_EQ(parsed(generator(GetParam().fields)).bodies.size(), GetParam().count);
}

TEST_P(SceneGenerators, PlaceBodiesOnTheirPositionWithoutOverlap) {
  const SceneDef scene = parsed(generator(GetParam().fields));
  double lowest = 1e9;
  for (const SceneBody& body : scene.bodies)
    lowest = std::min(lowest, body.pose.position.y);
  // Bodies with a random rotation are as far from the ground as the radius of their bounding
  // sphere.
  EXPECT_GE(lowest, 0.25);
  EXPECT_LE(lowest, 1.15);
  EXPECT_GE(smallest_separation(scene), -1e-4f);
}

const CountCase count_cases[] = {
    {"Grid", R"("kind": "grid", "counts": [3, 4, 5])", 60},
    {"Stack", R"("kind": "stack", "count": 7)", 7},
    {"Row", R"("kind": "row", "count": 7)", 7},
    {"Pyramid", R"("kind": "pyramid", "rows": 30)", 465},
    {"SquarePyramid", R"("kind": "square_pyramid", "rows": 4)", 30},
    {"Wall", R"("kind": "wall", "rows": 3, "columns": 4)", 11},
    {"WallOfOneColumn", R"("kind": "wall", "rows": 3, "columns": 1)", 3},
    {"Ring", R"("kind": "ring", "count": 12, "rows": 3, "radius": 4)", 36},
    {"Pour", R"("kind": "pour", "count": 50, "area": [8, 6], "jitter": 0.2)", 50},
    {"PourUpright", R"("kind": "pour", "count": 50, "area": [8, 6], "random_rotation": false)", 50},
    {"PourIntoAShaft", R"("kind": "pour", "count": 9, "area": [0.1, 0.1])", 9},
};
INSTANTIATE_TEST_SUITE_P(, SceneGenerators, testing::ValuesIn(count_cases),
                         [](const auto& row) { return row.param.name; });

TEST(SceneGenerator, GridIsCentredOnItsPosition) {
  const SceneDef scene = parsed(generator(
      R"("kind": "grid", "counts": [2, 2, 3], "spacing": [4, 3, 5], "position": [10, 20, 30])"));
  ASSERT_EQ(scene.bodies.size(), 12U);
  EXPECT_EQ(scene.bodies[0].pose.position, (math::Position{8, 20.25, 25}));
  EXPECT_EQ(scene.bodies[1].pose.position, (math::Position{12, 20.25, 25}));
  EXPECT_EQ(scene.bodies[2].pose.position, (math::Position{8, 20.25, 30}));
  EXPECT_EQ(scene.bodies[11].pose.position, (math::Position{12, 23.25, 35}));
}

TEST(SceneGenerator, BodiesTouchWithoutSpacing) {
  const SceneDef scene = parsed(generator(R"("kind": "grid", "counts": [2, 2, 2])"));
  ASSERT_EQ(scene.bodies.size(), 8U);
  EXPECT_EQ(scene.bodies[0].pose.position, (math::Position{-0.5, 0.25, -1}));
  EXPECT_EQ(scene.bodies[7].pose.position, (math::Position{0.5, 0.75, 1}));
}

TEST(SceneGenerator, RotationAppliesToThePattern) {
  const SceneDef scene = parsed(generator(
      R"("kind": "row", "count": 2, "spacing": [3, 0, 0], "rotation_degrees": [0, 90, 0])"));
  ASSERT_EQ(scene.bodies.size(), 2U);
  const math::Vec3 step = scene.bodies[1].pose.position - scene.bodies[0].pose.position;
  EXPECT_NEAR(step.x, 0.0f, 1e-5f);
  EXPECT_NEAR(step.z, -3.0f, 1e-5f);  // x rotated by 90 degrees about y is −z
  const math::Vec3 x_axis = rotate(scene.bodies[0].pose.rotation, {1, 0, 0});
  EXPECT_NEAR(x_axis.z, -1.0f, 1e-6f);
}

TEST(SceneGenerator, RingLaysBodiesAlongTheCircle) {
  const SceneDef scene = parsed(generator(R"("kind": "ring", "count": 6, "rows": 2, "radius": 5)"));
  ASSERT_EQ(scene.bodies.size(), 12U);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    SCOPED_TRACE(i);
    const math::Pose& pose = scene.bodies[i].pose;
    const auto x = static_cast<float>(pose.position.x), z = static_cast<float>(pose.position.z);
    EXPECT_NEAR(std::sqrt(x * x + z * z), 5.0f, 1e-5f);
    const math::Vec3 outward = rotate(pose.rotation, {0, 0, 1});
    EXPECT_NEAR(outward.x, x / 5, 1e-5f);
    EXPECT_NEAR(outward.z, z / 5, 1e-5f);
  }
  // The second row is rotated by half a step, 30 degrees.
  const math::Vec3 across = scene.bodies[6].pose.position - scene.bodies[0].pose.position;
  EXPECT_NEAR(across.x, 5.0f * 0.5f, 1e-5f);
}

TEST(SceneGenerator, CyclesThroughBodiesAndColours) {
  const SceneDef scene = parsed(scene_with(R"("generators": [{"kind": "row", "count": 5,
      "spacing": [3, 0, 0], "colours": ["#000001", "#000002", "#000003"],
      "bodies": [{"shape": {"sphere": {"radius": 1}}}, {"shape": {"box": {"size": [1, 1, 1]}}}]}])"));
  ASSERT_EQ(scene.bodies.size(), 5U);
  for (std::size_t i = 0; i < 5; ++i) {
    SCOPED_TRACE(i);
    const SceneBody& body = scene.bodies[i];
    EXPECT_EQ(body.shapes[0].shape.kind,
              i % 2 == 0 ? state::ShapeKind::Sphere : state::ShapeKind::Box);
    EXPECT_EQ(body.pose.position.y, i % 2 == 0 ? 1.0 : 0.5);
    EXPECT_EQ(body.colour.blue, i % 3 + 1);
  }
}

TEST(SceneGenerator, NumbersNamesAcrossTheWholeScene) {
  const SceneDef scene = parsed(scene_with(R"(
      "templates": [{"name": "crate", "shape": {"box": {"size": [1, 1, 1]}}}],
      "generators": [
        {"kind": "row", "count": 2, "body": {"template": "crate"}},
        {"kind": "row", "count": 1, "body": {"template": "crate"}, "position": [0, 0, 9]},
        {"kind": "row", "count": 1, "body": {"template": "crate", "name": "own"}},
        {"kind": "row", "count": 1, "body": {"template": "crate"}, "name": "given"}])"));
  ASSERT_EQ(scene.bodies.size(), 5U);
  EXPECT_EQ(scene.bodies[0].name, "crate_0");
  EXPECT_EQ(scene.bodies[1].name, "crate_1");
  EXPECT_EQ(scene.bodies[2].name, "crate_2");
  EXPECT_EQ(scene.bodies[3].name, "own_0");
  EXPECT_EQ(scene.bodies[4].name, "given_0");
}

TEST(SceneGenerator, PourDependsOnTheSeedOnly) {
  const auto pour = [](const std::string& seed) {
    return parsed(generator(R"("kind": "pour", "count": 20, "area": [9, 9], "seed": )" + seed))
        .bodies;
  };
  EXPECT_EQ(pour("5"), pour("5"));
  EXPECT_NE(pour("5"), pour("6"));
  EXPECT_NE(pour("9007199254740990"), pour("9007199254740991"));
}

TEST(SceneGenerator, PourGivesEachBodyADifferentRotation) {
  const SceneDef scene = parsed(generator(R"("kind": "pour", "count": 100, "area": [20, 20])"));
  std::set<float> turns;
  for (const SceneBody& body : scene.bodies) {
    turns.insert(body.pose.rotation.w);
    EXPECT_NEAR(dot(body.pose.rotation, body.pose.rotation), 1.0f, 1e-5f);
  }
  EXPECT_EQ(turns.size(), 100U);
}

}  // namespace
}  // namespace jostle::scene
