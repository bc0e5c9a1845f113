#include "shared/geometry/hull.h"

#include "shared/geometry/closest_point.h"
#include "shared/geometry/mass_properties.h"
#include "tests/geometry/sampling.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <numeric>
#include <set>

namespace jostle::geometry {
namespace {

using math::Vec3;
using state::ConvexHull;
using namespace jostle::geometry::testing;

double dot_wide(Vec3 a, Vec3 b) {
  return double{a.x} * double{b.x} + double{a.y} * double{b.y} + double{a.z} * double{b.z};
}

float extent_of(const std::vector<Vec3>& points) {
  Vec3 lower = points[0], upper = points[0];
  for (const Vec3 p : points) {
    lower = min_of(lower, p);
    upper = max_of(upper, p);
  }
  const Vec3 size = upper - lower;
  return std::max({size.x, size.y, size.z});
}

/// Expects the invariants of state::ConvexHull, checked without the code under test.
void expect_polyhedron(const ConvexHull& hull, float extent) {
  ASSERT_EQ(hull.vertices.size() + hull.faces.size(), hull.edges.size() + 2) << "V - E + F = 2";
  std::map<std::pair<int, int>, int> face_of;  // keyed by directed edge
  std::vector<int> faces_at(hull.vertices.size(), 0);
  const double slack = 4e-5 * double{extent};
  for (std::size_t f = 0; f < hull.faces.size(); ++f) {
    const state::HullFace& face = hull.faces[f];
    ASSERT_GE(face.corner_count, 3);
    ASSERT_LE(face.first_corner + face.corner_count, hull.corners.size());
    ASSERT_NEAR(length(face.normal), 1.0f, 1e-5f);
    for (int i = 0; i < face.corner_count; ++i) {
      const int tail = hull.corners[face.first_corner + i];
      const int head = hull.corners[face.first_corner + (i + 1) % face.corner_count];
      ASSERT_TRUE(face_of.emplace(std::pair{tail, head}, static_cast<int>(f)).second);
      ++faces_at[static_cast<std::size_t>(tail)];
      const Vec3 corner = hull.vertices[static_cast<std::size_t>(tail)];
      ASSERT_NEAR(dot_wide(face.normal, corner), double{face.offset}, slack) << "flat";
    }
    for (const Vec3 v : hull.vertices)
      ASSERT_LE(dot_wide(face.normal, v), double{face.offset} + slack) << "convex";
  }
  ASSERT_EQ(face_of.size(), 2 * hull.edges.size());
  for (const state::HullEdge& edge : hull.edges) {
    ASSERT_EQ((face_of.at({edge.tail, edge.head})), edge.left);
    ASSERT_EQ((face_of.at({edge.head, edge.tail})), edge.right);
    // Faces with nearly equal normals would have been merged.
    ASSERT_FALSE(hull.faces[edge.left].normal == hull.faces[edge.right].normal);
  }
  for (const int count : faces_at)
    ASSERT_GE(count, 3);
  ASSERT_GT(hull.inner_radius, 0.0f);
}

/// Returns the largest distance of a point from the hull, or 0 if all points are inside.
float worst_outside(const ConvexHull& hull, const std::vector<Vec3>& points) {
  const state::Shape shape = state::solid(share(hull));
  float worst = 0;
  for (const Vec3 p : points)
    worst = std::max(worst, closest_point(shape, p).distance);
  return worst;
}

void expect_hull_of(const std::vector<Vec3>& points) {
  const auto hull = build_hull(points);
  ASSERT_TRUE(hull.has_value()) << describe(hull.error());
  const float extent = extent_of(points);
  expect_polyhedron(*hull, extent);
  EXPECT_LE(worst_outside(*hull, points), 1e-4f * extent);
}

std::vector<Vec3> cloud(std::uint64_t seed, int count, Vec3 scale) {
  base::Random random(seed);
  std::vector<Vec3> points;
  for (int i = 0; i < count; ++i)
    points.push_back(multiply_elements(random_vector(random, 1), scale));
  return points;
}

std::vector<Vec3> on_ball(std::uint64_t seed, int count, Vec3 scale) {
  base::Random random(seed);
  std::vector<Vec3> points;
  while (points.size() < static_cast<std::size_t>(count)) {
    const Vec3 p = random_vector(random, 1);
    const float size = length(p);
    if (size > 0.1f && size <= 1) points.push_back(multiply_elements(p * (1 / size), scale));
  }
  return points;
}

std::vector<Vec3> turned(std::vector<Vec3> points, math::Quat rotation, Vec3 offset) {
  for (Vec3& p : points)
    p = rotate(rotation, p) + offset;
  return points;
}

/// Returns the corners of a box and `per_face` points on each of its faces.
std::vector<Vec3> box_points(base::Random& random, Vec3 half, int per_face) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) {
    points.push_back(multiply_elements(
        half,
        {(i & 1) != 0 ? 1.0f : -1.0f, (i & 2) != 0 ? 1.0f : -1.0f, (i & 4) != 0 ? 1.0f : -1.0f}));
  }
  for (int face = 0; face < 6; ++face) {
    for (int i = 0; i < per_face; ++i) {
      Vec3 p = multiply_elements(random_vector(random, 1), half);
      const float side = face % 2 == 0 ? 1.0f : -1.0f;
      if (face / 2 == 0) p.x = side * half.x;
      if (face / 2 == 1) p.y = side * half.y;
      if (face / 2 == 2) p.z = side * half.z;
      points.push_back(p);
    }
  }
  return points;
}

/// Returns the points of the 64 hulls of the scene hull_pile, with the algorithm of
/// tools/workload/pile_scenes.cpp.
std::vector<std::vector<Vec3>> pile_clouds() {
  std::uint32_t s = 3;
  const auto raw = [&] { return s = s * 1664525U + 1013904223U; };
  const auto between = [&](float a, float b) {
    return a + (b - a) * (static_cast<float>(raw() >> 8) / 16777216.0f);
  };
  std::vector<std::vector<Vec3>> clouds;
  for (int k = 0; k < 64; ++k) {
    const std::size_t count = 12 + (raw() >> 16) % 9;
    const float sx = between(0.7f, 1), sy = between(0.7f, 1), sz = between(0.7f, 1);
    std::vector<Vec3> points;
    while (points.size() < count) {
      const float x = between(-1, 1), y = between(-1, 1), z = between(-1, 1);
      Vec3 v{x, y, z};
      const float size = length(v);
      if (size > 1 || size < 0.1f) continue;
      v *= 0.6f / size;
      const bool is_crowded =
          std::any_of(points.begin(), points.end(), [v](Vec3 p) { return length(p - v) < 0.12f; });
      if (!is_crowded) points.push_back(v);
    }
    for (Vec3& p : points)
      p = multiply_elements(p, {sx, sy, sz});
    clouds.push_back(points);
  }
  return clouds;
}

TEST(Hull, EnclosesRandomPointCloudsInAConvexPolyhedron) {
  for (std::uint64_t seed = 1; seed <= 2'000; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    const float size = 0.01f * static_cast<float>(1U << (seed % 12));
    expect_hull_of(cloud(seed, 4 + static_cast<int>(seed % 60),
                         {size, size * random.between(0.05f, 1), size * random.between(0.05f, 1)}));
    if (HasFatalFailure() || HasNonfatalFailure()) return;
  }
}

TEST(Hull, KeepsEveryPointOfTheHullPileScene) {
  for (const auto& points : pile_clouds()) {
    expect_hull_of(points);
    const ConvexHull hull = build_hull(points).value();
    EXPECT_EQ(hull.vertices.size(), points.size()) << "all lie on an ellipsoid";
  }
}

TEST(Hull, OfABoxWithExtraFacePointsHasSixFaces) {
  for (std::uint64_t seed = 1; seed <= 200; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    const Vec3 half{random.between(0.1f, 3), random.between(0.1f, 3), random.between(0.1f, 3)};
    const auto points = turned(box_points(random, half, 100), random_rotation(random),
                               random_vector(random, seed % 2 == 0 ? 0.0f : 10.0f));
    expect_hull_of(points);
    const ConvexHull hull = build_hull(points).value();
    EXPECT_EQ(hull.faces.size(), 6U);
    EXPECT_EQ(hull.vertices.size(), 8U);
    EXPECT_EQ(hull.edges.size(), 12U);
    const MassProperties mass = mass_properties(state::solid(share(hull)), 1);
    EXPECT_NEAR(mass.mass, 8 * half.x * half.y * half.z, 1e-3f * mass.mass);
  }
}

TEST(Hull, EnclosesPointsOnASphere) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE(seed);
    expect_hull_of(on_ball(seed, 40 + static_cast<int>(2 * seed), {1, 1, 1}));
  }
}

TEST(Hull, BuildsAPolyhedronFromNeedlesAndPlates) {
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    const math::Quat q = random_rotation(random);
    const int count = 5 + static_cast<int>(seed % 80);
    expect_hull_of(turned(cloud(seed, count, {1, 1e-3f, 1e-3f}), q, {}));
    expect_hull_of(turned(cloud(seed, count, {1, 1, 1e-3f}), q, {}));
    expect_hull_of(turned(on_ball(seed, count, {1, 1, 2e-3f}), q, {}));
    expect_hull_of(turned(on_ball(seed, count, {2e-3f, 1, 2e-3f}), q, {}));
  }
}

TEST(Hull, BuildsAPolyhedronFromNearlyCoplanarPoints) {
  // Merging is hardest if the noise is about as large as the tolerance.
  for (std::uint64_t seed = 1; seed <= 600; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    auto points = box_points(random, {1, 0.5f, 0.8f}, 30);
    const float noise = 1e-7f * static_cast<float>(1U << (seed % 14));
    for (Vec3& p : points)
      p += random_vector(random, noise);
    expect_hull_of(turned(points, random_rotation(random), {}));
  }
}

TEST(Hull, BuildsAPolyhedronFromDiscsWithManyRimPoints) {
  for (int count = 3; count <= 128; ++count) {
    SCOPED_TRACE(count);
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) {
      const double angle = 6.283185307179586 * i / count;
      const auto x = static_cast<float>(std::cos(angle)), z = static_cast<float>(std::sin(angle));
      points.push_back({x, 0.01f, z});
      points.push_back({x, -0.01f, z});
    }
    expect_hull_of(points);
    EXPECT_EQ(build_hull(points).value().faces.size(), static_cast<std::size_t>(count) + 2);
  }
}

TEST(Hull, IsIndependentOfPointOrderAndDuplicates) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    auto points = box_points(random, {1, 2, 0.5f}, 20);
    const auto first = build_hull(points).value();
    const std::size_t count = points.size();
    for (std::size_t i = 0; i < count; i += 3)
      points.push_back(points[i]);
    for (std::size_t i = points.size() - 1; i > 0; --i)
      std::swap(points[i], points[random.below(static_cast<std::uint32_t>(i + 1))]);
    EXPECT_EQ(build_hull(points).value(), first);
  }
}

TEST(Hull, AssembleReproducesAHullFromItsVerticesAndFaces) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const ConvexHull hull = build_hull(cloud(seed, 30, {1, 0.3f, 2})).value();
    std::vector<std::vector<std::uint16_t>> faces;
    for (const state::HullFace& face : hull.faces) {
      const auto first = hull.corners.begin() + face.first_corner;
      faces.emplace_back(first, first + face.corner_count);
    }
    const auto again = assemble_hull(hull.vertices, faces);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(*again, hull);
  }
}

TEST(Hull, AssembleRejectsInvalidPolyhedra) {
  const ConvexHull cube = build_hull(std::vector<Vec3>{{0, 0, 0},
                                                       {1, 0, 0},
                                                       {0, 1, 0},
                                                       {1, 1, 0},
                                                       {0, 0, 1},
                                                       {1, 0, 1},
                                                       {0, 1, 1},
                                                       {1, 1, 1}})
                              .value();
  std::vector<std::vector<std::uint16_t>> good;
  for (const state::HullFace& face : cube.faces) {
    const auto first = cube.corners.begin() + face.first_corner;
    good.emplace_back(first, first + face.corner_count);
  }
  ASSERT_TRUE(assemble_hull(cube.vertices, good));

  auto faces = good;
  faces.pop_back();
  EXPECT_FALSE(assemble_hull(cube.vertices, faces)) << "open";
  faces = good;
  faces.push_back(good[0]);
  EXPECT_FALSE(assemble_hull(cube.vertices, faces)) << "one face twice";
  faces = good;
  for (auto& face : faces)
    std::reverse(face.begin(), face.end());
  EXPECT_FALSE(assemble_hull(cube.vertices, faces)) << "inside out";
  faces = good;
  std::reverse(faces[2].begin(), faces[2].end());
  EXPECT_FALSE(assemble_hull(cube.vertices, faces)) << "one face turned";
  faces = good;
  faces[0][0] = 8;
  EXPECT_FALSE(assemble_hull(cube.vertices, faces)) << "no such vertex";
  faces = good;
  std::swap(faces[0][0], faces[0][1]);
  EXPECT_FALSE(assemble_hull(cube.vertices, faces)) << "a bow tie";
  auto vertices = cube.vertices;
  vertices[0] = {0.6f, 0.6f, 0.6f};
  EXPECT_FALSE(assemble_hull(vertices, good)) << "a dent";
  vertices = cube.vertices;
  vertices[3].y = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(assemble_hull(vertices, good)) << "not finite";
  vertices = cube.vertices;
  vertices.push_back({0.5f, 0.5f, 0.5f});
  EXPECT_FALSE(assemble_hull(vertices, good)) << "a vertex without faces";
  EXPECT_FALSE(assemble_hull({}, {}));
}

TEST(Hull, RejectsPointsWithoutVolumeOrOutOfRange) {
  const auto error = [](const std::vector<Vec3>& points) { return build_hull(points).error(); };
  EXPECT_EQ(error({}), HullError::TooFewPoints);
  EXPECT_EQ(error({{1, 1, 1}, {1, 1, 1}, {0, 0, 1}, {0, 1, 0}}), HullError::TooFewPoints);
  EXPECT_EQ(error({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}}), HullError::Flat);
  EXPECT_EQ(error({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {3, 2, 0}}), HullError::Flat);
  EXPECT_EQ(error({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 1e-6f}}), HullError::Flat);
  EXPECT_EQ(error({{0, 0, 0}, {1e-5f, 0, 0}, {0, 1e-5f, 0}, {0, 0, 1e-5f}}), HullError::TooSmall);
  EXPECT_EQ(error({{0, 0, 0}, {1e6f, 0, 0}, {0, 1, 0}, {0, 0, 1}}), HullError::TooLarge);
  const float not_a_number = std::numeric_limits<float>::quiet_NaN();
  EXPECT_EQ(error({{0, 0, 0}, {1, 0, 0}, {0, not_a_number, 0}, {0, 0, 1}}), HullError::NotFinite);
  EXPECT_EQ(error(on_ball(1, 2'000, {1, 1, 1})), HullError::TooManyVertices);
  EXPECT_EQ(error(std::vector<Vec3>(max_hull_points + 1)), HullError::TooManyPoints);
}

TEST(Hull, DifferentHullsHaveDifferentHashes) {
  std::set<std::uint64_t> hashes;
  for (const auto& points : pile_clouds())
    hashes.insert(share(build_hull(points).value())->content_hash);
  EXPECT_EQ(hashes.size(), 64U);
}

}  // namespace
}  // namespace jostle::geometry
