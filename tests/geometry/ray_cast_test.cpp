#include "shared/geometry/ray_cast.h"

#include "shared/geometry/closest_point.h"
#include "tests/geometry/sampling.h"

#include <gtest/gtest.h>

namespace jostle::geometry {
namespace {

using math::Vec3;
using namespace jostle::geometry::testing;

struct RayCase {
  const char* name = "";
  state::Shape shape;
  Vec3 origin, translation;
  float fraction = -1;  // negative: no hit
  Vec3 normal;
};

std::ostream& operator<<(std::ostream& out, const RayCase& c) {
  return out << c.name;
}

class RayCast : public ::testing::TestWithParam<RayCase> {};

TEST_P(RayCast, ReturnsFractionAndNormal) {
  const RayCase& c = GetParam();
  const auto hit = cast_ray(c.shape, c.origin, c.translation);
  ASSERT_EQ(hit.has_value(), c.fraction >= 0);
  if (!hit) return;
  EXPECT_NEAR(hit->fraction, c.fraction, 1e-6f);
  EXPECT_NEAR(length(hit->normal - c.normal), 0.0f, 1e-5f);
}

const state::Shape unit_ball = state::sphere(1), two_metre_cube = state::box({1, 1, 1});
const state::Shape pill = state::capsule(1, 2), floor_plane = state::plane();

INSTANTIATE_TEST_SUITE_P(
    Table, RayCast,
    ::testing::Values(
        RayCase{"ball ahead", unit_ball, {-3, 0, 0}, {4, 0, 0}, 0.5f, {-1, 0, 0}},
        RayCase{"ball too far", unit_ball, {-3, 0, 0}, {1.9f, 0, 0}, -1, {}},
        RayCase{"ball behind", unit_ball, {-3, 0, 0}, {-4, 0, 0}, -1, {}},
        RayCase{"ball beside", unit_ball, {-3, 1.01f, 0}, {6, 0, 0}, -1, {}},
        RayCase{"ball from inside", unit_ball, {0.5f, 0, 0}, {4, 0, 0}, -1, {}},
        RayCase{"ball of no length", unit_ball, {-3, 0, 0}, {0, 0, 0}, -1, {}},
        RayCase{"cube ahead", two_metre_cube, {0, 5, 0}, {0, -8, 0}, 0.5f, {0, 1, 0}},
        RayCase{"cube along a face, outside", two_metre_cube, {-3, 1.01f, 0}, {6, 0, 0}, -1, {}},
        RayCase{"cube from inside", two_metre_cube, {0, 0.5f, 0}, {0, 4, 0}, -1, {}},
        RayCase{"cube corner missed", two_metre_cube, {-2.2f, 0, 0}, {4.4f, 4, 4.4f}, -1, {}},
        RayCase{"cube skew", two_metre_cube, {-3, 0.5f, 0}, {4, 0.5f, 0}, 0.5f, {-1, 0, 0}},
        RayCase{"pill side", pill, {0, 1.5f, -3}, {0, 0, 4}, 0.5f, {0, 0, -1}},
        RayCase{"pill end", pill, {0, 5, 0}, {0, -4, 0}, 0.5f, {0, 1, 0}},
        RayCase{"pill cap from the side", pill, {-3, 3, 0}, {6, 0, 0}, 0.5f, {0, 1, 0}},
        RayCase{"pill from inside", pill, {0, 2.5f, 0}, {0, 4, 0}, -1, {}},
        RayCase{"pill beside", pill, {1.01f, -5, 0}, {0, 10, 0}, -1, {}},
        RayCase{"plane from above", floor_plane, {3, 2, 1}, {0, -4, 0}, 0.5f, {0, 1, 0}},
        RayCase{"plane from below", floor_plane, {3, -2, 1}, {0, 4, 0}, -1, {}},
        RayCase{"plane alongside", floor_plane, {0, 1, 0}, {9, 0, 0}, -1, {}}));

TEST(RayCastInvariants, HitIsTheFirstPointOnTheSurface) {
  base::Random random(21);
  int hits = 0;
  for (const state::Shape& shape : solid_shapes()) {
    for (int i = 0; i < 2'000; ++i) {
      SCOPED_TRACE(i);
      const Vec3 origin = random_vector(random, 4), translation = random_vector(random, 8);
      const auto hit = cast_ray(shape, origin, translation);
      if (is_inside(shape, origin)) {
        EXPECT_FALSE(hit);
        continue;
      }
      if (hit) {
        ++hits;
        const SurfacePoint at = closest_point(shape, origin + translation * hit->fraction);
        EXPECT_NEAR(at.distance, 0.0f, 1e-5f);
        EXPECT_LE(dot(hit->normal, translation), 0.0f) << "enters against the normal";
        EXPECT_NEAR(length(hit->normal), 1.0f, 1e-5f);
      }
      const float end = hit ? hit->fraction - 1e-4f : 1.0f;
      for (int k = 0; k < 50; ++k) {
        const Vec3 p = origin + translation * (end * static_cast<float>(k) / 50.0f);
        ASSERT_FALSE(is_inside(shape, p));
      }
    }
  }
  EXPECT_GT(hits, 500);
}

TEST(RayCastInvariants, HitsASmallSphereFromFarAway) {
  const auto hit = cast_ray(state::sphere(0.01f), {-1000, 0.005f, 0}, {2000, 0, 0});
  ASSERT_TRUE(hit);
  EXPECT_NEAR(hit->fraction, 0.5f, 1e-5f);
  EXPECT_NEAR(hit->normal.y, 0.5f, 1e-2f);
}

TEST(RayCastInvariants, HitOfAPosedShapeMatchesTheLocalHit) {
  base::Random random(22);
  for (const state::Shape& shape : solid_shapes()) {
    for (int i = 0; i < 200; ++i) {
      SCOPED_TRACE(i);
      const math::Pose pose{{1e5, 3, -1e5}, random_rotation(random)};
      const Vec3 origin = random_vector(random, 4), translation = -2.0f * origin;
      const auto local = cast_ray(shape, origin, translation);
      const auto world =
          cast_ray(shape, pose, transform_point(pose, origin), rotate(pose.rotation, translation));
      ASSERT_EQ(local.has_value(), world.has_value());
      if (!local) continue;
      EXPECT_NEAR(local->fraction, world->fraction, 1e-4f);
    }
  }
}

}  // namespace
}  // namespace jostle::geometry
