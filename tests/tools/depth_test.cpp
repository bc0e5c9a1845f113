#include "tools/check/depth.h"

#include "tools/workload/hull.h"
#include "tools/workload/random.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace jostle::check {
namespace {

using workload::Shape;
using workload::ShapeKind;

constexpr double pi = 3.14159265358979323846;

Shape make_shape(ShapeKind kind, float radius, float half_segment, math::Vec3 half_extents) {
  Shape shape;
  shape.kind = kind;
  shape.radius = radius;
  shape.half_segment = half_segment;
  shape.half_extents = half_extents;
  return shape;
}
Shape sphere(float radius) {
  return make_shape(ShapeKind::Sphere, radius, 0, {});
}
Shape box(math::Vec3 half_extents) {
  return make_shape(ShapeKind::Box, 0, 0, half_extents);
}
Shape capsule(float radius, float half_segment) {
  return make_shape(ShapeKind::Capsule, radius, half_segment, {});
}
Shape cylinder(float radius, float half_segment) {
  return make_shape(ShapeKind::Cylinder, radius, half_segment, {});
}
Shape cone(float radius, float half_segment) {
  return make_shape(ShapeKind::Cone, radius, half_segment, {});
}
Shape box_as_hull(math::Vec3 e) {
  Shape hull;
  hull.kind = ShapeKind::Hull;
  for (int i = 0; i < 8; ++i) {
    hull.points.push_back({i & 1 ? e.x : -e.x, i & 2 ? e.y : -e.y, i & 4 ? e.z : -e.z});
  }
  return hull;
}

/// Returns a frame at `origin` that is rotated by `angle` (rad) about z.
Frame at(Vector origin, double angle) {
  Frame frame;
  frame.origin = origin;
  frame.x = {std::cos(angle), std::sin(angle), 0};
  frame.y = {-std::sin(angle), std::cos(angle), 0};
  return frame;
}

struct DepthCase {
  std::string name;
  Shape a, b;
  Vector b_at;
  double b_angle = 0;
  double depth = 0;
};

class Depth : public testing::TestWithParam<DepthCase> {};

TEST_P(Depth, EqualsTheShortestSeparatingTranslation) {
  const DepthCase& c = GetParam();
  const Convex a = make_convex(c.a, {}), b = make_convex(c.b, at(c.b_at, c.b_angle));
  EXPECT_NEAR(overlap_depth(a, b), c.depth, 2e-7);
  EXPECT_NEAR(overlap_depth(b, a), c.depth, 2e-7);
}

// Sizes are exact in float; the expected depths follow from the geometry of each case.
INSTANTIATE_TEST_SUITE_P(
    Analytic, Depth,
    testing::Values(
        DepthCase{"spheres apart", sphere(0.5f), sphere(0.25f), {1, 0, 0}, 0, -0.25},
        DepthCase{"spheres", sphere(0.5f), sphere(0.5f), {0.6, 0, 0.5}, 0, 1 - std::sqrt(0.61)},
        DepthCase{"spheres in one place", sphere(0.5f), sphere(0.25f), {}, 0, 0.75},
        DepthCase{"boxes face to face", box({1, 1, 1}), box({1, 1, 1}), {0, 1.9375, 0}, 0, 0.0625},
        DepthCase{
            "boxes shifted", box({1, 1, 1}), box({0.5f, 0.5f, 0.5f}), {0.3, 1.4, 0.2}, 0, 0.1},
        DepthCase{"boxes that just touch", box({1, 1, 1}), box({1, 1, 1}), {2, 0, 0}, 0, 0},
        DepthCase{"boxes apart at corners",
                  box({1, 1, 1}),
                  box({1, 1, 1}),
                  {3, 4, 2},
                  0,
                  -std::sqrt(5.0)},
        DepthCase{"box edge down into a face",
                  box({2, 1, 2}),
                  box({1, 1, 1}),
                  {0.3, 1 + std::sqrt(2.0) - 0.05, 0},
                  pi / 4,
                  0.05},
        DepthCase{"box in a box", box({2, 1, 2}), box({0.5f, 0.5f, 0.5f}), {0.25, 0, 0}, 0, 1.5},
        DepthCase{
            "capsule on a box", box({2, 1, 2}), capsule(0.25f, 0.5f), {0, 1.2, 0}, pi / 2, 0.05},
        DepthCase{"capsule deep in a box",
                  box({2, 1, 2}),
                  capsule(0.25f, 0.5f),
                  {0, 0.75, 0},
                  pi / 2,
                  0.5},
        DepthCase{
            "crossed capsules", capsule(0.25f, 1), capsule(0.25f, 1), {0, 0, 0.375}, pi / 2, 0.125},
        DepthCase{
            "capsules whose axes cross", capsule(0.25f, 1), capsule(0.5f, 1), {}, pi / 2, 0.75},
        DepthCase{"hull as a box",
                  box_as_hull({1, 1, 1}),
                  box({1, 1, 1}),
                  {1.9375, 0.5, 0.25},
                  0,
                  0.0625},
        DepthCase{"cylinder standing on a box",
                  box({2, 1, 2}),
                  cylinder(0.5f, 1),
                  {0, 1.9375, 0},
                  0,
                  0.0625},
        DepthCase{"cylinder lying on a box",
                  box({2, 1, 2}),
                  cylinder(0.5f, 1),
                  {0, 1.4375, 0},
                  pi / 2,
                  0.0625},
        DepthCase{
            "cylinder rims apart", cylinder(0.5f, 1), cylinder(0.5f, 1), {1.25, 0, 0}, 0, -0.25},
        DepthCase{
            "cone standing on a box", box({2, 1, 2}), cone(0.5f, 0.5f), {0, 1.4375, 0}, 0, 0.0625},
        DepthCase{"cone tip down into a box",
                  box({2, 1, 2}),
                  cone(0.5f, 0.5f),
                  {0, 1.4375, 0},
                  pi,
                  0.0625},
        DepthCase{"far from the origin of the world",
                  box({1, 1, 1}),
                  sphere(0.5f),
                  {1.4375, 0.3, 0.3},
                  0,
                  0.0625}),
    [](const testing::TestParamInfo<DepthCase>& case_info) {
      std::string name = case_info.param.name;
      std::replace(name.begin(), name.end(), ' ', '_');
      return name;
    });

/// Computes the depth of two polytopes by the separating axis theorem with all axes: the face
/// normals of both and all cross products of their edges. The method is exact, slow and independent
/// of GJK and EPA.
double depth_by_axes(const Convex& a, const Convex& b, const Shape& shape_a, const Shape& shape_b) {
  std::vector<Vector> axes, edges_a, edges_b;
  const auto collect = [&axes](const Convex& convex, const Shape& shape,
                               std::vector<Vector>& edges) {
    for (const auto& t : shape.triangles) {
      const Vector p = convex.points[t[0]], q = convex.points[t[1]], r = convex.points[t[2]];
      edges.insert(edges.end(), {q - p, r - q, p - r});
      axes.push_back(cross(q - p, r - p));
    }
  };
  collect(a, shape_a, edges_a);
  collect(b, shape_b, edges_b);
  for (const Vector& e : edges_a) {
    for (const Vector& f : edges_b)
      axes.push_back(cross(e, f));
  }
  double depth = 1e9;
  for (const Vector& axis : axes) {
    const double size = length(axis);
    if (size < 1e-9) continue;
    for (const Vector& n : {(1 / size) * axis, (-1 / size) * axis})
      depth = std::min(depth, dot(n, support(a, n) - support(b, -n)));
  }
  return depth;
}

TEST(Depth, OfHullsEqualsTheSeparatingAxisResult) {
  constexpr std::uint32_t seed = 11;
  SCOPED_TRACE(seed);
  workload::Random random(seed);
  int overlapping = 0;
  for (int i = 0; i < 200; ++i) {
    SCOPED_TRACE(i);
    std::array<Shape, 2> shapes;
    for (Shape& shape : shapes) {
      std::vector<math::Vec3> points(6);
      for (math::Vec3& point : points)
        point = random.vector();
      shape = workload::make_centred_hull(points);
    }
    const math::Vec3 offset = 0.9f * random.vector();
    const math::Quat turn = random.rotation();
    const Convex a = make_convex(shapes[0], {});
    const Convex b = make_convex(shapes[1], make_frame(offset, turn));
    const double expected = depth_by_axes(a, b, shapes[0], shapes[1]);
    const double found = overlap_depth(a, b);
    if (expected > 0) {
      ++overlapping;
      EXPECT_NEAR(found, expected, 1e-9);
    } else {
      EXPECT_LE(found, 1e-9);
    }
  }
  EXPECT_GT(overlapping, 50);
}

// The depth changes by at most the length of a shift. Near a curved side, the last points of GJK
// are so near to each other that rounding errors once made a touch look like an overlap by the
// whole radius.
TEST(Depth, OfACapsuleAtACylinderIsContinuous) {
  constexpr std::uint32_t seed = 13;
  SCOPED_TRACE(seed);
  workload::Random random(seed);
  for (int i = 0; i < 20'000; ++i) {
    SCOPED_TRACE(i);
    const Convex a = make_convex(cylinder(0.18f, 0.18f), make_frame({}, random.rotation()));
    const math::Quat turn = random.rotation();
    const Shape shape = capsule(0.148f, 0.113f);
    Frame frame = make_frame(0.3f * random.vector(), turn);
    const double before = overlap_depth(a, make_convex(shape, frame));
    constexpr double shift = 1e-4;
    frame.origin = frame.origin + Vector{shift, 0, 0};
    ASSERT_NEAR(overlap_depth(a, make_convex(shape, frame)), before, 1.01 * shift);
  }
}

TEST(Depth, NoShorterTranslationSeparatesTheShapes) {
  constexpr std::uint32_t seed = 12;
  SCOPED_TRACE(seed);
  workload::Random random(seed);
  for (int i = 0; i < 100; ++i) {
    SCOPED_TRACE(i);
    const Shape small = i % 2 == 0 ? cylinder(0.5f, 0.25f) : cone(0.5f, 0.5f);
    const Convex a = make_convex(box({0.5f, 0.75f, 1}), make_frame({}, random.rotation()));
    const math::Vec3 offset = 0.5f * random.vector();
    const math::Quat turn = random.rotation();
    const Convex b = make_convex(small, make_frame(offset, turn));
    const double depth = overlap_depth(a, b);
    ASSERT_GT(depth, 0);
    // No shift shorter than the depth separates the two shapes, whatever its direction.
    const Vector direction = widen(random.vector());
    Frame moved = make_frame(offset, turn);
    moved.origin = moved.origin + 0.99 * depth / length(direction) * direction;
    EXPECT_GT(overlap_depth(a, make_convex(small, moved)), 0);
  }
}

}  // namespace
}  // namespace jostle::check
