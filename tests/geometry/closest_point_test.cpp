#include "shared/geometry/closest_point.h"

#include "tests/geometry/sampling.h"

#include <gtest/gtest.h>

namespace jostle::geometry {
namespace {

using math::Vec3;
using namespace jostle::geometry::testing;

TEST(ClosestPoint, IsOnTheSurfaceAlongTheNormal) {
  base::Random random(31);
  for (const state::Shape& shape : solid_shapes()) {
    SCOPED_TRACE(static_cast<int>(shape.kind));
    for (int i = 0; i < 2'000; ++i) {
      SCOPED_TRACE(i);
      const Vec3 p = random_vector(random, i % 2 == 0 ? 4.0f : 0.5f);
      const SurfacePoint s = closest_point(shape, p);
      EXPECT_EQ(s.distance < 0.0f, is_inside(shape, p));
      EXPECT_NEAR(length(s.normal), 1.0f, 1e-5f);
      EXPECT_NEAR(length(s.point + s.normal * s.distance - p), 0.0f, 1e-5f);
      EXPECT_FALSE(is_inside(shape, s.point + s.normal * 1e-4f));
      // At a sharp edge, a small step from the surface against the normal may lead out of the
      // shape.
      const bool is_blunt = shape.kind <= state::ShapeKind::Capsule || s.distance < 0.0f;
      EXPECT_TRUE(!is_blunt || is_inside(shape, s.point - s.normal * 1e-4f));
    }
  }
}

TEST(ClosestPoint, NoOtherPointOfTheSurfaceIsNearer) {
  base::Random random(32);
  for (const state::Shape& shape : solid_shapes()) {
    SCOPED_TRACE(static_cast<int>(shape.kind));
    for (int i = 0; i < 300; ++i) {
      const Vec3 p = random_vector(random, 3);
      const SurfacePoint nearest = closest_point(shape, p);
      for (int k = 0; k < 30; ++k) {
        const Vec3 other = closest_point(shape, p + random_vector(random, 0.5f)).point;
        ASSERT_GE(length(other - p), std::abs(nearest.distance) - 1e-5f);
      }
    }
  }
}

TEST(ClosestPoint, IsDefinedAtTheCentreOfAShape) {
  for (const state::Shape& shape : solid_shapes()) {
    SCOPED_TRACE(static_cast<int>(shape.kind));
    const SurfacePoint s = closest_point(shape, {});
    EXPECT_LT(s.distance, 0.0f);
    EXPECT_NEAR(length(s.normal), 1.0f, 1e-6f);
    EXPECT_NEAR(length(s.point), -s.distance, 1e-6f);
  }
}

TEST(OverlapsSphere, IsTrueFromTheTouchingRadiusOn) {
  const math::Pose pose{{10, 20, 30}, {}};
  EXPECT_TRUE(overlaps_sphere(state::box({1, 1, 1}), pose, {12, 20, 30}, 1.001f));
  EXPECT_FALSE(overlaps_sphere(state::box({1, 1, 1}), pose, {12, 20, 30}, 0.999f));
  EXPECT_TRUE(overlaps_sphere(state::sphere(1), pose, {10, 22, 30}, 1.001f));
  EXPECT_FALSE(overlaps_sphere(state::sphere(1), pose, {10, 22, 30}, 0.999f));
  EXPECT_TRUE(overlaps_sphere(state::capsule(1, 1), pose, {10, 22.5, 30}, 0.501f));
  EXPECT_FALSE(overlaps_sphere(state::capsule(1, 1), pose, {10, 22.5, 30}, 0.499f));
  EXPECT_TRUE(overlaps_sphere(state::plane(), pose, {0, 21, 0}, 1.001f));
  EXPECT_FALSE(overlaps_sphere(state::plane(), pose, {0, 21, 0}, 0.999f));
  EXPECT_TRUE(overlaps_sphere(state::box({1, 1, 1}), pose, {10, 20, 30}, 0.01f)) << "inside";
}

}  // namespace
}  // namespace jostle::geometry
