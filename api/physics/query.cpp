#include "api/physics/query.h"

#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/physics/convert.h"
#include "api/physics/shape_geometry.h"
#include "api/physics/tables.h"
#include "shared/geometry/shape_check.h"

#include <cmath>

namespace jostle::api {

template <>
jostle_query_filter default_of() {
  const physics::QueryFilter filter;
  return {sizeof(jostle_query_filter), filter.mask, to_c(filter.sees_sensors)};
}
template <>
jostle_query_shape default_of() {
  jostle_query_shape shape{};
  shape.size = sizeof shape;
  shape.pose = to_c(math::Pose{});
  return shape;
}

physics::QueryFilter checked_filter(const jostle_query_filter* filter) {
  if (filter == nullptr) return {};
  const jostle_query_filter values = read_struct(filter, "filter");
  return {values.mask, require_bool(values.sees_sensors, "filter->sees_sensors")};
}

physics::Ray checked_ray(const jostle_ray& ray) {
  require_finite(ray.origin, "ray->origin");
  require_finite(ray.translation, "ray->translation");
  return {to_engine(ray.origin), to_engine(ray.translation)};
}

physics::QueryShape checked_query(const jostle_query_shape& values) {
  require_integer(values.reserved, 0, 0, "shape->reserved");
  for (const float size : {values.radius, values.half_height, values.half_extents.x,
                           values.half_extents.y, values.half_extents.z})
    require_range(size, 0, geometry::max_shape_size, "a size of the query shape", "m");
  physics::QueryShape query;
  query.shape = shape_of({values.kind, values.radius, values.half_height, values.half_extents,
                          values.solid, "shape->kind"});
  if (state::is_static_only(query.shape.kind)) {
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "shape->kind is a plane, a mesh or a height field; accepted: convex shapes");
  }
  require_pose(values.pose, "shape->pose");
  query.pose = to_engine(values.pose);
  return query;
}

physics::ShapeCast checked_cast(const jostle_query_shape& values) {
  require_finite(values.translation, "shape->translation");
  return {checked_query(values), to_engine(values.translation)};
}

jostle_cast_hit to_c(const physics::CastHit& hit) {
  return {1, hit.fraction, to_c(hit.shape), to_c(hit.body), to_c(hit.point), to_c(hit.normal), 0};
}
jostle_closest_hit to_c(const physics::ClosestHit& hit) {
  return {1,
          hit.distance,
          to_c(hit.shape),
          to_c(hit.body),
          to_c(hit.point_on_query),
          to_c(hit.point_on_shape),
          to_c(hit.normal),
          0};
}

}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_query_filter_init(jostle_query_filter* filter, size_t size) {
  return write_default(__func__, filter, size);
}
jostle_result jostle_query_shape_init(jostle_query_shape* shape, size_t size) {
  return write_default(__func__, shape, size);
}

jostle_result jostle_world_cast_ray(jostle_world world, const jostle_ray* ray,
                                    const jostle_query_filter* filter, jostle_cast_hit* hit) {
  return read_world(__func__, world, [&](const physics::World& found) {
    require_pointer(ray, "ray");
    require_pointer(hit, "hit");
    *hit = hit_or_none<jostle_cast_hit>(found.cast_ray(checked_ray(*ray), checked_filter(filter)));
  });
}
jostle_result jostle_world_cast_ray_all(jostle_world world, const jostle_ray* ray,
                                        const jostle_query_filter* filter, jostle_cast_hit* hits,
                                        size_t stride, size_t capacity, size_t* count) {
  return read_world(__func__, world, [&](const physics::World& found) {
    require_pointer(ray, "ray");
    const auto output = list_output(hits, stride, capacity, count);
    const auto list = found.cast_ray_all(checked_ray(*ray), checked_filter(filter));
    write_list(output, list.size(), [&](std::size_t i) { return jostle::api::to_c(list[i]); });
  });
}

jostle_result jostle_world_cast_shape(jostle_world world, const jostle_query_shape* shape,
                                      const jostle_query_filter* filter, jostle_cast_hit* hit) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto cast = checked_cast(read_struct(shape, "shape"));
    require_pointer(hit, "hit");
    *hit = hit_or_none<jostle_cast_hit>(found.cast_shape(cast, checked_filter(filter)));
  });
}
jostle_result jostle_world_cast_shape_all(jostle_world world, const jostle_query_shape* shape,
                                          const jostle_query_filter* filter, jostle_cast_hit* hits,
                                          size_t stride, size_t capacity, size_t* count) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto cast = checked_cast(read_struct(shape, "shape"));
    const auto output = list_output(hits, stride, capacity, count);
    const auto list = found.cast_shape_all(cast, checked_filter(filter));
    write_list(output, list.size(), [&](std::size_t i) { return jostle::api::to_c(list[i]); });
  });
}

jostle_result jostle_world_closest(jostle_world world, const jostle_query_shape* shape,
                                   float max_distance, const jostle_query_filter* filter,
                                   jostle_closest_hit* hit) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto query = checked_query(read_struct(shape, "shape"));
    require_not_negative(max_distance, "max_distance", "m");
    require_pointer(hit, "hit");
    *hit =
        hit_or_none<jostle_closest_hit>(found.closest(query, max_distance, checked_filter(filter)));
  });
}
jostle_result jostle_world_closest_all(jostle_world world, const jostle_query_shape* shape,
                                       float max_distance, const jostle_query_filter* filter,
                                       jostle_closest_hit* hits, size_t stride, size_t capacity,
                                       size_t* count) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto query = checked_query(read_struct(shape, "shape"));
    require_not_negative(max_distance, "max_distance", "m");
    const auto output = list_output(hits, stride, capacity, count);
    const auto list = found.closest_all(query, max_distance, checked_filter(filter));
    write_list(output, list.size(), [&](std::size_t i) { return jostle::api::to_c(list[i]); });
  });
}

jostle_result jostle_world_overlap_aabb(jostle_world world, const jostle_aabb* box,
                                        const jostle_query_filter* filter, jostle_shape* shapes,
                                        size_t capacity, size_t* count) {
  return read_world(__func__, world, [&](const physics::World& found) {
    require_pointer(box, "box");
    const auto output = list_output(shapes, 0, capacity, count);
    const auto list = found.overlap_aabb(checked_box(*box), checked_filter(filter));
    write_list(output, list.size(), [&](std::size_t i) { return to_c(list[i]); });
  });
}
jostle_result jostle_world_overlap_shape(jostle_world world, const jostle_query_shape* shape,
                                         const jostle_query_filter* filter, jostle_shape* shapes,
                                         size_t capacity, size_t* count) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto query = checked_query(read_struct(shape, "shape"));
    const auto output = list_output(shapes, 0, capacity, count);
    const auto list = found.overlap_shape(query, checked_filter(filter));
    write_list(output, list.size(), [&](std::size_t i) { return to_c(list[i]); });
  });
}
