#include "shared/geometry/convex_decomposition.h"

#include "shared/base/hash.h"
#include "shared/base/random.h"
#include "shared/geometry/hull.h"
#include "shared/geometry/shape_check.h"
#include "shared/math/vec3d.h"
#include "tests/geometry/closed_meshes.h"
#include "tests/geometry/sampling.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <ostream>
#include <string>

namespace jostle::geometry {
namespace {

using math::Vec3;
using math::Vec3d;
using state::ConvexHull;
using state::TriangleMesh;
using namespace jostle::geometry::testing;

// --- Reference implementations of the solid and of distances, without the code under test.

Vec3d corner(const TriangleMesh& mesh, std::size_t triangle, std::size_t i) {
  return widened(mesh.vertices[mesh.triangles[triangle][i]]);
}

/// Computes the winding number from the solid angles of the triangles (van Oosterom, Strackee, "The
/// Solid Angle of a Plane Triangle", 1983).
double winding_number(const TriangleMesh& mesh, Vec3d p) {
  double sum = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3d a = corner(mesh, t, 0) - p, b = corner(mesh, t, 1) - p, c = corner(mesh, t, 2) - p;
    const double la = length(a), lb = length(b), lc = length(c);
    sum += 2 * std::atan2(dot(a, cross(b, c)),
                          la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return sum / (4 * 3.141592653589793);
}

double distance_to_edge(Vec3d p, Vec3d a, Vec3d b) {
  const double t = std::clamp(dot(p - a, b - a) / dot(b - a, b - a), 0.0, 1.0);
  return length(p - (a + (b - a) * t));
}

double distance_to_surface(const TriangleMesh& mesh, Vec3d p) {
  double best = std::numeric_limits<double>::max();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Vec3d a = corner(mesh, t, 0), b = corner(mesh, t, 1), c = corner(mesh, t, 2);
    const Vec3d n = cross(b - a, c - a) * (1 / length(cross(b - a, c - a)));
    best = std::min(
        {best, distance_to_edge(p, a, b), distance_to_edge(p, b, c), distance_to_edge(p, c, a)});
    const bool is_over = dot(cross(b - a, p - a), n) >= 0 && dot(cross(c - b, p - b), n) >= 0 &&
                         dot(cross(a - c, p - c), n) >= 0;
    if (is_over) best = std::min(best, std::abs(dot(n, p - a)));
  }
  return best;
}

bool is_in_solid(const TriangleMesh& mesh, Vec3d p) {
  return winding_number(mesh, p) > 0.5;
}

double distance_to_solid(const TriangleMesh& mesh, Vec3d p) {
  return is_in_solid(mesh, p) ? 0.0 : distance_to_surface(mesh, p);
}

/// Returns the largest signed distance of `p` from a face plane of the hull. It is at most 0 if `p`
/// is inside.
double height_above(const ConvexHull& hull, Vec3d p) {
  double height = std::numeric_limits<double>::lowest();
  for (const state::HullFace& face : hull.faces)
    height = std::max(height, dot(widened(face.normal), p) - double{face.offset});
  return height;
}

double height_above(const std::vector<ConvexHull>& hulls, Vec3d p) {
  double height = std::numeric_limits<double>::max();
  for (const ConvexHull& hull : hulls)
    height = std::min(height, height_above(hull, p));
  return height;
}

struct Box {
  Vec3d lower, size;
  double extent = 0;
};

Box box_of(const TriangleMesh& mesh) {
  Vec3 lower = mesh.vertices[0], upper = lower;
  for (const Vec3 v : mesh.vertices) {
    lower = min_of(lower, v);
    upper = max_of(upper, v);
  }
  const Vec3d size = widened(upper) - widened(lower);
  return {widened(lower), size, std::max({size.x, size.y, size.z})};
}

double volume_of(const ConvexHull& hull) {
  const Vec3d origin = widened(hull.vertices[0]);
  double sum = 0;
  for (const state::HullFace& face : hull.faces) {
    const auto at = [&](std::size_t i) {
      return widened(hull.vertices[hull.corners[face.first_corner + i]]) - origin;
    };
    for (std::size_t i = 2; i < face.corner_count; ++i)
      sum += dot(at(0), cross(at(i - 1), at(i)));
  }
  return sum / 6;
}

double volume_of(const std::vector<ConvexHull>& hulls) {
  double sum = 0;
  for (const ConvexHull& hull : hulls)
    sum += volume_of(hull);
  return sum;
}

// --- Properties that every decomposition must have.

void expect_convex(const ConvexHull& hull, double slack) {
  for (const Vec3 v : hull.vertices)
    ASSERT_LE(height_above(hull, widened(v)), slack);
  ASSERT_FALSE(check_shape(state::solid(share(hull))));
}

/// Expects that random points of the mesh's surface and of its solid are inside at least one hull.
void expect_cover(const TriangleMesh& mesh, const std::vector<ConvexHull>& hulls, int count) {
  base::Random random(11);
  const Box box = box_of(mesh);
  const double slack = 4e-5 * box.extent;
  int inside = 0;
  for (int i = 0; i < count; ++i) {
    const Vec3d share = widened(random_vector(random, 0.5f)) + Vec3d{0.5, 0.5, 0.5};
    const Vec3d anywhere =
        box.lower + Vec3d{share.x * box.size.x, share.y * box.size.y, share.z * box.size.z};
    const auto t = random.below(static_cast<std::uint32_t>(mesh.triangles.size()));
    const double u = share.x * share.y, v = (1 - share.x) * share.y;
    const Vec3d on_surface =
        corner(mesh, t, 0) * (1 - u - v) + corner(mesh, t, 1) * u + corner(mesh, t, 2) * v;
    ASSERT_LE(height_above(hulls, on_surface), slack);
    if (!is_in_solid(mesh, anywhere)) continue;
    ++inside;
    ASSERT_LE(height_above(hulls, anywhere), slack);
  }
  EXPECT_GT(inside, 0);
}

/// Expects that random points of the hulls, half of them on their faces, are at most `error` from
/// the solid.
void expect_no_excess(const TriangleMesh& mesh, const std::vector<ConvexHull>& hulls, double error,
                      int count) {
  base::Random random(12);
  for (int i = 0; i < count; ++i) {
    const ConvexHull& hull = hulls[random.below(static_cast<std::uint32_t>(hulls.size()))];
    const state::HullFace& face =
        hull.faces[random.below(static_cast<std::uint32_t>(hull.faces.size()))];
    Vec3d on_face;
    double total = 0;
    for (std::size_t c = 0; c < face.corner_count; ++c) {
      const double weight = double{random.between(0, 1)} + 1e-3;
      on_face = on_face + widened(hull.vertices[hull.corners[face.first_corner + c]]) * weight;
      total += weight;
    }
    on_face = on_face * (1 / total);
    const auto any = random.below(static_cast<std::uint32_t>(hull.vertices.size()));
    const Vec3d across = widened(hull.vertices[any]);
    const double depth = i % 2 == 0 ? 0.0 : double{random.between(0, 1)};
    ASSERT_LE(distance_to_solid(mesh, on_face + (across - on_face) * depth), error + 1e-9);
  }
}

struct Row {
  const char* name;
  TriangleMesh mesh;
  DecompositionOptions options;
  std::size_t hulls;  // maximum number of hulls
  double volume;      // maximum total volume of the hulls, as a fraction of the solid's volume
};

void PrintTo(const Row& row, std::ostream* out) {
  *out << row.name;
}

TriangleMesh crossing_boxes() {
  TriangleMesh mesh = moved(cells({{"###"}}), {}, {0, 1, 0});
  const TriangleMesh other = moved(cells({{"#", "#", "#"}}), {}, {1.5f, 0.25f, 0.25f});
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& t : other.triangles)
    mesh.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  return mesh;
}

math::Quat askew() {
  return normalized(math::Quat{0.3f, -0.5f, 0.2f, 0.7f});
}

TriangleMesh thin_angle() {
  TriangleMesh mesh = cells({{"#..", "#..", "###"}});
  for (Vec3& v : mesh.vertices) {
    if (v.x > 0 && v.x < 1.5f) v.x = 0.03f;
    if (v.y > 0 && v.y < 1.5f) v.y = 0.03f;
  }
  return mesh;
}

std::vector<Row> rows() {
  const TriangleMesh cube = cells({{"#"}}), angle = cells({{"#..", "#..", "###"}});
  const TriangleMesh hollow =
      cells({{"###", "###", "###"}, {"###", "#.#", "###"}, {"###", "###", "###"}});
  const TriangleMesh spokes =
      cells({{"...", ".#.", "..."}, {".#.", "###", ".#."}, {"...", ".#.", "..."}});
  return {{"cube", cube, {0.01f, 32}, 1, 1.0},
          {"angle", angle, {0.01f, 32}, 2, 1.0},
          {"angle_far_off", moved(angle, askew(), {500, -900, 700}), {0.01f, 32}, 2, 1.001},
          {"thin_angle", thin_angle(), {0.005f, 32}, 2, 1.0},
          {"fork", moved(cells({{"#.#.#", "#.#.#", "#####"}}), askew(), {}), {0.01f, 32}, 4, 1.0},
          {"frame", cells({{"####", "#..#", "#..#", "####"}}), {0.01f, 32}, 4, 1.0},
          {"hollow", hollow, {0.01f, 32}, 6, 1.0},
          {"spokes", spokes, {0.01f, 32}, 4, 9.0 / 7},
          {"crossing_boxes", crossing_boxes(), {0.01f, 32}, 2, 1.0},
          {"ball", ball(1, 20, 12), {0.02f, 32}, 1, 1.0},
          {"fine_ball", ball(1, 36, 20), {0.05f, 32}, 1, 1.1},
          {"torus", torus(1, 0.3f, 24, 12), {0.05f, 32}, 20, 1.05},
          {"torus_askew", moved(torus(1, 0.3f, 24, 12), askew(), {5, 6, 7}), {0.05f, 32}, 20, 1.05},
          {"torus_of_few", torus(1, 0.3f, 24, 12), {0.02f, 6}, 6, 1.3},
          {"bowl", bowl(1, 0.8f, 20, 6), {0.08f, 64}, 40, 1.3},
          {"bowl_askew", moved(bowl(1, 0.8f, 20, 6), askew(), {1, 2, 3}), {0.08f, 64}, 40, 1.3}};
}

class Decomposed : public ::testing::TestWithParam<Row> {};

TEST_P(Decomposed, HullsCoverTheSolidWithinTheErrorBound) {
  const Row& row = GetParam();
  const auto result = decompose(row.mesh, row.options);
  ASSERT_TRUE(result) << describe(result.error());
  const double extent = box_of(row.mesh).extent;
  EXPECT_GE(result->hulls.size(), 1U);
  EXPECT_LE(result->hulls.size(), row.hulls);
  EXPECT_LE(result->hulls.size(), row.options.max_hulls);
  for (const ConvexHull& hull : result->hulls)
    expect_convex(hull, 1e-4 * extent);
  expect_cover(row.mesh, result->hulls, 1'500);
  expect_no_excess(row.mesh, result->hulls, result->error, 1'500);
  if (row.options.max_hulls >= 32) {
    EXPECT_EQ(result->error, row.options.max_error);
  }
  EXPECT_NEAR(result->volume, enclosed_volume(row.mesh), 1e-4 * result->volume);
  EXPECT_LE(volume_of(result->hulls), (row.volume + 1e-4) * enclosed_volume(row.mesh));
}

INSTANTIATE_TEST_SUITE_P(, Decomposed, ::testing::ValuesIn(rows()),
                         [](const auto& row) { return row.param.name; });

TEST(ConvexDecomposition, CoversRandomSolidsWithinTheErrorBound) {
  int count = 0;
  for (std::uint64_t seed = 1; count < 30; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    std::vector<std::vector<std::string>> layers(3, std::vector<std::string>(3, "..."));
    for (auto& layer : layers) {
      for (std::string& row : layer) {
        for (char& cell : row)
          cell = random.below(10) < 6 ? '#' : '.';
      }
    }
    TriangleMesh mesh = cells(layers);
    if (find_fault(mesh)) continue;  // skip solids with cells that touch only along an edge
    ++count;
    // Scale the cells differently along each axis.
    const Vec3 scale{random.between(0.05f, 1), random.between(0.05f, 1), random.between(0.05f, 1)};
    for (Vec3& v : mesh.vertices)
      v = multiply_elements(v, scale);
    mesh = moved(mesh, random_rotation(random), random_vector(random, 10));
    const auto result = decompose(mesh, {0.02f, 64});
    ASSERT_TRUE(result) << describe(result.error());
    expect_cover(mesh, result->hulls, 200);
    expect_no_excess(mesh, result->hulls, result->error, 200);
    if (HasFatalFailure()) return;
  }
}

TEST(ConvexDecomposition, CoversSelfIntersectingMeshesByWindingNumber) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    TriangleMesh mesh = torus(1, 0.3f, 10, 6);
    for (Vec3& v : mesh.vertices)
      v += random_vector(random, 0.3f);
    const auto result = decompose(mesh, {0.1f, 256});
    ASSERT_TRUE(result) << describe(result.error());
    expect_cover(mesh, result->hulls, 300);
    expect_no_excess(mesh, result->hulls, result->error, 300);
    if (HasFatalFailure()) return;
  }
}

TEST(ConvexDecomposition, TreatsASeparateInwardShellAsEmpty) {
  TriangleMesh mesh = cells({{"##", "##"}, {"##", "##"}});
  const TriangleMesh other = moved(cells({{"#"}}), {}, {4, 0, 0});
  const auto first = static_cast<std::uint32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), other.vertices.begin(), other.vertices.end());
  for (const auto& t : other.triangles)
    mesh.triangles.push_back({t[0] + first, t[2] + first, t[1] + first});
  const auto result = decompose(mesh, {0.05f, 32});
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_FLOAT_EQ(result->volume, 7);
  // The hulls contain the shell's walls, which are part of the mesh's surface, but the space inside
  // the shell is not in the solid. The error therefore exceeds the requested 0.05 m.
  EXPECT_GT(result->error, 0.05f);
  expect_no_excess(mesh, result->hulls, result->error, 300);
}

TEST(ConvexDecomposition, MakesOneHullOfACubeAndTwoOfAnLAtAnyPose) {
  base::Random random(3);
  const TriangleMesh cube = cells({{"#"}}), angle = cells({{"#..", "#..", "###"}});
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(i);
    const math::Quat rotation = random_rotation(random);
    const Vec3 offset = random_vector(random, i % 2 == 0 ? 1.0f : 100.0f);
    EXPECT_EQ(decompose(moved(cube, rotation, offset), {0.01f, 32})->hulls.size(), 1U);
    const auto two = decompose(moved(angle, rotation, offset), {0.01f, 32});
    EXPECT_EQ(two->hulls.size(), 2U);
    EXPECT_NEAR(volume_of(two->hulls), 5.0, 2e-3);
  }
}

TEST(ConvexDecomposition, QualityDoesNotDependOnThePose) {
  base::Random random(4);
  const TriangleMesh mesh = torus(1, 0.3f, 24, 12);
  for (int i = 0; i < 4; ++i) {
    SCOPED_TRACE(i);
    const auto turned =
        decompose(moved(mesh, random_rotation(random), random_vector(random, 3)), {0.05f, 64});
    EXPECT_GE(turned->hulls.size(), 12U);
    EXPECT_LE(turned->hulls.size(), 20U);
    EXPECT_NEAR(volume_of(turned->hulls), enclosed_volume(mesh), 0.05 * enclosed_volume(mesh));
  }
}

TEST(ConvexDecomposition, KeepsHolesAndCavitiesEmpty) {
  const auto ring = decompose(torus(1, 0.3f, 24, 12), {0.05f, 32});
  base::Random random(5);
  for (int i = 0; i < 2'000; ++i) {
    Vec3d p = widened(random_vector(random, 0.63f));
    // Test only points less than 0.63 m from the axis. The radius of the hole is 0.7 m, and the
    // hulls may extend into it by the error of 0.05 m.
    if (p.x * p.x + p.z * p.z > 0.4) continue;
    p.y *= 0.5;
    EXPECT_GT(height_above(ring->hulls, p), 0.0);
  }
  const auto cup = decompose(bowl(1, 0.8f, 20, 6), {0.08f, 64});
  for (int i = 0; i < 2'000; ++i) {
    Vec3d p = widened(random_vector(random, 0.7f));
    p.y = -std::abs(p.y);
    // The wall consists of flat pieces, which reach inwards by less than 0.02 m.
    if (length(p) < 0.69) {
      EXPECT_GT(height_above(cup->hulls, p), 0.0);
    }
  }
  const auto box = decompose(
      cells({{"###", "###", "###"}, {"###", "#.#", "###"}, {"###", "###", "###"}}), {0.01f, 32});
  EXPECT_GT(height_above(box->hulls, {1.5, 1.5, 1.5}), 0.4);
}

TEST(ConvexDecomposition, NeedsFewerHullsForALargerError) {
  const TriangleMesh mesh = torus(1, 0.3f, 16, 8);
  std::size_t last = 1'000;
  for (const float error : {0.02f, 0.1f, 0.3f, 1.0f}) {
    const std::size_t count = decompose(mesh, {error, 64})->hulls.size();
    EXPECT_LT(count, last);
    last = count;
  }
  EXPECT_EQ(last, 1U);
}

TEST(ConvexDecomposition, NeverExceedsMaxHulls) {
  const TriangleMesh mesh = torus(1, 0.3f, 16, 8);
  float last = 10;
  for (const std::size_t count : {1U, 4U, 8U}) {
    SCOPED_TRACE(count);
    const auto few = decompose(mesh, {0.02f, count});
    EXPECT_LE(few->hulls.size(), count);
    EXPECT_GT(few->error, 0.02f);
    EXPECT_LE(few->error, last);
    last = few->error;
    expect_cover(mesh, few->hulls, 300);
    expect_no_excess(mesh, few->hulls, few->error, 500);
  }
}

TEST(ConvexDecomposition, RejectsInvalidMeshesAndOptions) {
  const TriangleMesh cube = cells({{"#"}});
  const auto refusal = [](const TriangleMesh& mesh, DecompositionOptions options) {
    const auto result = decompose(mesh, options);
    return result ? "none" : describe(result.error());
  };
  EXPECT_EQ(refusal(cube, {0.01f, 0}), "must have a max_hulls of 1 to 256");
  EXPECT_EQ(refusal(cube, {0.01f, 257}), "must have a max_hulls of 1 to 256");
  EXPECT_EQ(refusal(cube, {1.0f / 1025, 1}),
            "is larger than 1024 times max_error; use a larger max_error");
  EXPECT_EQ(refusal(cube, {1.0f / 1023, 1}), "none");
  EXPECT_EQ(refusal(cube, {std::numeric_limits<float>::quiet_NaN(), 1}),
            "is larger than 1024 times max_error; use a larger max_error");
  TriangleMesh open = cube;
  open.triangles.pop_back();
  EXPECT_NE(refusal(open, {0.01f, 1}).find("is open: "), std::string::npos);
  TriangleMesh plate = cube;
  for (Vec3& v : plate.vertices)
    v.y *= 1e-4f;
  EXPECT_EQ(refusal(plate, {0.01f, 1}), "is smaller than 0.001 m or thinner than 0.0002 m");
  TriangleMesh crowd = cube;
  crowd.triangles.resize(max_decomposed_triangles + 1, crowd.triangles[0]);
  EXPECT_EQ(refusal(crowd, {0.01f, 1}), "has more than 65536 triangles");
}

/// The mesh consists of intersecting tetrahedra, whose common surface would need an excessive
/// number of hulls.
TEST(ConvexDecomposition, RejectsMeshesBeyondTheWorkLimit) {
  base::Random random(2);
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < 12; ++i) {
    const Vec3 at{random.between(-1, 1), random.between(-1, 1), random.between(-1, 1)};
    for (const Vec3 corner : {Vec3{0, 0, 0}, Vec3{3, 0, 0}, Vec3{0, 3, 0}, Vec3{0, 0, 3}})
      mesh.vertices.push_back(at + corner + Vec3{random.between(-1, 1), 0, 0} * corner.y);
    for (const auto& t : {std::array<std::uint32_t, 3>{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}})
      mesh.triangles.push_back({4 * i + t[0], 4 * i + t[1], 4 * i + t[2]});
  }
  const auto result = decompose(mesh, {0.01f, 32});
  ASSERT_FALSE(result);
  EXPECT_EQ(describe(result.error()), describe(DecompositionError::TooIntricate));
}

// The hash is a golden value: it must be the same for every compiler and machine. Change it only
// together with an intended change of the decomposition.
TEST(ConvexDecomposition, IsBitIdenticalOnAllPlatforms) {
  base::Hasher hasher;
  const std::vector<std::string> names{"fork", "hollow", "crossing_boxes", "torus", "fine_ball"};
  for (const Row& row : rows()) {
    if (std::find(names.begin(), names.end(), row.name) == names.end()) continue;
    const auto result = decompose(row.mesh, row.options);
    for (const ConvexHull& hull : result->hulls)
      hasher.add(share(hull)->content_hash);
  }
  EXPECT_EQ(hasher.finish(), 8287850047352845409U);
}

}  // namespace
}  // namespace jostle::geometry
