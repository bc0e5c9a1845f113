#include "shared/physics/collision/clip.h"

#include "shared/math/vec3.h"

#include <algorithm>
#include <cmath>

namespace jostle::physics {
namespace {

/// Clips the polygon to the half-plane where `outside(vertex) <= 0`. The new edge gets the id
/// `side`.
template <typename Outside>
ClipPolygon clip_to_side(const ClipPolygon& polygon, std::uint32_t side, Outside outside) {
  ClipPolygon result;
  if (polygon.count == 0) return result;
  // In the common case no corner is cut off.
  bool is_all_inside = true;
  for (std::uint32_t i = 0; i < polygon.count; ++i) {
    is_all_inside = is_all_inside && outside(polygon.vertices[i]) <= 0.0f;
  }
  if (is_all_inside) return polygon;

  for (std::uint32_t i = 0; i < polygon.count; ++i) {
    const ClipVertex& p = polygon.vertices[i];
    const ClipVertex& q = polygon.vertices[i + 1 == polygon.count ? 0 : i + 1];
    const float p_out = outside(p), q_out = outside(q);
    if (p_out <= 0.0f) result.add(p);
    if ((p_out <= 0.0f) == (q_out <= 0.0f)) continue;
    if (result.count == result.vertices.size()) return result;
    const std::uint32_t edge = p_out <= 0.0f ? side : p.edge;
    result.add(vertex_between(p, q, p_out / (p_out - q_out), edge));
  }
  return result;
}

/// Maximum difference in depth between the points that support a resting body: in m, and as a share
/// of the contact's width. The smaller of the two limits applies. The first equals
/// keep_points_distance: a body that has moved by less may keep its points.
constexpr float most_level = 5e-4f, level_share = 1e-3f;
constexpr float better = 1.02f;  // a later corner must be better by 2 %

float distance_squared(const ClipVertex& p, const ClipVertex& q) {
  const float du = q.u - p.u, dv = q.v - p.v;
  return du * du + dv * dv;
}

/// Picks up to four of the corners not above `highest`: the two that are farthest apart, and the
/// farthest one on either side of the line between them. One of the first two is not above
/// `deep_enough`. Returns the number of picked corners.
std::uint32_t pick_widest(std::span<const ClipVertex> p, float deep_enough, float highest,
                          std::array<std::uint32_t, 4>& picked) {
  const auto count = static_cast<std::uint32_t>(p.size());
  std::uint32_t deep = 0, far = 0;
  float far_distance = -1;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (p[i].height > deep_enough) continue;
    for (std::uint32_t k = 0; k < count; ++k) {
      if (p[k].height > highest) continue;
      const float distance = distance_squared(p[i], p[k]);
      if (distance <= far_distance * better) continue;
      far_distance = distance;
      deep = i;
      far = k;
    }
  }

  const float line_u = p[far].u - p[deep].u, line_v = p[far].v - p[deep].v;
  std::uint32_t left = deep, right = deep;
  float left_area = 0, right_area = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    if (p[i].height > highest) continue;
    const float area = line_u * (p[i].v - p[deep].v) - line_v * (p[i].u - p[deep].u);
    if (area > left_area * better) {
      left_area = area;
      left = i;
    }
    if (-area > right_area * better) {
      right_area = -area;
      right = i;
    }
  }
  picked = {deep, far, left, right};
  std::sort(picked.begin(), picked.end());
  const auto last = std::unique(picked.begin(), picked.end());
  return static_cast<std::uint32_t>(last - picked.begin());
}

/// Adds a corner to the picked ones. If four are picked already, the corner replaces the nearest
/// picked one above `highest`, because that one bears no load. If there is none, nothing changes.
void put_in(std::span<const ClipVertex> p, std::uint32_t corner, float highest,
            std::array<std::uint32_t, 4>& picked, std::uint32_t& picks) {
  std::uint32_t replaced = picks;
  float nearest = 3.0e38f;
  for (std::uint32_t k = 0; k < picks; ++k) {
    if (picked[k] == corner) return;
    const float distance = distance_squared(p[picked[k]], p[corner]);
    if (picks < picked.size() || p[picked[k]].height <= highest || distance >= nearest) continue;
    nearest = distance;
    replaced = k;
  }
  if (replaced == picked.size()) return;
  picked[replaced] = corner;
  picks = std::max(picks, replaced + 1);
}

}  // namespace

ClipPolygon clip_to_rectangle(const ClipPolygon& polygon, float half_u, float half_v) {
  ClipPolygon cut = clip_to_side(polygon, 4, [&](const ClipVertex& p) { return p.u - half_u; });
  cut = clip_to_side(cut, 5, [&](const ClipVertex& p) { return p.v - half_v; });
  cut = clip_to_side(cut, 6, [&](const ClipVertex& p) { return -half_u - p.u; });
  return clip_to_side(cut, 7, [&](const ClipVertex& p) { return -half_v - p.v; });
}

std::uint32_t pick_four(std::span<const ClipVertex> points, std::array<std::uint32_t, 4>& picked) {
  const auto count = static_cast<std::uint32_t>(points.size());
  if (count <= picked.size()) {
    for (std::uint32_t i = 0; i < count; ++i)
      picked[i] = i;
    return count;
  }
  float lowest = points[0].height;
  for (const ClipVertex& point : points)
    lowest = math::min_of(lowest, point.height);
  float spread = 0;
  for (const ClipVertex& point : points)
    spread = math::max_of(spread, distance_squared(points[0], point));
  const float level = math::min_of(most_level, level_share * std::sqrt(spread));
  const float highest = math::max_of(lowest, 0.0f) + level;
  const auto bears = [&](const ClipVertex& point) { return point.height <= highest; };
  if (std::count_if(points.begin(), points.end(), bears) > 4)
    return pick_widest(points, lowest + level, highest, picked);
  std::uint32_t picks = pick_widest(points, lowest + level, 3.0e38f, picked);
  for (std::uint32_t i = 0; i < count; ++i) {
    if (bears(points[i])) put_in(points, i, highest, picked, picks);
  }
  std::sort(picked.begin(), picked.begin() + picks);
  return picks;
}

}  // namespace jostle::physics
