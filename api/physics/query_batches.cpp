#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/physics/query.h"
#include "api/physics/tables.h"

#include <vector>

using namespace jostle;
using namespace jostle::api;

namespace {

/// Array of the caller with query shapes. Each has its own size, as other structs.
template <typename Check>
auto read_queries(const jostle_query_shape* shapes, std::size_t stride, std::size_t count,
                  const Check& check) {
  const std::size_t bytes = stride_of(stride, first_size<jostle_query_shape>, "shapes");
  require_array(shapes, count, bytes, "shapes");
  std::vector<decltype(check(jostle_query_shape{}))> checked;
  for (std::size_t i = 0; i < count; ++i) {
    const auto* at = reinterpret_cast<const jostle_query_shape*>(
        reinterpret_cast<const char*>(shapes) + i * bytes);
    checked.push_back(check(read_struct(at, "shapes")));
  }
  return checked;
}

/// Writes one hit per query.
template <typename Hit, typename EngineHits>
void write_hits(const EngineHits& found, Hit* hits, std::size_t stride) {
  const std::size_t bytes = stride_of(stride, sizeof(Hit), "hits");
  for (std::size_t i = 0; i < found.size(); ++i)
    write_element<Hit>(hits, bytes, i, hit_or_none<Hit>(found[i]));
}
template <typename Hit>
void require_hits(const Hit* hits, std::size_t stride, std::size_t count) {
  require_array(hits, count, stride_of(stride, sizeof(Hit), "hits"), "hits");
}

/// Writes the lists of all queries one after another, and the length of each.
void write_lists(const std::vector<std::vector<physics::ShapeHandle>>& lists, size_t* counts,
                 const ListOutput<jostle_shape>& output) {
  std::vector<physics::ShapeHandle> all;
  for (std::size_t i = 0; i < lists.size(); ++i) {
    counts[i] = lists[i].size();
    all.insert(all.end(), lists[i].begin(), lists[i].end());
  }
  write_list(output, all.size(), [&](std::size_t i) { return to_c(all[i]); });
}

}  // namespace

jostle_result jostle_world_cast_rays(jostle_world world, const jostle_ray* rays, size_t rays_stride,
                                     size_t count, const jostle_query_filter* filter,
                                     jostle_cast_hit* hits, size_t hits_stride) {
  return read_world_alone(__func__, world, [&](physics::World& found) {
    const std::size_t bytes = stride_of(rays_stride, sizeof(jostle_ray), "rays");
    require_array(rays, count, bytes, "rays");
    require_hits(hits, hits_stride, count);
    std::vector<physics::Ray> checked;
    for (std::size_t i = 0; i < count; ++i)
      checked.push_back(checked_ray(read_element(rays, bytes, i)));
    write_hits(found.cast_rays(checked, checked_filter(filter)), hits, hits_stride);
  });
}
jostle_result jostle_world_cast_shapes(jostle_world world, const jostle_query_shape* shapes,
                                       size_t shapes_stride, size_t count,
                                       const jostle_query_filter* filter, jostle_cast_hit* hits,
                                       size_t hits_stride) {
  return read_world_alone(__func__, world, [&](physics::World& found) {
    require_hits(hits, hits_stride, count);
    const auto casts = read_queries(shapes, shapes_stride, count, checked_cast);
    write_hits(found.cast_shapes(casts, checked_filter(filter)), hits, hits_stride);
  });
}
jostle_result jostle_world_closest_of_each(jostle_world world, const jostle_query_shape* shapes,
                                           size_t shapes_stride, size_t count, float max_distance,
                                           const jostle_query_filter* filter,
                                           jostle_closest_hit* hits, size_t hits_stride) {
  return read_world_alone(__func__, world, [&](physics::World& found) {
    require_hits(hits, hits_stride, count);
    require_not_negative(max_distance, "max_distance", "m");
    const auto queries = read_queries(shapes, shapes_stride, count, checked_query);
    write_hits(found.closest_of_each(queries, max_distance, checked_filter(filter)), hits,
               hits_stride);
  });
}
jostle_result jostle_world_overlap_aabbs(jostle_world world, const jostle_aabb* boxes,
                                         size_t box_count, const jostle_query_filter* filter,
                                         size_t* counts, jostle_shape* shapes, size_t capacity,
                                         size_t* count) {
  return read_world_alone(__func__, world, [&](physics::World& found) {
    require_array(boxes, box_count, sizeof(jostle_aabb), "boxes");
    require_array(counts, box_count, sizeof(size_t), "counts");
    const auto output = list_output(shapes, 0, capacity, count);
    std::vector<math::Aabb> checked;
    for (std::size_t i = 0; i < box_count; ++i)
      checked.push_back(checked_box(read_element(boxes, sizeof(jostle_aabb), i)));
    write_lists(found.overlap_aabbs(checked, checked_filter(filter)), counts, output);
  });
}
jostle_result jostle_world_overlap_shapes(jostle_world world, const jostle_query_shape* queries,
                                          size_t queries_stride, size_t query_count,
                                          const jostle_query_filter* filter, size_t* counts,
                                          jostle_shape* shapes, size_t capacity, size_t* count) {
  return read_world_alone(__func__, world, [&](physics::World& found) {
    require_array(counts, query_count, sizeof(size_t), "counts");
    const auto output = list_output(shapes, 0, capacity, count);
    const auto checked = read_queries(queries, queries_stride, query_count, checked_query);
    write_lists(found.overlap_shapes(checked, checked_filter(filter)), counts, output);
  });
}
