#include "client/render/debug_draw_mesh.h"

#include "client/render/debug_draw_layers.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace jostle::render {
namespace {

constexpr Size size{1280, 720};

/// Returns a view from (0, 0, 10) towards -z.
View view() {
  View view;
  view.eye = {0, 0, 10};
  return view;
}

std::vector<DebugDrawVertex> mesh_of(const state::DebugDrawItem& item) {
  state::DebugDrawFrame debug_draw;
  debug_draw.items.push_back(item);
  std::vector<DebugDrawVertex> vertices;
  build_debug_draw_mesh(debug_draw, view(), size, vertices);
  return vertices;
}

/// Returns the screen position of a vertex, in pixels.
ScreenPoint seen(const DebugDrawVertex& vertex) {
  return *project(view(), size, view().eye + vertex.offset);
}

TEST(DebugDrawMesh, DrawsLinesWithConstantScreenWidth) {
  for (const double z : {5.0, -500.0}) {
    const auto line = mesh_of({{-1, 0, z}, {1, 0, z}, state::DebugDrawKind::ContactNormal});
    ASSERT_EQ(line.size(), 6U);
    float least = 1e9f, most = -1e9f;
    for (const DebugDrawVertex& vertex : line) {
      least = std::min(least, seen(vertex).y);
      most = std::max(most, seen(vertex).y);
      EXPECT_EQ(vertex.red, colour_of(state::DebugDrawKind::ContactNormal).red);
    }
    EXPECT_NEAR(most - least, 1.6f, 0.1f) << z;
  }
}

TEST(DebugDrawMesh, DrawsPointsAsSquaresAndBoxesAsTwelveLines) {
  const auto point = mesh_of({{0, 1, 0}, {0, 1, 0}, state::DebugDrawKind::Contact});
  ASSERT_EQ(point.size(), 6U);
  EXPECT_NEAR(std::abs(seen(point[0]).x - seen(point[2]).x), 5.5f, 0.1f);
  EXPECT_EQ(mesh_of({{-1, -1, -1}, {1, 1, 1}, state::DebugDrawKind::Box}).size(), 12 * 6U);
}

TEST(DebugDrawMesh, ClipsItemsBehindTheEye) {
  EXPECT_TRUE(mesh_of({{0, 0, 20}, {0, 0, 20}, state::DebugDrawKind::Contact}).empty());
  EXPECT_TRUE(mesh_of({{0, 0, 20}, {1, 0, 30}, state::DebugDrawKind::JointArm}).empty());
  const auto line = mesh_of({{0.5, 0, 0}, {0.5, 0, 30}, state::DebugDrawKind::JointArm});
  ASSERT_EQ(line.size(), 6U);
  for (const DebugDrawVertex& vertex : line) {
    EXPECT_LE(vertex.offset.z, -0.09f);
    EXPECT_TRUE(std::isfinite(vertex.offset.x));
  }
}

TEST(DebugDrawMesh, StaysFiniteForALineTowardsTheEye) {
  for (const DebugDrawVertex& vertex :
       mesh_of({{0, 0, 0}, {0, 0, 5}, state::DebugDrawKind::JointArm}))
    EXPECT_TRUE(std::isfinite(vertex.offset.x) && std::isfinite(vertex.offset.y));
}

TEST(DebugDrawLayers, AreParsedByName) {
  EXPECT_EQ(render::parse_layers("aabbs"), bit_of(state::DebugDrawLayer::Boxes));
  EXPECT_EQ(render::parse_layers("joints,contacts"),
            bit_of(state::DebugDrawLayer::Joints) | bit_of(state::DebugDrawLayer::Contacts));
  EXPECT_EQ(render::parse_layers("all"), state::all_debug_draw_layers);
  EXPECT_EQ(render::parse_layers("none"), state::DebugDrawLayers{0});
  for (const char* wrong : {"", ",", "aabbs,", "AABBs", "aabb", "all,aabbs"})
    EXPECT_FALSE(render::parse_layers(wrong)) << wrong;
  EXPECT_EQ(render::layers_fault("joints,all"), "'all' cannot be combined with other layers");
  EXPECT_EQ(
      render::layers_fault("joints,contact").find("'contact' is not a layer: expected a list"), 0U);
  EXPECT_EQ(render::layers_fault("joints,contacts"), "");
}

}  // namespace
}  // namespace jostle::render
