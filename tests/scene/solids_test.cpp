#include "shared/geometry/bounds.h"
#include "shared/geometry/mass_properties.h"
#include "shared/geometry/surface.h"
#include "shared/scene/scene.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace jostle::scene {
namespace {

base::Result<SceneDef, SceneError> parse(const std::string& shape, const std::string& motion) {
  return parse_scene(
      R"({"name": "t", "spawns": [{"position": [0, 9, 0]}], "bodies": [{"motion_type": ")" +
          motion + R"(", "shape": {)" + shape + "}}]}",
      "t.scene.json");
}

state::Shape shape_of(const std::string& shape, const std::string& motion) {
  const auto scene = parse(shape, motion);
  EXPECT_TRUE(scene.has_value()) << scene.error().text();
  return scene->bodies.at(0).shapes.at(0).shape;
}

std::string solid_refusal(const std::string& shape, const std::string& motion) {
  const auto scene = parse(shape, motion);
  return scene ? "accepted" : scene.error().path + ": " + scene.error().message;
}

const std::string cube = R"("hull": {"points": [0,0,0, 1,0,0, 0,1,0, 1,1,0,
                                                0,0,1, 1,0,1, 0,1,1, 1,1,1, 0.5,0.5,0.5]})";

TEST(SceneSolids, ReadAllGeometries) {
  EXPECT_EQ(shape_of(R"("cylinder": {"radius": 0.5, "height": 3})", "dynamic"),
            state::cylinder(0.5f, 1.5f));
  EXPECT_EQ(shape_of(R"("cone": {"radius": 0.5, "height": 3})", "dynamic"),
            state::cone(0.5f, 1.5f));
  const state::Shape hull = shape_of(cube, "dynamic");
  EXPECT_EQ(std::get<state::ConvexHull>(hull.solid->content).vertices.size(), 8U);
  const state::Shape mesh =
      shape_of(R"("mesh": {"vertices": [0,0,0, 0,0,1, 1,0,0, 2,0,0], "triangles": [0,1,2, 0,2,3]})",
               "static");
  EXPECT_EQ(geometry::triangle_count(*mesh.solid), 1U) << "the triangle without area is dropped";
  const state::Shape field = shape_of(
      R"("height_field": {"sample_counts": [2, 3], "cell_size": [0.5, 1], "heights": [0,1,2,3,4,5]})",
      "static");
  EXPECT_EQ(std::get<state::HeightField>(field.solid->content).heights.size(), 6U);
}

TEST(SceneSolids, ErrorsStateTheirPath) {
  const std::string at = "bodies[0].shape";
  EXPECT_EQ(solid_refusal(R"("cone": {"radius": 1})", "dynamic"), at + ".cone.height: is missing");
  EXPECT_EQ(solid_refusal(R"("hull": {})", "dynamic"), at + ".hull.points: is missing");
  EXPECT_EQ(solid_refusal(R"("hull": {"points": [0, 1]})", "dynamic"),
            at + ".hull.points: must have three numbers (x, y, z) per point, has 2 numbers");
  EXPECT_EQ(solid_refusal(R"("hull": {"points": [0,0,0, 1,0,0, 0,1,0, 1,1,0]})", "dynamic"),
            at + ".hull: lies in one plane");
  EXPECT_EQ(solid_refusal(R"("hull": {"points": [0,0,0, 1,0,0, 0,1,0, 0,0,1e9]})", "dynamic"),
            at + ".hull.points[11]: must be from -100000 to 100000, is 1000000000");
  EXPECT_EQ(solid_refusal(R"("mesh": {"vertices": [0,0,0, 0,0,1, 1,0,0], "triangles": [0,1,3]})",
                          "static"),
            at + ".mesh.triangles[2]: must be from 0 to 2, is 3");
  EXPECT_EQ(solid_refusal(R"("mesh": {"vertices": [0,0,0, 0,0,1, 0,0,2], "triangles": [0,1,2]})",
                          "static"),
            at + ".mesh: has no triangles");
  EXPECT_EQ(solid_refusal(R"("mesh": {"vertices": [0,0,0, 0,0,1, 1,0,0], "triangles": [0,1,2]})",
                          "dynamic"),
            at + ": only a static body can be a plane, a mesh or a height field");
  EXPECT_EQ(solid_refusal(
                R"("height_field": {"sample_counts": [2, 2], "cell_size": [1, 1], "heights": [0]})",
                "static"),
            at + ".height_field.heights: must have 4 numbers, one per sample, has 1");
  EXPECT_EQ(
      solid_refusal(R"("height_field": {"sample_counts": [1000000, 1000000], "cell_size": [1, 1]})",
                    "static"),
      at + ".height_field.heights: must have 1000000000000 numbers, one per sample, has 0");
}

/// Returns the mesh of an L-shaped prism of 5 m³. Its six corners are in the plane z = 0, and again
/// at z = 1. `more` has additional fields of the decomposition.
std::string angle(const std::string& more, const std::string& last_triangle = "5,6,11") {
  return R"("convex_decomposition": {"vertices": [0,0,0, 3,0,0, 3,1,0, 1,1,0, 1,3,0, 0,3,0,
                                             0,0,1, 3,0,1, 3,1,1, 1,1,1, 1,3,1, 0,3,1],
      "triangles": [6,7,8, 6,8,9, 6,9,10, 6,10,11, 0,2,1, 0,3,2, 0,4,3, 0,5,4, 0,1,7, 0,7,6, 1,2,8,
                    1,8,7, 2,3,9, 2,9,8, 3,4,10, 3,10,9, 4,5,11, 4,11,10, 5,0,6, )" +
         last_triangle + "]" + more + "}";
}

/// Returns an octagonal ring of eight straight pieces with a square section. `more` has additional
/// fields of the decomposition.
std::string ring(const std::string& more) {
  std::string vertices, triangles;
  const auto join = [](std::string& list, auto value) {
    list += (list.empty() ? "" : ",") + std::to_string(value);
  };
  const std::array<std::array<double, 2>, 4> section{{{1, 0}, {2, 0}, {2, 1}, {1, 1}}};
  const std::array<double, 8> cosines{1, 0.7071, 0, -0.7071, -1, -0.7071, 0, 0.7071};
  for (int k = 0; k < 4; ++k) {
    for (std::size_t i = 0; i < 8; ++i) {
      const auto [radius, y] = section[static_cast<std::size_t>(k)];
      join(vertices, radius * cosines[i]);
      join(vertices, y);
      join(vertices, radius * cosines[(i + 2) % 8]);
    }
    for (int i = 0; i < 8; ++i) {
      const int next = (k + 1) % 4, j = (i + 1) % 8;
      for (const int vertex :
           {8 * k + i, 8 * k + j, 8 * next + j, 8 * k + i, 8 * next + j, 8 * next + i})
        join(triangles, vertex);
    }
  }
  return "\"convex_decomposition\": {\"vertices\": [" + vertices + "], \"triangles\": [" +
         triangles + "]" + more + "}";
}

TEST(SceneSolids, DecomposedMeshBecomesItsHulls) {
  const auto scene = parse(angle("") + R"(, "position": [1, 2, 3], "friction": 0.25,
                                          "filter": {"category": 4})",
                           "dynamic");
  ASSERT_TRUE(scene.has_value()) << scene.error().text();
  ASSERT_EQ(scene->bodies[0].shapes.size(), 2U);
  float volume = 0;
  for (const SceneShape& shape : scene->bodies[0].shapes) {
    EXPECT_EQ(shape.shape.kind, state::ShapeKind::Hull);
    EXPECT_EQ(shape.local.offset, (math::Vec3{1, 2, 3}));
    EXPECT_EQ(shape.material.friction, 0.25f);
    EXPECT_EQ(shape.filter.category, 4U);
    EXPECT_NEAR(shape.density, 1000, 0.1);
    volume += geometry::volume(shape.shape);
  }
  EXPECT_NEAR(volume, 5.0f, 1e-3f);
}

TEST(SceneSolids, HullsOfADecomposedMeshHaveTheMassOfTheSolid) {
  // The only hull of the L is a box of 9 m³ without the prism over the triangle (3, 1), (1, 3), (3,
  // 3).
  const auto scene =
      parse(angle(R"(, "max_hulls": 1, "max_error": 2)") + ", \"density\": 70", "dynamic");
  ASSERT_TRUE(scene.has_value()) << scene.error().text();
  ASSERT_EQ(scene->bodies[0].shapes.size(), 1U);
  const SceneShape& shape = scene->bodies[0].shapes[0];
  EXPECT_NEAR(geometry::volume(shape.shape), 7.0f, 1e-3f);
  EXPECT_NEAR(shape.density * geometry::volume(shape.shape), 70 * 5.0f, 0.1f);
}

TEST(SceneSolids, DecomposedTemplateIsSharedByItsBodies) {
  const auto scene = parse_scene(
      R"({"name": "t", "spawns": [{"position": [0, 9, 0]}],
          "templates": [{"name": "angle", "shape": {)" +
          angle("") + R"(}}], "bodies": [{"template": "angle"}],
          "generators": [{"kind": "row", "count": 2, "body": {"template": "angle"}}]})",
      "t.scene.json");
  ASSERT_TRUE(scene.has_value()) << scene.error().text();
  ASSERT_EQ(scene->bodies.size(), 3U);
  EXPECT_EQ(scene->bodies[1].shapes, scene->bodies[0].shapes);
  EXPECT_EQ(scene->bodies[1].shapes[1].shape.solid, scene->bodies[0].shapes[1].shape.solid);
  EXPECT_NEAR(scene->bodies[2].pose.position.x - scene->bodies[1].pose.position.x, 3.0, 1e-6)
      << "a row's bodies touch";
}

/// The angle consists of a bar of 3 × 1 × 1 m and one of 1 × 2 × 1 m. One hull covers both and the
/// corner between them, so its inertia differs from that of the solid.
TEST(SceneSolids, BodyOfADecomposedMeshHasTheInertiaOfTheSolid) {
  const auto scene =
      parse(angle(R"(, "max_hulls": 1, "max_error": 1.5)") + R"(, "density": 2)", "dynamic");
  ASSERT_TRUE(scene.has_value()) << scene.error().text();
  ASSERT_EQ(scene->bodies[0].shapes.size(), 1U);
  const SceneBody& body = scene->bodies[0];
  EXPECT_NEAR(body.mass, 10, 1e-4);
  ASSERT_TRUE(body.centre_of_mass && body.inertia);
  const math::Vec3 centre = *body.centre_of_mass;
  EXPECT_NEAR(centre.x, 1.1, 1e-5);
  EXPECT_NEAR(centre.y, 1.1, 1e-5);
  EXPECT_NEAR(centre.z, 0.5, 1e-5);
  // about the centre of mass: 6 kg at (1.5, 0.5) and 4 kg at (0.5, 2)
  const double along_z = 6 * (10.0 / 12 + 0.4 * 0.4 + 0.6 * 0.6) + 4 * (5.0 / 12 + 0.36 + 0.81);
  const double xy = -(6 * 0.4 * -0.6 + 4 * -0.6 * 0.9);
  EXPECT_NEAR(body.inertia->cz.z, along_z, 1e-4 * along_z);
  EXPECT_NEAR(body.inertia->cy.x, xy, 1e-4 * xy);
}

TEST(SceneSolids, DecomposedMeshErrorsStateTheirPath) {
  const std::string at = "bodies[0].shape.convex_decomposition";
  EXPECT_EQ(solid_refusal(angle("", "0,1,2"), "dynamic").substr(0, at.size() + 2), at + ": ");
  EXPECT_EQ(solid_refusal(angle("", "5,11,6"), "dynamic"),
            at + ": has two triangles that run in the same direction along the edge from vertex 11 "
                 "to vertex "
                 "6 of triangle 3: one of them is inside out");
  std::string open = angle("");
  open.erase(open.find(", 5,6,11"), 8);
  EXPECT_EQ(solid_refusal(open, "dynamic"),
            at + ": is open: no other triangle shares the edge from vertex 11 to vertex 6 of "
                 "triangle 3");
  const std::string too_few = solid_refusal(angle(R"(, "max_hulls": 1)"), "dynamic");
  EXPECT_TRUE(too_few.starts_with(
      at + ".max_hulls: is too low for a max_error of 0.01: that many hulls may extend "))
      << too_few;
  EXPECT_TRUE(too_few.ends_with(" m beyond the solid; raise max_hulls or max_error")) << too_few;
  EXPECT_EQ(solid_refusal(angle(R"(, "max_error": 0.001)"), "dynamic"),
            at + ": is larger than 1024 times max_error; use a larger max_error");
  EXPECT_EQ(solid_refusal(angle(R"(, "max_error": 0)"), "dynamic"),
            at + ".max_error: must be from 1e-06 to 100000, is 0");
  EXPECT_EQ(solid_refusal(angle(R"(, "max_hulls": 257)"), "dynamic"),
            at + ".max_hulls: must be from 1 to 256, is 257");
  EXPECT_EQ(solid_refusal(R"("convex_decomposition": {"triangles": [0,1,2]})", "dynamic"),
            at + ".vertices: is missing");
}

TEST(SceneSolids, HullsOfDecomposedMeshesCountAsShapesOfTheBody) {
  const auto scene_with_rings = [](int count) {
    std::string shapes;
    for (int i = 0; i < count; ++i)
      shapes += (i == 0 ? "{" : ", {") + ring(R"(, "max_error": 0.05)") + "}";
    return parse_scene(
        R"({"name": "t", "spawns": [{"position": [0, 9, 0]}], "bodies": [{"shapes": [)" + shapes +
            "]}]}",
        "t.scene.json");
  };
  EXPECT_EQ(scene_with_rings(32)->bodies[0].shapes.size(), 256U);
  const auto scene = scene_with_rings(33);
  ASSERT_FALSE(scene.has_value());
  EXPECT_EQ(scene.error().path, "bodies[0].shapes");
  EXPECT_EQ(scene.error().message,
            "may have at most 256 shapes, has 264 including the hulls of decomposed meshes");
}

TEST(SceneSolids, PlayerCannotHaveSeveralHulls) {
  const auto scene = parse_scene(R"({"name": "t", "spawns": [{"position": [0, 9, 0]}],
                                     "player": {"shape": {)" +
                                     angle("") + "}}}",
                                 "t.scene.json");
  ASSERT_FALSE(scene.has_value());
  EXPECT_EQ(scene.error().path + ": " + scene.error().message,
            "player.shape: must be a single shape for a player, is 2 hulls");
}

TEST(SceneSolids, HullsStackByTheirBounds) {
  // A stack uses the bounds of the points of a hull, so the second cube is 1 m above the first.
  const auto scene =
      parse_scene(R"({"name": "t", "spawns": [{"position": [0, 9, 0]}], "generators": [
      {"kind": "stack", "count": 2, "body": {"shape": {)" +
                      cube + "}}}]}",
                  "t.scene.json");
  ASSERT_TRUE(scene.has_value());
  EXPECT_NEAR(scene->bodies[0].pose.position.y, 0, 1e-6);
  EXPECT_NEAR(scene->bodies[1].pose.position.y, 1, 1e-6);
}

TEST(SceneSolids, GeometryChangesTheSceneHash) {
  const auto hash_of = [](const std::string& text) { return hash(*parse(text, "dynamic")); };
  std::string other = cube;
  other.replace(other.find("1,1,1"), 5, "1,1,2");
  EXPECT_EQ(hash_of(cube), hash_of(cube));
  EXPECT_NE(hash_of(cube), hash_of(other));
}

}  // namespace
}  // namespace jostle::scene
