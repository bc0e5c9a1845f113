#include "client/render/overlay_mesh.h"

#include "client/render/overlay_layers.h"

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

std::vector<OverlayVertex> mesh_of(const state::OverlayItem& item) {
  state::Overlay overlay;
  overlay.items.push_back(item);
  std::vector<OverlayVertex> vertices;
  build_overlay_mesh(overlay, view(), size, vertices);
  return vertices;
}

/// Returns the screen position of a vertex, in pixels.
ScreenPoint seen(const OverlayVertex& vertex) {
  return *project(view(), size, view().eye + vertex.offset);
}

TEST(OverlayMesh, DrawsLinesWithConstantScreenWidth) {
  for (const double z : {5.0, -500.0}) {
    const auto line = mesh_of({{-1, 0, z}, {1, 0, z}, state::OverlayKind::ContactNormal});
    ASSERT_EQ(line.size(), 6U);
    float least = 1e9f, most = -1e9f;
    for (const OverlayVertex& vertex : line) {
      least = std::min(least, seen(vertex).y);
      most = std::max(most, seen(vertex).y);
      EXPECT_EQ(vertex.red, colour_of(state::OverlayKind::ContactNormal).red);
    }
    EXPECT_NEAR(most - least, 1.6f, 0.1f) << z;
  }
}

TEST(OverlayMesh, DrawsPointsAsSquaresAndBoxesAsTwelveLines) {
  const auto point = mesh_of({{0, 1, 0}, {0, 1, 0}, state::OverlayKind::Contact});
  ASSERT_EQ(point.size(), 6U);
  EXPECT_NEAR(std::abs(seen(point[0]).x - seen(point[2]).x), 5.5f, 0.1f);
  EXPECT_EQ(mesh_of({{-1, -1, -1}, {1, 1, 1}, state::OverlayKind::Box}).size(), 12 * 6U);
}

TEST(OverlayMesh, ClipsItemsBehindTheEye) {
  EXPECT_TRUE(mesh_of({{0, 0, 20}, {0, 0, 20}, state::OverlayKind::Contact}).empty());
  EXPECT_TRUE(mesh_of({{0, 0, 20}, {1, 0, 30}, state::OverlayKind::JointArm}).empty());
  const auto line = mesh_of({{0.5, 0, 0}, {0.5, 0, 30}, state::OverlayKind::JointArm});
  ASSERT_EQ(line.size(), 6U);
  for (const OverlayVertex& vertex : line) {
    EXPECT_LE(vertex.offset.z, -0.09f);
    EXPECT_TRUE(std::isfinite(vertex.offset.x));
  }
}

TEST(OverlayMesh, StaysFiniteForALineTowardsTheEye) {
  for (const OverlayVertex& vertex : mesh_of({{0, 0, 0}, {0, 0, 5}, state::OverlayKind::JointArm}))
    EXPECT_TRUE(std::isfinite(vertex.offset.x) && std::isfinite(vertex.offset.y));
}

TEST(OverlayLayers, AreParsedByName) {
  EXPECT_EQ(render::parse_layers("boxes"), bit_of(state::OverlayLayer::Boxes));
  EXPECT_EQ(render::parse_layers("joints,contacts"),
            bit_of(state::OverlayLayer::Joints) | bit_of(state::OverlayLayer::Contacts));
  EXPECT_EQ(render::parse_layers("all"), state::all_overlay_layers);
  EXPECT_EQ(render::parse_layers("none"), state::OverlayLayers{0});
  for (const char* wrong : {"", ",", "boxes,", "Boxes", "box", "all,boxes"})
    EXPECT_FALSE(render::parse_layers(wrong)) << wrong;
}

}  // namespace
}  // namespace jostle::render
