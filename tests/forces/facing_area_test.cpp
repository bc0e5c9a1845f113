#include "shared/forces/facing_area.h"

#include "tests/geometry/sampling.h"

#include <gtest/gtest.h>

#include <numbers>

namespace jostle::forces {
namespace {

using geometry::testing::hull_of;
using math::Vec3;

constexpr float pi_single = std::numbers::pi_v<float>;

Vec3 random_direction(base::Random& random) {
  return normalized_or(geometry::testing::random_vector(random, 1), {1, 0, 0});
}

/// Returns a hull that approximates `shape`, a cylinder or a cone, with 120 corners per circle.
state::Shape many_cornered(const state::Shape& shape) {
  std::vector<Vec3> points;
  constexpr int corners = 120;
  for (int i = 0; i < corners; ++i) {
    const float angle = 2 * pi_single * static_cast<float>(i) / corners;
    const float x = shape.radius * std::cos(angle), z = shape.radius * std::sin(angle);
    points.push_back({x, -shape.half_segment, z});
    if (shape.kind == state::ShapeKind::Cylinder) points.push_back({x, shape.half_segment, z});
  }
  if (shape.kind == state::ShapeKind::Cone) points.push_back({0, shape.half_segment, 0});
  return hull_of(points);
}

TEST(FacingArea, OfABoxMatchesItsFacesAndAHexagonAlongTheDiagonal) {
  const state::Shape box = state::box({0.5f, 1, 1.5f});
  EXPECT_FLOAT_EQ(facing_area(box, {1, 0, 0}), 6);
  EXPECT_FLOAT_EQ(facing_area(box, {0, -1, 0}), 3);
  EXPECT_FLOAT_EQ(facing_area(box, {0, 0, 1}), 2);
  // A cube seen along its diagonal is a regular hexagon of area √3.
  const float third = std::sqrt(1.0f / 3);
  EXPECT_FLOAT_EQ(facing_area(state::box({0.5f, 0.5f, 0.5f}), {third, -third, third}),
                  std::sqrt(3.0f));
}

TEST(FacingArea, OfRoundShapesMatchesTheExactFormulas) {
  EXPECT_FLOAT_EQ(facing_area(state::sphere(2), {0.6f, 0, 0.8f}), 4 * pi_single);
  const state::Shape capsule = state::capsule(0.5f, 1);
  EXPECT_FLOAT_EQ(facing_area(capsule, {0, 1, 0}), 0.25f * pi_single);
  EXPECT_FLOAT_EQ(facing_area(capsule, {1, 0, 0}), 0.25f * pi_single + 2);
  const state::Shape cone = state::cone(0.5f, 1);
  EXPECT_FLOAT_EQ(facing_area(cone, {0, 1, 0}), 0.25f * pi_single);
  EXPECT_FLOAT_EQ(facing_area(cone, {0, 0, 1}), 1);  // a triangle
}

TEST(FacingArea, OfARoundShapeMatchesAFineHull) {
  base::Random random(1);
  for (const state::Shape& shape :
       {state::cylinder(0.7f, 0.4f), state::cone(0.5f, 0.3f), state::cone(0.3f, 0.9f)}) {
    const state::Shape hull = many_cornered(shape);
    for (int i = 0; i < 50; ++i) {
      const Vec3 direction = random_direction(random);
      EXPECT_NEAR(facing_area(shape, direction) / facing_area(hull, direction), 1, 2e-3);
    }
  }
}

TEST(FacingArea, OfABoxMatchesTheHullOfItsCorners) {
  base::Random random(2);
  const Vec3 h{0.2f, 0.5f, 0.9f};
  std::vector<Vec3> corners;
  for (int i = 0; i < 8; ++i)
    corners.push_back({i % 2 == 0 ? h.x : -h.x, i / 2 % 2 == 0 ? h.y : -h.y, i < 4 ? h.z : -h.z});
  const state::Shape hull = hull_of(corners);
  for (int i = 0; i < 50; ++i) {
    const Vec3 direction = random_direction(random);
    EXPECT_NEAR(facing_area(state::box(h), direction), facing_area(hull, direction), 1e-5);
  }
}

// Cauchy's theorem: the mean projected area of a convex body is a quarter of its surface area.
TEST(FacingArea, MeanIsAQuarterOfTheSurfaceArea) {
  base::Random random(3);
  double sum = 0;
  constexpr int count = 40'000;
  for (int i = 0; i < count;) {
    const Vec3 v = geometry::testing::random_vector(random, 1);
    if (dot(v, v) > 1 || dot(v, v) < 0.01f) continue;
    sum += static_cast<double>(facing_area(state::cylinder(0.5f, 1), normalized_or(v, {})));
    ++i;
  }
  const double surface = std::numbers::pi * (2 * 0.25 + 2 * 0.5 * 2);
  EXPECT_NEAR(sum / count / (surface / 4), 1, 0.005);
}

TEST(FacingArea, OfAPlaneIsZero) {
  EXPECT_EQ(facing_area(state::plane(), {0, 1, 0}), 0);
}

}  // namespace
}  // namespace jostle::forces
