#include "shared/physics/narrow_phase/clip.h"

#include <algorithm>

namespace jostle::physics {
namespace {

ClipVertex between(const ClipVertex& p, const ClipVertex& q, float share, std::uint32_t edge) {
  return {p.u + (q.u - p.u) * share, p.v + (q.v - p.v) * share,
          p.height + (q.height - p.height) * share, edge};
}

/// Keeps what has `inside(vertex)` ≤ 0.
template <typename Outside>
ClipPolygon clip_to_side(const ClipPolygon& polygon, std::uint32_t side, Outside outside) {
  ClipPolygon result;
  if (polygon.count == 0) return result;
  // No corner is cut off in the common case.
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
    result.add(between(p, q, p_out / (p_out - q_out), edge));
  }
  return result;
}

}  // namespace

ClipPolygon clip_to_rectangle(const ClipPolygon& polygon, float half_u, float half_v) {
  ClipPolygon cut = clip_to_side(polygon, 4, [&](const ClipVertex& p) { return p.u - half_u; });
  cut = clip_to_side(cut, 5, [&](const ClipVertex& p) { return p.v - half_v; });
  cut = clip_to_side(cut, 6, [&](const ClipVertex& p) { return -half_u - p.u; });
  return clip_to_side(cut, 7, [&](const ClipVertex& p) { return -half_v - p.v; });
}

std::uint32_t pick_four(std::span<const ClipVertex> p, std::array<std::uint32_t, 4>& picked) {
  const auto count = static_cast<std::uint32_t>(p.size());
  if (count <= 4) {
    for (std::uint32_t i = 0; i < count; ++i)
      picked[i] = i;
    return count;
  }
  constexpr float same_depth = 1e-4f;  // m
  std::uint32_t deep = 0;
  for (std::uint32_t i = 1; i < count; ++i) {
    if (p[i].height < p[deep].height - same_depth) deep = i;
  }

  constexpr float better = 1.02f;  // a later corner must win by 2 %
  std::uint32_t far = deep;
  float far_distance = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
    const float du = p[i].u - p[deep].u, dv = p[i].v - p[deep].v;
    const float distance = du * du + dv * dv;
    if (distance > far_distance * better) {
      far_distance = distance;
      far = i;
    }
  }

  const float line_u = p[far].u - p[deep].u, line_v = p[far].v - p[deep].v;
  std::uint32_t left = deep, right = deep;
  float left_area = 0, right_area = 0;
  for (std::uint32_t i = 0; i < count; ++i) {
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

}  // namespace jostle::physics
