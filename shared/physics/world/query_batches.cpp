#include "shared/base/fp_environment.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/world.h"

#include <algorithm>

namespace jostle::physics {
namespace {

/// Runs `ask` for each query on the world's threads. Returns the results in the order of the
/// queries.
template <typename Answer, typename Query, typename Ask>
std::vector<Answer> answers(const WorldState& world, std::span<const Query> queries,
                            const Ask& ask) {
  // A piece must be large enough to be worth another thread, and the pool limits the number of
  // pieces.
  constexpr std::size_t min_length = 8, max_pieces = 4096;
  const std::size_t length = std::max(min_length, (queries.size() + max_pieces - 1) / max_pieces);
  std::vector<Answer> found(queries.size());
  workers::WorkerPool& workers = *world.runtime.workers;
  // The calling thread needs the same floating-point environment as the helper threads.
  const base::FpEnvironment environment;
  if (queries.size() > length) workers.begin_step();
  for_each_range(workers, queries.size(), length, [&](Range range) {
    for (std::size_t i = range.first; i < range.last; ++i)
      found[i] = ask(queries[i]);
  });
  workers.end_step();
  return found;
}

}  // namespace

std::vector<std::optional<CastHit>> World::cast_rays(std::span<const Ray> rays,
                                                     const QueryFilter& filter) const {
  return answers<std::optional<CastHit>>(*state_, rays,
                                         [&](const Ray& ray) { return cast_ray(ray, filter); });
}

std::vector<std::optional<CastHit>> World::cast_shapes(std::span<const ShapeCast> casts,
                                                       const QueryFilter& filter) const {
  return answers<std::optional<CastHit>>(
      *state_, casts, [&](const ShapeCast& cast) { return cast_shape(cast, filter); });
}

std::vector<std::optional<ClosestHit>> World::closest_of_each(std::span<const QueryShape> queries,
                                                              float max_distance,
                                                              const QueryFilter& filter) const {
  return answers<std::optional<ClosestHit>>(*state_, queries, [&](const QueryShape& query) {
    return closest(query, max_distance, filter);
  });
}

std::vector<std::vector<ShapeHandle>> World::overlap_aabbs(std::span<const math::Aabb> boxes,
                                                           const QueryFilter& filter) const {
  return answers<std::vector<ShapeHandle>>(
      *state_, boxes, [&](const math::Aabb& box) { return overlap_aabb(box, filter); });
}

std::vector<std::vector<ShapeHandle>> World::overlap_shapes(std::span<const QueryShape> queries,
                                                            const QueryFilter& filter) const {
  return answers<std::vector<ShapeHandle>>(
      *state_, queries, [&](const QueryShape& query) { return overlap_shape(query, filter); });
}

}  // namespace jostle::physics
