#include "shared/geometry/bounds.h"

#include "shared/geometry/closest_point.h"
#include "tests/geometry/sampling.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace jostle::geometry {
namespace {

using math::Vec3;
using namespace jostle::geometry::testing;

TEST(Bounds, ContainTheSurfaceTightly) {
  base::Random random(11);
  for (const state::Shape& shape : solid_shapes()) {
    SCOPED_TRACE(static_cast<int>(shape.kind));
    const math::Pose pose{{100, -7, 3}, random_rotation(random)};
    const math::Aabb box = bounds(shape, pose);
    const math::Aabb a_little_larger = expanded(box, 1e-5f);
    double highest = -1e9;
    for (int i = 0; i < 20'000; ++i) {
      // Half of the probes are beyond corners, where boxes extend farthest.
      const Vec3 outside = shape.half_extents + Vec3{3, 3, 3};
      const Vec3 probe = i % 2 == 0 ? random_vector(random, 4)
                                    : Vec3{random.chance(0.5f) ? outside.x : -outside.x,
                                           random.chance(0.5f) ? outside.y : -outside.y,
                                           random.chance(0.5f) ? outside.z : -outside.z};
      const math::Position p = transform_point(pose, closest_point(shape, probe).point);
      ASSERT_TRUE(contains(a_little_larger, {p, p}));
      highest = std::max(highest, p.y);
    }
    EXPECT_NEAR(highest, box.upper.y, 0.05) << "the upper side of the box is nearly touched";
  }
}

TEST(Bounds, BoundingRadiusIsTheDistanceOfTheFarthestPoint) {
  EXPECT_EQ(bounding_radius(state::sphere(0.5f)), 0.5f);
  EXPECT_EQ(bounding_radius(state::capsule(0.5f, 2)), 2.5f);
  EXPECT_FLOAT_EQ(bounding_radius(state::box({1, 2, 2})), 3.0f);
}

TEST(Bounds, BoxReachesAPlaneIfAndOnlyIfACornerIsBelowIt) {
  base::Random random(12);
  int reached = 0;
  for (int i = 0; i < 5'000; ++i) {
    SCOPED_TRACE(i);
    const math::Pose plane{{1, 2, 3}, random_rotation(random)};
    const Vec3 centre = random_vector(random, 3);
    const math::Aabb box{math::Position{1, 2, 3} + centre - Vec3{0.5f, 1, 1.5f},
                         math::Position{1, 2, 3} + centre + Vec3{0.5f, 1, 1.5f}};
    float lowest = 1e9f;
    for (int corner = 0; corner < 8; ++corner) {
      const math::Position p{(corner & 1) != 0 ? box.lower.x : box.upper.x,
                             (corner & 2) != 0 ? box.lower.y : box.upper.y,
                             (corner & 4) != 0 ? box.lower.z : box.upper.z};
      lowest = std::min(lowest, inverse_transform_point(plane, p).y);
    }
    if (std::abs(lowest) < 1e-5f) continue;
    EXPECT_EQ(reaches_plane(box, plane), lowest < 0.0f);
    reached += lowest < 0.0f ? 1 : 0;
  }
  EXPECT_GT(reached, 500);
  EXPECT_LT(reached, 4'500);
}

}  // namespace
}  // namespace jostle::geometry
