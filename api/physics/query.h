#pragma once

#include "api/base/definition.h"
#include "api/physics/convert.h"
#include "shared/physics/queries.h"

#include <jostle/physics/queries.h>

#include <optional>

namespace jostle::api {

template <>
jostle_query_filter default_of();

template <>
jostle_query_shape default_of();

// Arguments of queries; each function refuses invalid values.

physics::QueryFilter checked_filter(const jostle_query_filter* filter);
physics::Ray checked_ray(const jostle_ray& ray);
physics::QueryShape checked_query(const jostle_query_shape& values);
physics::ShapeCast checked_cast(const jostle_query_shape& values);
inline math::Aabb checked_box(const jostle_aabb& box) {
  require_finite(box.lower, "box->lower");
  require_finite(box.upper, "box->upper");
  return to_engine(box);
}

jostle_cast_hit to_c(const physics::CastHit& hit);
jostle_closest_hit to_c(const physics::ClosestHit& hit);

/// Returns the hit, or zeros if there is none.
template <typename Hit, typename EngineHit>
Hit hit_or_none(const std::optional<EngineHit>& hit) {
  return hit ? to_c(*hit) : Hit{};
}

}  // namespace jostle::api
