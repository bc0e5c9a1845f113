#include "shared/geometry/surface.h"

#include "shared/geometry/closest_point.h"
#include "shared/geometry/ray_cast.h"
#include "shared/geometry/triangle_block.h"
#include "tests/geometry/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

namespace jostle::geometry {
namespace {

using math::Vec3;
using state::HeightField;
using state::TriangleMesh;
using namespace jostle::geometry::testing;

/// Returns a height field of count × (count + 3) random samples, with cells of 0.5 m × 0.4 m.
HeightField hills(std::uint64_t seed, std::uint32_t count) {
  base::Random random(seed);
  HeightField field;
  field.count_x = count;
  field.count_z = count + 3;
  field.cell_x = 0.5f;
  field.cell_z = 0.4f;
  for (std::uint32_t i = 0; i < field.count_x * field.count_z; ++i)
    field.heights.push_back(random.between(-0.3f, 0.3f));
  return field;
}

/// Returns the same surface as a mesh with its triangles in the same order.
TriangleMesh as_mesh(const HeightField& field) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < field.count_x; ++i) {
    for (std::uint32_t j = 0; j < field.count_z; ++j) {
      mesh.vertices.push_back({static_cast<float>(i) * field.cell_x,
                               field.heights[i * field.count_z + j],
                               static_cast<float>(j) * field.cell_z});
    }
  }
  for (std::uint32_t i = 0; i + 1 < field.count_x; ++i) {
    for (std::uint32_t j = 0; j + 1 < field.count_z; ++j) {
      const std::uint32_t a = i * field.count_z + j, b = a + 1, c = a + field.count_z, d = c + 1;
      mesh.triangles.push_back({a, b, d});
      mesh.triangles.push_back({a, d, c});
    }
  }
  return mesh;
}

TEST(Surface, MeshAndHeightFieldQueriesFindTheSameTriangles) {
  const HeightField field = hills(1, 20);
  const state::Shape as_field = state::solid(share(field));
  const state::Shape mesh = state::solid(share(as_mesh(field)));
  ASSERT_EQ(triangle_count(*as_field.solid), triangle_count(*mesh.solid));
  base::Random random(2);
  std::vector<SurfaceTriangle> in_field, in_mesh;
  std::size_t total = 0;
  for (int i = 0; i < 3'000; ++i) {
    SCOPED_TRACE(i);
    const Vec3 centre{random.between(-2, 12), random.between(-0.5f, 0.5f), random.between(-2, 12)};
    const Vec3 half{random.between(0, 2), random.between(0, 0.3f), random.between(0, 2)};
    find_triangles(as_field, centre - half, centre + half, in_field);
    find_triangles(mesh, centre - half, centre + half, in_mesh);
    // Test all triangles to find the expected ones.
    std::vector<std::uint32_t> expected;
    for (std::uint32_t t = 0; t < triangle_count(*mesh.solid); ++t) {
      const auto& c = triangle_of(*mesh.solid, t).corners;
      const Vec3 low = min_of(min_of(c[0], c[1]), c[2]), high = max_of(max_of(c[0], c[1]), c[2]);
      const Vec3 gap = max_of(low - (centre + half), (centre - half) - high);
      if (gap.x <= 0 && gap.y <= 0 && gap.z <= 0) expected.push_back(t);
    }
    ASSERT_EQ(in_mesh.size(), expected.size());
    ASSERT_EQ(in_field.size(), expected.size());
    for (auto* found : {&in_field, &in_mesh}) {
      std::sort(found->begin(), found->end(),
                [](const auto& x, const auto& y) { return x.index < y.index; });
    }
    total += expected.size();
    for (std::size_t k = 0; k < expected.size(); ++k) {
      ASSERT_EQ(in_mesh[k].index, expected[k]);
      ASSERT_EQ(in_field[k].index, expected[k]);
      ASSERT_EQ(in_mesh[k].corners, in_field[k].corners);
      ASSERT_EQ(in_mesh[k].vertices, in_field[k].vertices);
      ASSERT_EQ(in_mesh[k].convex_edges, in_field[k].convex_edges);
    }
  }
  EXPECT_GT(total, 10'000U);
}

// Triangles may have vertices of their own. Vertices at the same position are one corner.
TEST(Surface, TrianglesShareCornersAtTheSamePosition) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {0, 0, 1}, {1, 0, 1}, {0, 0, 0}, {1, 0, 1}, {1, -0.0f, 0}};
  mesh.triangles = {{0, 1, 2}, {3, 4, 5}};
  const auto solid = share(mesh);
  const SurfaceTriangle one = triangle_of(*solid, 0), other = triangle_of(*solid, 1);
  EXPECT_EQ(one.vertices[0], other.vertices[0]);
  EXPECT_EQ(one.vertices[2], other.vertices[1]);
  EXPECT_NE(one.vertices[1], other.vertices[2]);
  EXPECT_EQ(other.corners[2], (Vec3{1, 0, 0}));
}

// Blocks contain everything that find_triangles finds, and each vertex and each convex edge has one
// owner.
TEST(Surface, BlocksContainAllOverlappingTrianglesAndEachPartHasOneOwner) {
  const HeightField field = hills(5, 14);
  for (const state::Shape& shape :
       {state::solid(share(field)), state::solid(share(as_mesh(field)))}) {
    base::Random random(6);
    FoundBlocks blocks;
    std::vector<SurfaceTriangle> triangles;
    for (int i = 0; i < 200; ++i) {
      const Vec3 centre{random.between(0, 7), random.between(-1, 1), random.between(0, 7)};
      const Vec3 half{random.between(0.1f, 2), random.between(0.1f, 2), random.between(0.1f, 2)};
      find_triangles(shape, centre - half, centre + half, triangles);
      find_blocks(shape, centre - half, centre + half, blocks);
      std::map<std::uint32_t, Vec3> first_corners;
      std::map<std::uint32_t, int> owners;
      for (const TriangleBlock* block : blocks.list) {
        for (std::uint32_t lane = 0; lane < 8; ++lane) {
          if ((block->present >> lane & 1) == 0) continue;
          EXPECT_TRUE(first_corners.emplace(block->index[lane], block->corner(0, lane)).second);
          for (std::size_t c = 0; c < 3; ++c) {
            EXPECT_EQ(block->own_edges[c] & ~block->convex_edges[c], 0);
            if ((block->own_corners[c] >> lane & 1) != 0) ++owners[block->vertices[c][lane]];
          }
        }
      }
      for (const SurfaceTriangle& t : triangles) {
        ASSERT_TRUE(first_corners.contains(t.index));
        EXPECT_EQ(first_corners[t.index], t.corners[0]);
      }
      for (const auto& [vertex, count] : owners)
        EXPECT_EQ(count, 1) << vertex;
    }
    // Among all triangles, each convex edge has one owner.
    find_blocks(shape, {-100, -100, -100}, {100, 100, 100}, blocks);
    using Ends = std::pair<std::uint32_t, std::uint32_t>;
    std::map<Ends, int> owners;
    std::set<Ends> convex;
    for (const TriangleBlock* block : blocks.list) {
      for (std::uint32_t lane = 0; lane < 8; ++lane) {
        for (std::size_t e = 0; e < 3; ++e) {
          const std::uint32_t p = block->vertices[e][lane], q = block->vertices[(e + 1) % 3][lane];
          const Ends ends = std::minmax(p, q);
          if ((block->convex_edges[e] >> lane & 1) != 0) convex.insert(ends);
          if ((block->own_edges[e] >> lane & 1) != 0) ++owners[ends];
        }
      }
    }
    EXPECT_GT(convex.size(), 50U);
    EXPECT_EQ(owners.size(), convex.size());
    for (const auto& [ends, count] : owners) {
      EXPECT_EQ(count, 1) << ends.first << ' ' << ends.second;
      EXPECT_TRUE(convex.contains(ends));
    }
  }
}

TEST(Surface, FarBoxesFindNoTriangles) {
  std::vector<SurfaceTriangle> found;
  for (const state::Shape& shape :
       {state::solid(share(hills(1, 9))), state::solid(share(as_mesh(hills(1, 9))))}) {
    for (const float far : {-3e38f, -1e9f, -3.0f, 30.0f, 1e9f, 3e38f}) {
      find_triangles(shape, {far, far, far}, {far, far, far}, found);
      EXPECT_TRUE(found.empty());
    }
    find_triangles(shape, {-3e38f, -3e38f, -3e38f}, {3e38f, 3e38f, 3e38f}, found);
    EXPECT_EQ(found.size(), triangle_count(*shape.solid));
  }
}

/// Returns two triangles with the common edge from (0, 0, 0) to (0, 0, 1). Their other corners have
/// the heights `left` and `right`.
TriangleMesh bent(float left, float right) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {0, 0, 1}, {1, right, 0}, {-1, left, 0}};
  mesh.triangles = {{0, 1, 2}, {1, 0, 3}};
  return mesh;
}

TEST(Surface, OnlyConvexAndBorderEdgesAreMarkedConvex) {
  const auto bits = [](const TriangleMesh& mesh, std::uint32_t triangle) {
    return triangle_of(*share(mesh), triangle).convex_edges;
  };
  for (const std::uint32_t triangle : {0U, 1U}) {
    EXPECT_EQ(bits(bent(-0.1f, -0.1f), triangle), 0b111) << "a ridge";
    EXPECT_EQ(bits(bent(0, 0), triangle), 0b110) << "flat";
    EXPECT_EQ(bits(bent(0.1f, 0.1f), triangle), 0b110) << "a valley";
    EXPECT_EQ(bits(bent(0.5f, -0.5f), triangle), 0b110) << "flat on a slope";
    EXPECT_EQ(bits(bent(-0.0004f, -0.0004f), triangle), 0b110) << "nearly flat";
  }
}

TEST(Surface, DuplicateVerticesCountAsOne) {
  TriangleMesh mesh = bent(0, 0);
  mesh.vertices.push_back(mesh.vertices[0]);
  mesh.vertices.push_back(mesh.vertices[1]);
  mesh.triangles[1] = {5, 4, 3};
  EXPECT_EQ(triangle_of(*share(mesh), 0).convex_edges, 0b110);
}

TEST(Surface, PairsTheFlattestOfThreeTrianglesAtAnEdge) {
  TriangleMesh mesh = bent(0, 0);
  mesh.vertices.push_back({0, 1, 0.5f});
  mesh.triangles.push_back({0, 1, 4});
  const auto solid = share(mesh);
  EXPECT_EQ(triangle_of(*solid, 0).convex_edges, 0b110);
  EXPECT_EQ(triangle_of(*solid, 1).convex_edges, 0b110);
  EXPECT_EQ(triangle_of(*solid, 2).convex_edges, 0b111) << "a fin perpendicular to them";
}

TEST(Surface, DuplicateTrianglesAddNoConvexEdges) {
  for (const bool is_turned : {false, true}) {
    TriangleMesh mesh = bent(0, 0);
    for (auto [p, q, r] : TriangleMesh(mesh).triangles) {
      if (is_turned) std::swap(q, r);
      mesh.triangles.push_back({p, q, r});
    }
    const auto solid = share(mesh);
    EXPECT_EQ(triangle_of(*solid, 0).convex_edges, 0b110);
    EXPECT_EQ(triangle_of(*solid, 1).convex_edges, 0b110);
  }
}

/// Returns a triangle with the edge from (0, 0, 0) to (0, 0, 4), and two triangles on the other
/// side of this edge. These share a corner at z = `middle` of the edge, and their other corners
/// have the height `slope`.
TriangleMesh with_corner_in_edge(float slope, float middle) {
  TriangleMesh mesh;
  mesh.vertices = {{0, 0, 0}, {0, 0, 4}, {2, 0, 2}, {0, 0, middle}, {-1, slope, 1}, {-1, slope, 3}};
  mesh.triangles = {{0, 1, 2}, {3, 0, 4}, {1, 3, 5}};
  return mesh;
}

TEST(Surface, TJunctionsMakeNoBorder) {
  const auto bit = [](const TriangleMesh& mesh, std::uint32_t triangle) {
    return triangle_of(*share(mesh), triangle).convex_edges & 1;
  };
  for (const std::uint32_t triangle : {0U, 1U, 2U}) {
    EXPECT_EQ(bit(with_corner_in_edge(0, 1.3f), triangle), 0) << "flat";
    EXPECT_EQ(bit(with_corner_in_edge(0.2f, 1.3f), triangle), 0) << "a valley";
    EXPECT_EQ(bit(with_corner_in_edge(-0.2f, 1.3f), triangle), 1) << "a ridge";
  }
  TriangleMesh half = with_corner_in_edge(0, 1.3f);
  half.triangles.pop_back();
  EXPECT_EQ(bit(half, 0), 1) << "part of it is a border";
  EXPECT_EQ(bit(half, 1), 0);
}

TEST(Surface, RayHitsTheNearestFrontFace) {
  const HeightField field = hills(3, 24);
  const state::Shape as_field = state::solid(share(field));
  const state::Shape mesh = state::solid(share(as_mesh(field)));
  base::Random random(4);
  int hits = 0;
  for (int i = 0; i < 4'000; ++i) {
    SCOPED_TRACE(i);
    const Vec3 origin{random.between(-3, 15), random.between(-1, 3), random.between(-3, 14)};
    const Vec3 translation = random_vector(random, 12);
    const auto on_field = cast_ray(as_field, origin, translation);
    const auto on_mesh = cast_ray(mesh, origin, translation);
    ASSERT_EQ(on_field.has_value(), on_mesh.has_value());
    if (!on_mesh) continue;
    ++hits;
    EXPECT_EQ(on_field->fraction, on_mesh->fraction);
    EXPECT_EQ(on_field->normal, on_mesh->normal);
    EXPECT_LT(dot(on_mesh->normal, translation), 0.0f);
    const Vec3 at = origin + translation * on_mesh->fraction;
    EXPECT_NEAR(closest_point(mesh, at).distance, 0.0f, 1e-5f);
  }
  EXPECT_GT(hits, 300);
}

TEST(Surface, RaysDoNotPassThroughEdgesOrVertices) {
  const HeightField field = hills(5, 12);
  for (const state::Shape& shape :
       {state::solid(share(field)), state::solid(share(as_mesh(field)))}) {
    base::Random random(6);
    for (std::uint32_t i = 1; i + 1 < field.count_x; ++i) {
      for (std::uint32_t j = 1; j + 1 < field.count_z; ++j) {
        const Vec3 vertex{static_cast<float>(i) * field.cell_x,
                          field.heights[i * field.count_z + j],
                          static_cast<float>(j) * field.cell_z};
        const Vec3 from = vertex + Vec3{random.between(-1, 1), 5, random.between(-1, 1)};
        EXPECT_TRUE(cast_ray(shape, from, 2.0f * (vertex - from)));
        EXPECT_TRUE(cast_ray(shape, {vertex.x, 4, vertex.z}, {0, -8, 0}));
        EXPECT_TRUE(cast_ray(shape, {vertex.x, 4, vertex.z + 0.1f}, {0, -8, 0}));
        EXPECT_FALSE(cast_ray(shape, {vertex.x, -4, vertex.z}, {0, 8, 0})) << "from the back";
      }
    }
  }
}

TEST(Surface, ClosestPointIsTheNearestOfAllTriangles) {
  const HeightField field = hills(7, 14);
  const state::Shape as_field = state::solid(share(field));
  const state::Shape mesh = state::solid(share(as_mesh(field)));
  base::Random random(8);
  for (int i = 0; i < 600; ++i) {
    SCOPED_TRACE(i);
    const Vec3 p{random.between(-3, 10), random.between(-2, 2), random.between(-3, 10)};
    const SurfacePoint on_field = closest_point(as_field, p), on_mesh = closest_point(mesh, p);
    EXPECT_EQ(on_field.point, on_mesh.point);
    EXPECT_EQ(on_field.distance, on_mesh.distance);
    EXPECT_NEAR(length(on_mesh.point + on_mesh.normal * on_mesh.distance - p), 0.0f, 1e-5f);
    // No sampled point of any triangle is nearer.
    for (int k = 0; k < 200; ++k) {
      const auto& c = triangle_of(*mesh.solid, random.below(triangle_count(*mesh.solid))).corners;
      const float u = random.between(0, 1), v = random.between(0, 1 - u);
      const Vec3 other = c[0] + (c[1] - c[0]) * u + (c[2] - c[0]) * v;
      ASSERT_GE(length(other - p), on_mesh.distance - 1e-5f);
    }
    const math::Pose pose{{7, 8, 9}, random_rotation(random)};
    const math::Position centre = transform_point(pose, p);
    EXPECT_TRUE(overlaps_sphere(as_field, pose, centre, on_mesh.distance + 1e-4f));
    EXPECT_TRUE(overlaps_sphere(mesh, pose, centre, on_mesh.distance + 1e-4f));
    if (on_mesh.distance < 1e-3f) continue;
    EXPECT_FALSE(overlaps_sphere(as_field, pose, centre, on_mesh.distance - 1e-4f));
    EXPECT_FALSE(overlaps_sphere(mesh, pose, centre, on_mesh.distance - 1e-4f));
  }
}

TEST(Surface, RejectsInvalidMeshes) {
  TriangleMesh mesh = bent(0, 0);
  EXPECT_FALSE(check_surface(mesh));
  mesh.triangles[1][2] = 4;
  EXPECT_EQ(check_surface(mesh), SurfaceError::WrongIndex);
  mesh = bent(0, 0);
  mesh.triangles.clear();
  EXPECT_EQ(check_surface(mesh), SurfaceError::Empty);
  mesh = bent(0, 0);
  mesh.vertices[2].x = std::numeric_limits<float>::infinity();
  EXPECT_EQ(check_surface(mesh), SurfaceError::NotFinite);
  mesh.vertices[2].x = 2e5f;
  EXPECT_EQ(check_surface(mesh), SurfaceError::TooLarge);
  mesh = bent(0, 0);
  mesh.vertices[2] = {0, 0, 3};
  EXPECT_EQ(check_surface(mesh), SurfaceError::Degenerate);
  EXPECT_EQ(drop_degenerate(mesh), 1U);
  EXPECT_FALSE(check_surface(mesh));
}

TEST(Surface, RejectsInvalidHeightFields) {
  const HeightField good = hills(9, 4);
  EXPECT_FALSE(check_surface(good));
  HeightField field = good;
  field.heights.pop_back();
  EXPECT_EQ(check_surface(field), SurfaceError::WrongCount);
  field = good;
  field.count_x = 1;
  EXPECT_EQ(check_surface(field), SurfaceError::Empty);
  field.count_x = field.count_z = 0xFFFFFFFFU;
  EXPECT_EQ(check_surface(field), SurfaceError::TooMany);
  field = good;
  field.cell_x = 0;
  EXPECT_EQ(check_surface(field), SurfaceError::TooSmall);
  field.cell_x = 1e5f;
  EXPECT_EQ(check_surface(field), SurfaceError::TooLarge);
  field = good;
  field.heights[5] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(check_surface(field), SurfaceError::NotFinite);
}

TEST(Surface, HashDependsOnTheContentOnly) {
  const HeightField field = hills(10, 6);
  HeightField other = field;
  EXPECT_EQ(share(field)->content_hash, share(other)->content_hash);
  other.heights[3] += 1e-3f;
  EXPECT_NE(share(field)->content_hash, share(other)->content_hash);
  other = field;
  std::swap(other.count_x, other.count_z);
  EXPECT_NE(share(field)->content_hash, share(other)->content_hash);
  EXPECT_NE(share(field)->content_hash, share(as_mesh(field))->content_hash);
}

}  // namespace
}  // namespace jostle::geometry
