#include "shared/geometry/closed_mesh.h"

#include "tests/geometry/closed_meshes.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <utility>

namespace jostle::geometry {
namespace {

using state::TriangleMesh;
using namespace jostle::geometry::testing;

/// Returns a tetrahedron. Vertices 0 to 3 are the origin and the points at 1 m along x, y and z.
TriangleMesh tetrahedron() {
  return {{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
          {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
}

std::string fault_of(const TriangleMesh& mesh) {
  const auto fault = find_fault(mesh);
  return fault ? describe(*fault) : "none";
}

TEST(ClosedMesh, EnclosedVolumeMatchesTheExactVolume) {
  EXPECT_DOUBLE_EQ(enclosed_volume(tetrahedron()), 1.0 / 6);
  EXPECT_DOUBLE_EQ(enclosed_volume(cells({{"#..", "#..", "###"}})), 5.0);
  // Between two neighbouring sections, the solid is swept along a straight line. An area element dA
  // at radius x sweeps a volume of x·sin(2π/24)·dA. The mean radius of the section is 1.
  const double tube = 12 * 0.5 * 0.3 * 0.3 * std::sin(6.283185307179586 / 12);
  const double around = 24 * std::sin(6.283185307179586 / 24);
  EXPECT_NEAR(enclosed_volume(torus(1, 0.3f, 24, 12)), tube * around, 1e-5);
}

TEST(ClosedMesh, AcceptsSharedAndDuplicatedVertices) {
  EXPECT_EQ(fault_of(tetrahedron()), "none");
  EXPECT_EQ(fault_of(torus(1, 0.3f, 12, 6)), "none");
  EXPECT_EQ(fault_of(bowl(1, 0.8f, 12, 4)), "none");
  TriangleMesh split = tetrahedron();
  split.vertices.push_back({-0.0f, 0, -0.0f});
  split.triangles[1][0] = 4;
  EXPECT_EQ(fault_of(split), "none") << "vertices at the same position count as one";
}

TEST(ClosedMesh, ReportsTheFirstOpenEdge) {
  TriangleMesh mesh = tetrahedron();
  mesh.triangles.pop_back();
  EXPECT_EQ(fault_of(mesh),
            "is open: no other triangle shares the edge from vertex 2 to vertex 1 of triangle 0");
  mesh = tetrahedron();
  mesh.triangles.erase(mesh.triangles.begin());
  EXPECT_EQ(fault_of(mesh),
            "is open: no other triangle shares the edge from vertex 0 to vertex 1 of triangle 0");
}

TEST(ClosedMesh, ReportsTheEdgeOfATriangleWithReversedWinding) {
  TriangleMesh mesh = tetrahedron();
  std::swap(mesh.triangles[3][1], mesh.triangles[3][2]);
  EXPECT_EQ(fault_of(mesh),
            "has two triangles that run in the same direction along the edge from vertex 2 to "
            "vertex 1 of "
            "triangle 0: one of them is inside out");
}

TEST(ClosedMesh, ReportsAnEdgeSharedByThreeTriangles) {
  TriangleMesh mesh = tetrahedron();
  mesh.vertices.push_back({1, 1, 1});
  mesh.triangles.push_back({1, 3, 4});
  EXPECT_EQ(
      fault_of(mesh),
      "has more than two triangles that share the edge from vertex 1 to vertex 3 of triangle 1");
  // The mesh of two solids that touch along an edge is also rejected.
  EXPECT_NE(fault_of(cells({{"#.", ".#"}})).find("has more than two triangles"), std::string::npos);
}

TEST(ClosedMesh, RejectsInsideOutAndFlatMeshes) {
  TriangleMesh mesh = torus(1, 0.3f, 12, 6);
  for (auto& triangle : mesh.triangles)
    std::swap(triangle[0], triangle[1]);
  EXPECT_EQ(fault_of(mesh),
            "is inside out: its triangles must run counter-clockwise seen from outside");
  const TriangleMesh sheet{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {{0, 1, 2}, {0, 2, 1}}};
  EXPECT_EQ(fault_of(sheet), "encloses no volume");
}

TEST(ClosedMesh, ReportsTheInvalidVertexOrTriangle) {
  EXPECT_EQ(fault_of({}), "has no triangles");
  TriangleMesh mesh = tetrahedron();
  mesh.vertices[2].y = std::numeric_limits<float>::infinity();
  EXPECT_EQ(fault_of(mesh), "has a coordinate that is not finite at vertex 2");
  mesh.vertices[2].y = 1e6f;
  EXPECT_EQ(fault_of(mesh), "has a coordinate above 100000 m at vertex 2");
  mesh = tetrahedron();
  mesh.triangles[2][1] = 9;
  EXPECT_EQ(fault_of(mesh), "has no vertex 9, to which triangle 2 refers");
  mesh = tetrahedron();
  mesh.triangles[1][1] = 0;
  EXPECT_EQ(fault_of(mesh), "is degenerate (no area) at triangle 1");
}

}  // namespace
}  // namespace jostle::geometry
