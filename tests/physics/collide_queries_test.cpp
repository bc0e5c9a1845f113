#include "shared/geometry/surface.h"
#include "tests/physics/collide_oracle.h"

#include <gtest/gtest.h>

namespace jostle::physics {
namespace {

using namespace jostle::physics::testing;
using state::ShapeKind;

struct Still {
  World world{WorldOptions{}};
  std::vector<std::pair<ShapeHandle, Placed>> shapes;
};

/// Returns a world with 40 static shapes of random convex kinds, at random poses.
Still scattered(std::uint64_t seed) {
  Still still;
  base::Random random(seed);
  for (int i = 0; i < 40; ++i) {
    Placed placed;
    placed.shape = random_convex(random, convex_kinds[random.below(6)]);
    const math::Quat turn = random_rotation(random);
    placed.axes = to_matrix(turn);
    placed.at = random_vector(random, 3);
    const BodyHandle body = add_body(still.world, MotionType::Static,
                                     {to_position(placed.at), turn}, shape_def(placed.shape));
    still.shapes.push_back({still.world.shapes(body)[0], placed});
  }
  return still;
}

TEST(ShapeQueries, ClosestShapesMatchASearchOverAllDirections) {
  const Still still = scattered(1);
  base::Random random(2);
  for (int i = 0; i < 40; ++i) {
    SCOPED_TRACE(i);
    const math::Quat turn = random_rotation(random);
    const Placed mine{random_convex(random, convex_kinds[random.below(6)]), to_matrix(turn),
                      random_vector(random, 3)};
    const QueryShape query{mine.shape, {to_position(mine.at), turn}};
    const float reach = 0.6f;
    const std::vector<ClosestHit> hits = still.world.closest_all(query, reach, {});
    std::size_t expected = 0;
    for (const auto& [handle, placed] : still.shapes) {
      const double truth = search_separation(placed, mine);
      const auto hit =
          std::find_if(hits.begin(), hits.end(),
                       [wanted = handle](const ClosestHit& h) { return h.shape == wanted; });
      if (truth < static_cast<double>(reach) - 1e-3) {
        ++expected;
        ASSERT_NE(hit, hits.end());
        // The result of the search is slightly below the true distance.
        ASSERT_NEAR(static_cast<double>(hit->distance), truth, 2e-3);
        ASSERT_GE(static_cast<double>(hit->distance), truth - 1e-5);
        const Vec3 between = hit->point_on_query - hit->point_on_shape;
        ASSERT_LT(length(between - hit->normal * hit->distance), 1e-4f);
      } else if (truth > static_cast<double>(reach) + 1e-3) {
        ASSERT_EQ(hit, hits.end());
      }
    }
    ASSERT_GE(hits.size(), expected);
    ASSERT_TRUE(std::is_sorted(
        hits.begin(), hits.end(),
        [](const ClosestHit& x, const ClosestHit& y) { return x.distance < y.distance; }));
    std::size_t overlapping = 0;
    for (const ClosestHit& hit : hits)
      overlapping += hit.distance <= 0.0f ? 1U : 0U;
    ASSERT_EQ(still.world.overlap_shape(query, {}).size(), overlapping);
    const auto first = still.world.closest(query, reach, {});
    ASSERT_EQ(first.has_value(), !hits.empty());
    if (first) {
      ASSERT_EQ(first->shape, hits.front().shape);
    }
  }
}

TEST(ShapeQueries, ShapeCastStopsAtTheFirstContact) {
  const Still still = scattered(3);
  base::Random random(4);
  int hits_seen = 0;
  for (int i = 0; i < 150; ++i) {
    SCOPED_TRACE(i);
    QueryShape query{random_convex(random, convex_kinds[random.below(6)]), {}};
    query.pose.rotation = random_rotation(random);
    const Vec3 from = normalized_or(random_vector(random, 1), {1, 0, 0}) * 6.0f;
    query.pose.position = to_position(from);
    const Vec3 travel = random_vector(random, 2) - from * 2.0f;
    const ShapeCast cast{query, travel};
    const auto hit = still.world.cast_shape(cast, {});
    const std::vector<CastHit> all = still.world.cast_shape_all(cast, {});
    ASSERT_EQ(hit.has_value(), !all.empty());
    if (!hit) continue;
    ++hits_seen;
    ASSERT_EQ(hit->shape, all.front().shape);
    ASSERT_EQ(hit->fraction, all.front().fraction);
    QueryShape there = query;
    there.pose.position = query.pose.position + travel * hit->fraction;
    const auto nearest = still.world.closest(there, 0.1f, {});
    ASSERT_TRUE(nearest.has_value());
    ASSERT_NEAR(nearest->distance, 0, 2e-5f);
    ASSERT_LT(dot(hit->normal, travel), 0.0f);
    there.pose.position = query.pose.position + travel * (0.999f * hit->fraction);
    ASSERT_TRUE(still.world.overlap_shape(there, {}).empty());
  }
  EXPECT_GT(hits_seen, 50);
}

TEST(ShapeQueries, CastOfATinyBallMatchesARayCast) {
  const Still still = scattered(5);
  base::Random random(6);
  std::vector<Ray> rays;
  std::vector<ShapeCast> casts;
  for (int i = 0; i < 100; ++i) {
    const Vec3 from = normalized_or(random_vector(random, 1), {1, 0, 0}) * 6.0f;
    rays.push_back({to_position(from), random_vector(random, 2) - from * 2.0f});
    casts.push_back({{state::sphere(1e-4f), {rays.back().origin, {}}}, rays.back().translation});
  }
  const auto by_ray = still.world.cast_rays(rays, {});
  const auto by_shape = still.world.cast_shapes(casts, {});
  int same = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    if (!by_ray[i] || !by_shape[i] || by_ray[i]->shape != by_shape[i]->shape) continue;
    ++same;
    EXPECT_NEAR(by_ray[i]->fraction, by_shape[i]->fraction, 1e-3f);
  }
  EXPECT_GT(same, 30);
}

TEST(ShapeQueries, FindPlanesAndTheFrontsOfTriangles) {
  World world{WorldOptions{}};
  add_ground(world);
  state::TriangleMesh mesh;
  mesh.vertices = {{-6, 2, -6}, {-6, 2, 6}, {6, 2, 6}, {6, 2, -6}};
  mesh.triangles = {{0, 2, 1}, {0, 3, 2}};
  const BodyHandle ceiling = add_body(world, MotionType::Static, {},
                                      shape_def(state::solid(geometry::share(std::move(mesh)))));
  const QueryShape cylinder{state::cylinder(0.3f, 0.5f), {{0.1, 1, 0.2}, {}}};
  const auto down = world.cast_shape({cylinder, {0, -5, 0}}, {});
  const auto up = world.cast_shape({cylinder, {0, 5, 0}}, {});
  ASSERT_TRUE(down && up);
  EXPECT_NEAR(down->fraction, 0.1f, 1e-5f);
  EXPECT_EQ(down->normal, (Vec3{0, 1, 0}));
  EXPECT_NEAR(up->fraction, 0.1f, 1e-5f);
  EXPECT_NEAR(up->normal.y, -1, 1e-5f);
  EXPECT_EQ(up->body, ceiling);
  // Triangles are one-sided: the ball passes the ceiling from behind.
  const QueryShape above{state::sphere(0.5f), {{0.1, 5, 0.2}, {}}};
  EXPECT_NEAR(world.cast_shape({above, {0, -9, 0}}, {})->fraction, 0.5f, 1e-5f);
  const auto near = world.closest_all(cylinder, 1.0f, {});
  ASSERT_EQ(near.size(), 2U);
  EXPECT_NEAR(near[0].distance, 0.5f, 1e-5f);
  EXPECT_NEAR(near[1].distance, 0.5f, 1e-5f);
}

TEST(ShapeQueries, RespectTheFilter) {
  World world{WorldOptions{}};
  ShapeDef def = shape_def(state::sphere(1));
  def.filter.category = 4;
  add_body(world, MotionType::Static, {}, def);
  const QueryShape query{state::sphere(0.5f), {{1, 0, 0}, {}}};
  EXPECT_EQ(world.overlap_shape(query, QueryFilter{4}).size(), 1U);
  EXPECT_TRUE(world.overlap_shape(query, QueryFilter{3}).empty());
  EXPECT_FALSE(world.closest(query, 1, QueryFilter{3}).has_value());
  const ShapeCast cast{{state::sphere(0.5f), {{5, 0, 0}, {}}}, {-9, 0, 0}};
  EXPECT_TRUE(world.cast_shape(cast, QueryFilter{4}).has_value());
  EXPECT_FALSE(world.cast_shape(cast, QueryFilter{3}).has_value());
}

}  // namespace
}  // namespace jostle::physics
