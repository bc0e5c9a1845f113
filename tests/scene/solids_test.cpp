#include "shared/geometry/bounds.h"
#include "shared/geometry/surface.h"
#include "shared/scene/scene.h"

#include <gtest/gtest.h>

#include <string>

namespace jostle::scene {
namespace {

base::Result<SceneDef, SceneError> parse(const std::string& shape, const std::string& motion) {
  return parse_scene(
      R"({"name": "t", "spawns": [{"position": [0, 9, 0]}], "bodies": [{"motion": ")" + motion +
          R"(", "shape": {)" + shape + "}}]}",
      "t.scene.json");
}

state::Shape shape_of(const std::string& shape, const std::string& motion) {
  const auto scene = parse(shape, motion);
  EXPECT_TRUE(scene.has_value()) << scene.error().text();
  return scene->bodies.at(0).shapes.at(0).shape;
}

std::string refusal(const std::string& shape, const std::string& motion) {
  const auto scene = parse(shape, motion);
  return scene ? "accepted" : scene.error().path + ": " + scene.error().message;
}

const std::string cube = R"("hull": {"points": [0,0,0, 1,0,0, 0,1,0, 1,1,0,
                                                0,0,1, 1,0,1, 0,1,1, 1,1,1, 0.5,0.5,0.5]})";

TEST(SceneSolids, AreReadAsTheyStand) {
  EXPECT_EQ(shape_of(R"("cylinder": {"radius": 0.5, "height": 3})", "dynamic"),
            state::cylinder(0.5f, 1.5f));
  EXPECT_EQ(shape_of(R"("cone": {"radius": 0.5, "height": 3})", "dynamic"),
            state::cone(0.5f, 1.5f));
  const state::Shape hull = shape_of(cube, "dynamic");
  EXPECT_EQ(std::get<state::ConvexHull>(hull.solid->content).vertices.size(), 8U);
  const state::Shape mesh =
      shape_of(R"("mesh": {"vertices": [0,0,0, 0,0,1, 1,0,0, 2,0,0], "triangles": [0,1,2, 0,2,3]})",
               "static");
  EXPECT_EQ(geometry::triangle_count(*mesh.solid), 1U) << "the one without area is left out";
  const state::Shape field = shape_of(
      R"("height_field": {"samples": [2, 3], "cell_size": [0.5, 1], "heights": [0,1,2,3,4,5]})",
      "static");
  EXPECT_EQ(std::get<state::HeightField>(field.solid->content).heights.size(), 6U);
}

TEST(SceneSolids, AreRefusedWithTheirPath) {
  const std::string at = "bodies[0].shape";
  EXPECT_EQ(refusal(R"("cone": {"radius": 1})", "dynamic"), at + ".cone.height: is missing");
  EXPECT_EQ(refusal(R"("hull": {})", "dynamic"), at + ".hull.points: is missing");
  EXPECT_EQ(refusal(R"("hull": {"points": [0, 1]})", "dynamic"),
            at + ".hull.points: must be three numbers a point, x, y and z, are 2 in all");
  EXPECT_EQ(refusal(R"("hull": {"points": [0,0,0, 1,0,0, 0,1,0, 1,1,0]})", "dynamic"),
            at + ".hull: lies in one plane");
  EXPECT_EQ(refusal(R"("hull": {"points": [0,0,0, 1,0,0, 0,1,0, 0,0,1e9]})", "dynamic"),
            at + ".hull.points[11]: must be at most 100000, is 1000000000");
  EXPECT_EQ(
      refusal(R"("mesh": {"vertices": [0,0,0, 0,0,1, 1,0,0], "triangles": [0,1,3]})", "static"),
      at + ".mesh.triangles[2]: must be at most 2, is 3");
  EXPECT_EQ(
      refusal(R"("mesh": {"vertices": [0,0,0, 0,0,1, 0,0,2], "triangles": [0,1,2]})", "static"),
      at + ".mesh: has no triangle");
  EXPECT_EQ(
      refusal(R"("mesh": {"vertices": [0,0,0, 0,0,1, 1,0,0], "triangles": [0,1,2]})", "dynamic"),
      at + ": only a static body can be a plane, a mesh or a height field");
  EXPECT_EQ(refusal(R"("height_field": {"samples": [2, 2], "cell_size": [1, 1], "heights": [0]})",
                    "static"),
            at + ".height_field.heights: must be 4 numbers, one a sample, are 1");
  EXPECT_EQ(
      refusal(R"("height_field": {"samples": [1000000, 1000000], "cell_size": [1, 1]})", "static"),
      at + ".height_field.heights: must be 1000000000000 numbers, one a sample, are 0");
}

TEST(SceneSolids, ReachTheHashOfTheScene) {
  const auto hash_of = [](const std::string& text) { return hash(*parse(text, "dynamic")); };
  std::string other = cube;
  other.replace(other.find("1,1,1"), 5, "1,1,2");
  EXPECT_EQ(hash_of(cube), hash_of(cube));
  EXPECT_NE(hash_of(cube), hash_of(other));
}

}  // namespace
}  // namespace jostle::scene
