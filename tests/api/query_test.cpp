// Tests of jostle/physics/queries.h, events.h and debug_draw.h against libjostle.so.
#include "tests/api/api_test.h"

#include <array>
#include <vector>

namespace jostle::api_test {
namespace {

jostle_query_shape ball_at(jostle_position position, float radius) {
  jostle_query_shape shape;
  jostle_query_shape_default(&shape);
  shape.radius = radius;
  shape.pose.position = position;
  return shape;
}

std::vector<double> numbers_of(const jostle_cast_hit& hit) {
  return {double(hit.is_hit),
          hit.fraction,
          double(hit.shape.index),
          double(hit.body.index),
          hit.point.x,
          hit.point.y,
          hit.point.z,
          hit.normal.x,
          hit.normal.y,
          hit.normal.z};
}
std::vector<double> numbers_of(const jostle_closest_hit& hit) {
  return {double(hit.is_hit),     hit.distance,         double(hit.shape.index),
          double(hit.body.index), hit.point_on_query.x, hit.point_on_query.y,
          hit.point_on_shape.x,   hit.point_on_shape.y, hit.normal.x,
          hit.normal.y,           hit.normal.z};
}

struct ApiQuery : testing::Test {
  World world;
  jostle_body ground = world.add_ground();
  jostle_body near_ball = world.add_ball({0, 0.5, 0}), far_ball = world.add_ball({5, 0.5, 0});
};

TEST_F(ApiQuery, RayHitsTheNearestShapeThatItsFilterSees) {
  const jostle_ray ray{{-5, 0.5, 0}, {20, 0, 0}};
  jostle_cast_hit hit{};
  JOSTLE_ASSERT_OK(jostle_world_cast_ray(world, &ray, nullptr, &hit));
  EXPECT_EQ(1, hit.is_hit);
  EXPECT_EQ(near_ball.index, hit.body.index);
  EXPECT_NEAR(-0.5, hit.point.x, 1e-6);
  EXPECT_NEAR(0.225f, hit.fraction, 1e-6f);
  EXPECT_EQ(-1.0f, hit.normal.x);
  jostle_query_filter filter;
  jostle_query_filter_default(&filter);
  filter.mask = 2;
  JOSTLE_ASSERT_OK(jostle_world_cast_ray(world, &ray, &filter, &hit));
  EXPECT_EQ(0, hit.is_hit);
  EXPECT_EQ(0U, hit.body.index);
  std::array<jostle_cast_hit, 4> hits{};
  std::size_t count = 0;
  JOSTLE_ASSERT_OK(jostle_world_cast_ray_all(world, &ray, nullptr, hits.data(), 0, 4, &count));
  EXPECT_EQ(2U, count);
  EXPECT_EQ(far_ball.index, hits[1].body.index);
}

TEST_F(ApiQuery, BatchesEqualSingleQueries) {
  std::vector<jostle_ray> rays;
  std::vector<jostle_query_shape> shapes;
  std::vector<jostle_aabb> boxes;
  for (int i = 0; i < 20; ++i) {
    const double x = i * 0.4 - 1;
    rays.push_back({{x, 3, 0}, {0, -5, 0}});
    shapes.push_back(ball_at({x, 2, 0}, 0.25f));
    shapes.back().translation = {0, -4, 0};
    boxes.push_back({{x, 0.4, 0}, {x + 0.1, 0.6, 0.1}});
  }
  std::vector<jostle_cast_hit> ray_hits(20), shape_hits(20);
  std::vector<jostle_closest_hit> closest(20);
  JOSTLE_ASSERT_OK(jostle_world_cast_rays(world, rays.data(), 0, 20, nullptr, ray_hits.data(), 0));
  JOSTLE_ASSERT_OK(
      jostle_world_cast_shapes(world, shapes.data(), 0, 20, nullptr, shape_hits.data(), 0));
  JOSTLE_ASSERT_OK(
      jostle_world_closest_of_each(world, shapes.data(), 0, 20, 1.2f, nullptr, closest.data(), 0));
  std::vector<std::size_t> counts(20), shape_counts(20);
  std::vector<jostle_shape> found(100), overlaps(100);
  std::size_t count = 0, shape_count = 0;
  JOSTLE_ASSERT_OK(jostle_world_overlap_aabbs(world, boxes.data(), 20, nullptr, counts.data(),
                                              found.data(), 100, &count));
  JOSTLE_ASSERT_OK(jostle_world_overlap_shapes(world, shapes.data(), 0, 20, nullptr,
                                               shape_counts.data(), overlaps.data(), 100,
                                               &shape_count));
  std::size_t offset = 0;
  for (std::size_t i = 0; i < 20; ++i) {
    jostle_cast_hit hit{};
    JOSTLE_ASSERT_OK(jostle_world_cast_ray(world, &rays[i], nullptr, &hit));
    EXPECT_EQ(numbers_of(hit), numbers_of(ray_hits[i])) << i;
    JOSTLE_ASSERT_OK(jostle_world_cast_shape(world, &shapes[i], nullptr, &hit));
    EXPECT_EQ(numbers_of(hit), numbers_of(shape_hits[i])) << i;
    jostle_closest_hit nearest{};
    JOSTLE_ASSERT_OK(jostle_world_closest(world, &shapes[i], 1.2f, nullptr, &nearest));
    EXPECT_EQ(numbers_of(nearest), numbers_of(closest[i])) << i;
    std::array<jostle_shape, 4> list{};
    std::size_t single = 0;
    JOSTLE_ASSERT_OK(
        jostle_world_overlap_aabb(world, &boxes[i], nullptr, list.data(), list.size(), &single));
    EXPECT_EQ(single, counts[i]);
    for (std::size_t k = 0; k < single; ++k)
      EXPECT_EQ(list[k].index, found[offset + k].index);
    offset += single;
  }
  EXPECT_EQ(offset, count);
}

TEST_F(ApiQuery, ClosestAndOverlapsFindShapesByDistance) {
  const jostle_query_shape point = ball_at({0, 2, 0}, 0);
  std::array<jostle_closest_hit, 4> hits{};
  std::size_t count = 0;
  JOSTLE_ASSERT_OK(
      jostle_world_closest_all(world, &point, 2.5f, nullptr, hits.data(), 0, 4, &count));
  ASSERT_EQ(2U, count);
  EXPECT_NEAR(1, hits[0].distance, 1e-5f);
  EXPECT_EQ(ground.index, hits[1].body.index);
  std::array<jostle_shape, 4> shapes{};
  const jostle_query_shape ball = ball_at({0.5, 1, 0}, 0.4f);
  JOSTLE_ASSERT_OK(
      jostle_world_overlap_shape(world, &ball, nullptr, shapes.data(), shapes.size(), &count));
  EXPECT_EQ(1U, count);
  std::array<jostle_cast_hit, 4> all{};
  jostle_query_shape moving = ball_at({-3, 0.6, 0}, 0.4f);
  moving.translation = {20, 0, 0};
  JOSTLE_ASSERT_OK(jostle_world_cast_shape_all(world, &moving, nullptr, all.data(), 0, 4, &count));
  EXPECT_EQ(2U, count);
}

TEST_F(ApiQuery, RefusesShapesThatAreNotConvex) {
  jostle_query_shape plane = ball_at({0, 0, 0}, 0);
  plane.kind = JOSTLE_SHAPE_PLANE;
  jostle_cast_hit hit{};
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "convex shapes",
                      jostle_world_cast_shape(world, &plane, nullptr, &hit));
  plane.kind = JOSTLE_SHAPE_HULL;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_STALE_HANDLE, "solid is the null handle",
                      jostle_world_cast_shape(world, &plane, nullptr, &hit));
}

TEST(ApiEvents, ReportContactsHitsSensorsAndSleep) {
  const World world;
  const jostle_body ground = world.add_ground();
  const jostle_body ball = world.add_ball({0, 1.2, 0});
  const jostle_body gate = world.add_body(JOSTLE_MOTION_STATIC, {0, 0.5, 0});
  jostle_shape_def sensor = World::shape_of(JOSTLE_SHAPE_BOX);
  sensor.is_sensor = 1;
  const jostle_shape sensor_shape = world.add_shape(gate, sensor);
  std::size_t begins = 0, hits = 0, enters = 0, sleeps = 0, count = 0;
  for (int i = 0; i < 240; ++i) {
    world.step(1);
    jostle_shape_pair pair{};
    JOSTLE_ASSERT_OK(jostle_world_get_contact_begins(world, &pair, 0, 1, &count));
    begins += count;
    jostle_contact_hit hit{};
    JOSTLE_ASSERT_OK(jostle_world_get_contact_hits(world, &hit, 0, 1, &count));
    if (count > 0) {
      EXPECT_NEAR(3.7f, hit.approach_speed, 0.2f);
    }
    hits += count;
    JOSTLE_ASSERT_OK(jostle_world_get_sensor_begins(world, &pair, 0, 1, &count));
    if (count > 0) {
      EXPECT_EQ(sensor_shape.index, pair.a.index);
    }
    enters += count;
    jostle_sleep_change change{};
    JOSTLE_ASSERT_OK(jostle_world_get_sleep_changes(world, &change, 0, 1, &count));
    if (count > 0 && change.is_awake == 0) ++sleeps;
  }
  EXPECT_EQ(1U, begins);
  EXPECT_EQ(1U, hits);
  EXPECT_EQ(1U, enters);
  EXPECT_EQ(1U, sleeps);
  jostle_shape overlap{};
  JOSTLE_ASSERT_OK(jostle_shape_get_overlaps(world, sensor_shape, &overlap, 1, &count));
  EXPECT_EQ(1U, count);
  jostle_contact contact{};
  JOSTLE_ASSERT_OK(jostle_world_get_contacts(world, &contact, 0, 1, &count));
  EXPECT_EQ(1U, count);
  EXPECT_EQ(ground.index, contact.body_a.index);
  EXPECT_EQ(ball.index, contact.body_b.index);
  EXPECT_EQ(1U, contact.point_count);
  EXPECT_NEAR(1, contact.normal.y, 1e-5f);
  JOSTLE_ASSERT_OK(jostle_body_destroy(world, ball));
  world.step(1);
  JOSTLE_ASSERT_OK(jostle_world_get_contact_ends(world, nullptr, 0, 0, &count));
  EXPECT_EQ(1U, count);
  JOSTLE_ASSERT_OK(jostle_world_get_sensor_ends(world, nullptr, 0, 0, &count));
  EXPECT_EQ(1U, count);
}

struct Drawn {
  int points = 0, lines = 0, triangles = 0, spheres = 0, boxes = 0, capsules = 0, cylinders = 0;
};

TEST(ApiDebugDraw, CallsTheFunctionsOfTheReceiver) {
  const World world;
  world.add_ground();
  world.add_ball({0, 0.5, 0});
  world.add_cube({2, 0.5, 0});
  const jostle_body tall = world.add_body(JOSTLE_MOTION_DYNAMIC, {5, 2, 0});
  world.add_shape(tall, World::shape_of(JOSTLE_SHAPE_CAPSULE));
  world.add_shape(tall, World::shape_of(JOSTLE_SHAPE_CONE));
  world.step(1);
  jostle_debug_draw_def def;
  jostle_debug_draw_def_default(&def);
  jostle_draw_receiver receiver;
  jostle_draw_receiver_default(&receiver);
  JOSTLE_ASSERT_OK(jostle_world_debug_draw(world, &def, &receiver));
  Drawn drawn;
  receiver.user = &drawn;
  receiver.point = [](void* user, jostle_position, const jostle_draw_label*) {
    ++static_cast<Drawn*>(user)->points;
  };
  receiver.line = [](void* user, jostle_position, jostle_position, const jostle_draw_label*) {
    ++static_cast<Drawn*>(user)->lines;
  };
  receiver.triangle = [](void* user, const jostle_position*, const jostle_draw_label*) {
    ++static_cast<Drawn*>(user)->triangles;
  };
  receiver.sphere = [](void* user, const jostle_pose*, float, const jostle_draw_label* label) {
    EXPECT_EQ(JOSTLE_DRAW_AWAKE_SHAPE, label->kind);
    ++static_cast<Drawn*>(user)->spheres;
  };
  receiver.box = [](void* user, const jostle_pose*, jostle_vec3, const jostle_draw_label*) {
    ++static_cast<Drawn*>(user)->boxes;
  };
  receiver.capsule = [](void* user, const jostle_pose*, float, float, const jostle_draw_label*) {
    ++static_cast<Drawn*>(user)->capsules;
  };
  receiver.cylinder = [](void* user, const jostle_pose*, float, float, float,
                         const jostle_draw_label*) { ++static_cast<Drawn*>(user)->cylinders; };
  JOSTLE_ASSERT_OK(jostle_world_debug_draw(world, &def, &receiver));
  EXPECT_EQ(1, drawn.spheres);
  EXPECT_EQ(1, drawn.capsules);
  EXPECT_EQ(1, drawn.cylinders);
  EXPECT_GT(drawn.boxes, 1);
  EXPECT_GT(drawn.points, 0);
  EXPECT_GT(drawn.lines, 0);
  def.kinds = 1U << JOSTLE_DRAW_KIND_COUNT;
  JOSTLE_EXPECT_ERROR(JOSTLE_ERROR_INVALID_ARGUMENT, "def->kinds",
                      jostle_world_debug_draw(world, &def, &receiver));
}

}  // namespace
}  // namespace jostle::api_test
