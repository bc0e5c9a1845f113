#include "shared/geometry/surface.h"
#include "tests/physics/scenes.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>
#include <utility>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;

constexpr float infinite = std::numeric_limits<float>::infinity();
constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();
constexpr float largest = std::numeric_limits<float>::max();
constexpr std::array bad_values{infinite, -infinite, not_a_number};

const QueryShape ball_above{state::sphere(0.5f), {{0, 3, 0}, {}}};

World small_world() {
  World world{WorldOptions{}};
  add_ground(world);
  add_dynamic(world, {0, 0.5, 0}, state::box({0.5f, 0.5f, 0.5f}));
  return world;
}

TEST(QueryValuesDeathTest, RejectsRaysThatAreNotFinite) {
  const World world = small_world();
  for (const float bad : bad_values) {
    SCOPED_TRACE(bad);
    const Ray from{{0, static_cast<double>(bad), 0}, {0, -1, 0}}, along{{0, 3, 0}, {0, bad, 0}};
    for (const Ray& ray : {from, along}) {
      EXPECT_DEATH((void)world.cast_ray(ray, {}), "is_finite");
      EXPECT_DEATH((void)world.cast_ray_all(ray, {}), "is_finite");
      EXPECT_DEATH((void)world.cast_rays(std::array{ray}, {}), "is_finite");
    }
  }
}

TEST(QueryValuesDeathTest, RejectsInvalidShapesAndMotionsThatAreNotFinite) {
  const World world = small_world();
  const QueryShape bad_size{state::sphere(not_a_number), {}};
  const QueryShape negative{state::box({1, -1, 1}), {}};
  const QueryShape no_volume{state::plane(), {}};
  QueryShape no_points;
  no_points.shape.kind = state::ShapeKind::Hull;
  const QueryShape bad_place{state::sphere(0.5f), {{0, 0, static_cast<double>(infinite)}, {}}};
  const QueryShape bad_turn{state::sphere(0.5f), {{}, {0, 0, 0, 2}}};
  for (const QueryShape& query : {bad_size, negative, no_volume, no_points, bad_place, bad_turn}) {
    EXPECT_DEATH((void)world.cast_shape({query, {0, -1, 0}}, {}), "is_askable|is_unit");
    EXPECT_DEATH((void)world.cast_shape_all({query, {0, -1, 0}}, {}), "is_askable|is_unit");
    EXPECT_DEATH((void)world.closest(query, 1, {}), "is_askable|is_unit");
    EXPECT_DEATH((void)world.closest_all(query, 1, {}), "is_askable|is_unit");
    EXPECT_DEATH((void)world.overlap_shape(query, {}), "is_askable|is_unit");
  }
  for (const float bad : bad_values) {
    SCOPED_TRACE(bad);
    EXPECT_DEATH((void)world.cast_shape({ball_above, {bad, 0, 0}}, {}), "is_finite");
    EXPECT_DEATH((void)world.cast_shape_all({ball_above, {0, bad, 0}}, {}), "is_finite");
  }
}

TEST(QueryValuesDeathTest, RejectsDistancesThatAreNegativeOrNotFinite) {
  const World world = small_world();
  for (const float bad : {infinite, not_a_number, -1.0f}) {
    SCOPED_TRACE(bad);
    EXPECT_DEATH((void)world.closest(ball_above, bad, {}), "max_distance");
    EXPECT_DEATH((void)world.closest_all(ball_above, bad, {}), "max_distance");
    EXPECT_DEATH((void)world.overlap_sphere({}, bad, {}), "radius");
  }
  const Position nowhere{0, static_cast<double>(not_a_number), 0};
  EXPECT_DEATH((void)world.overlap_sphere(nowhere, 1, {}), "is_finite");
  EXPECT_DEATH((void)world.overlap_aabb({nowhere, {}}, {}), "is_finite");
  EXPECT_DEATH((void)world.overlap_aabb({{}, nowhere}, {}), "is_finite");
}

// Finite arguments are valid, however large: the query must return, and in reasonable time.
TEST(QueryValues, AcceptsHugeFiniteValues) {
  World world = small_world();
  state::HeightField field;
  field.count_x = field.count_z = 4;
  field.heights.assign(16, -1.0f);
  add_body(world, MotionType::Static, {},
           shape_def(state::solid(geometry::share(std::move(field)))));
  for (const Vec3 way :
       {Vec3{0, -largest, 0}, Vec3{largest, largest, largest}, Vec3{0, -1e20f, 0}}) {
    for (const CastHit& hit : world.cast_ray_all({{0, 3, 0}, way}, {}))
      EXPECT_TRUE(std::isfinite(hit.fraction) && is_finite(hit.point) && is_finite(hit.normal));
    for (const CastHit& hit : world.cast_shape_all({ball_above, way}, {}))
      EXPECT_TRUE(std::isfinite(hit.fraction) && is_finite(hit.point) && is_finite(hit.normal));
  }
  EXPECT_EQ(world.closest_all(ball_above, largest, {}).size(), 3U);
  const QueryShape point{state::sphere(0), {{0, 3, 0}, {}}};
  EXPECT_NEAR(world.closest(point, largest, {})->distance, 2, 1e-5f);
  EXPECT_EQ(world.overlap_sphere({}, largest, {}).size(), 3U);
  EXPECT_TRUE(world.overlap_sphere({1e300, 1e300, 0}, 1, {}).empty());
}

}  // namespace
}  // namespace jostle::physics
