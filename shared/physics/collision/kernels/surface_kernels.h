#pragma once

#include "shared/physics/collision/triangle_lanes.h"
#include "shared/simd/vector_lanes.h"

#include <cstdint>

namespace jostle::physics::kernels {

template <typename F>
JOSTLE_SIMD_INLINE F size_of(F x) {
  return max_of(x, -x);
}
template <typename F>
JOSTLE_SIMD_INLINE simd::Vectors<F> sizes_of(const simd::Vectors<F>& v) {
  return {size_of(v.x), size_of(v.y), size_of(v.z)};
}
template <typename F>
JOSTLE_SIMD_INLINE simd::Vectors<F> splat_vector(const math::Vec3& v) {
  return {F::splat(v.x), F::splat(v.y), F::splat(v.z)};
}
template <typename F>
JOSTLE_SIMD_INLINE auto is_within(const simd::Vectors<F>& v, const simd::Vectors<F>& limit) {
  return (v.x <= limit.x) & (v.y <= limit.y) & (v.z <= limit.z);
}
template <typename F>
JOSTLE_SIMD_INLINE simd::Vectors<F> min_of_three(const simd::Vectors<F>& a,
                                                 const simd::Vectors<F>& b,
                                                 const simd::Vectors<F>& c) {
  return {min_of(a.x, min_of(b.x, c.x)), min_of(a.y, min_of(b.y, c.y)),
          min_of(a.z, min_of(b.z, c.z))};
}
template <typename F>
JOSTLE_SIMD_INLINE simd::Vectors<F> max_of_three(const simd::Vectors<F>& a,
                                                 const simd::Vectors<F>& b,
                                                 const simd::Vectors<F>& c) {
  return {max_of(a.x, max_of(b.x, c.x)), max_of(a.y, max_of(b.y, c.y)),
          max_of(a.z, max_of(b.z, c.z))};
}
template <typename F>
JOSTLE_SIMD_INLINE simd::Vectors<F> in_box_frame(const math::Mat3& axes,
                                                 const simd::Vectors<F>& v) {
  return {dot(splat_vector<F>(axes.cx), v), dot(splat_vector<F>(axes.cy), v),
          dot(splat_vector<F>(axes.cz), v)};
}

/// The planes of eight triangles, and the planes through their edges perpendicular to them, in the
/// box's frame.
template <typename F>
struct TrianglePlanes {
  simd::Vectors<F> normal;
  F height;                     // m, height of the box's origin above the plane
  simd::Vectors<F> outward[3];  // perpendicular to an edge, in the plane, as long as the edge
  F offset[3];                  // outward · x for points x of the edge
  F square[3];                  // squared length of the edge
  F gap[3];                     // growth of the prism beyond the edge, in m per metre of depth
};

/// Returns the triangles over which a corner of the box lies, one bit for each lane.
template <typename F>
JOSTLE_SIMD_INLINE std::uint32_t lanes_below(const TrianglePlanes<F>& p,
                                             const simd::Vectors<F>& corner, F height, F slack) {
  const F zero = F::splat(0), depth = max_of(-height, zero);
  auto result = zero <= zero;
  for (int e = 0; e < 3; ++e) {
    const F outward = max_of(dot(p.outward[e], corner) - p.offset[e], zero);
    const F border = slack + p.gap[e] * depth;
    result = result & (outward * outward <= border * border * p.square[e]);
  }
  return bits_of(result);
}

template <typename F>
JOSTLE_SIMD_INLINE void find_corners_under(const BoxOnSurface& s, const TrianglePlanes<F>& p,
                                           std::uint32_t near, TriangleLanes& lanes) {
  const F margin = F::splat(s.margin), slack = F::splat(s.slack);
  for (std::uint32_t k = 0; k < 8; ++k) {
    const simd::Vectors<F> corner{F::splat((k & 1U) != 0 ? s.half.x : -s.half.x),
                                  F::splat((k & 2U) != 0 ? s.half.y : -s.half.y),
                                  F::splat((k & 4U) != 0 ? s.half.z : -s.half.z)};
    const F height = p.height + dot(p.normal, corner);
    height.store(lanes.corner_heights[k]);
    const std::uint32_t low = near & bits_of(height <= margin);
    lanes.is_under[k] = low != 0 ? low & lanes_below(p, corner, height, slack) : 0;
  }
}

template <typename F>
void look_at_triangles(const BoxOnSurface& s, const geometry::TriangleBlock& block,
                       TriangleLanes& lanes) {
  using V = simd::Vectors<F>;
  const V origin = splat_vector<F>(s.origin), half = splat_vector<F>(s.half);
  const F margin = F::splat(s.margin), one_half = F::splat(0.5f);
  const V grown = half + V{margin, margin, margin};
  V from_origin[3], corners[3];
  for (int c = 0; c < 3; ++c) {
    from_origin[c] = V::load(&block.corners[3 * c]) - origin;
    corners[c] = in_box_frame(s.axes, from_origin[c]);
  }
  const V lower = min_of_three(corners[0], corners[1], corners[2]);
  const V upper = max_of_three(corners[0], corners[1], corners[2]);
  lanes.in_reach = block.present & bits_of(is_within(lower, grown) &
                                           is_within({-upper.x, -upper.y, -upper.z}, grown));
  if (lanes.in_reach == 0) return;

  constexpr float no_area = 1e-12f;  // m²
  const V area = cross(from_origin[1] - from_origin[0], from_origin[2] - from_origin[0]);
  const V area_own = in_box_frame(s.axes, area);
  const F above = -dot(area, from_origin[0]), size = sqrt_of(dot(area, area));
  // Half extent of the box along the normal, times `size`.
  const F reach = dot(sizes_of(area_own), half);
  const auto is_low = (F::splat(no_area) < size) & (above - reach <= margin * size);
  const std::uint32_t low = lanes.in_reach & bits_of(is_low);
  lanes.is_front = low & bits_of(-reach * F::splat(pressed_through) < above);

  const F scale = F::splat(1) / max_of(size, F::splat(no_area));
  TrianglePlanes<F> p;
  p.normal = area_own * scale;
  p.height = above * scale;
  for (int e = 0; e < 3; ++e) {
    const int next = e == 2 ? 0 : e + 1;
    corners[e].store(&lanes.corners[3 * e]);
    const V edge = corners[next] - corners[e];
    p.outward[e] = cross(edge, p.normal);
    p.offset[e] = dot(p.outward[e], corners[e]);
    p.square[e] = dot(edge, edge);
    const V apart = sizes_of(corners[e] + corners[next]) * one_half - sizes_of(edge) * one_half;
    lanes.is_edge_near[e] = low & block.own_edges[e] & bits_of(is_within(apart, grown));
    lanes.is_corner_near[e] =
        low & block.own_corners[e] & bits_of(is_within(sizes_of(corners[e]), grown));
    alignas(32) float gaps[8];
    for (int i = 0; i < 8; ++i)
      gaps[i] = (block.convex_edges[e] >> i & 1) != 0 ? 0.0f : half_bend;
    p.gap[e] = F::load(gaps);
  }
  find_corners_under(s, p, lanes.is_front, lanes);
}

/// Returns the surface edges that may cross edges of the box along one of its axes, here called x;
/// one bit for each lane. An edge that is parallel to a face of the box counts as crossing, because
/// the nearest edge of the box is not known here.
template <typename F>
JOSTLE_SIMD_INLINE std::uint32_t may_cross(const BoxOnSurface& s, const simd::Vectors<F>& tail,
                                           const simd::Vectors<F>& along, float half_x,
                                           float half_y, float half_z) {
  const F zero = F::splat(0), x = F::splat(half_x), y = F::splat(half_y), z = F::splat(half_z);
  const F squared = along.y * along.y + along.z * along.z;
  // n is the cross product of `along` and the box's x axis (not normalised), or its negative: the
  // one that points from the edge towards the box's centre.
  const F level = along.z * tail.y - along.y * tail.z;
  const auto is_turned = zero < level;
  const F n_y = select(is_turned, -along.z, along.z), n_z = select(is_turned, along.y, -along.y);
  const F down_y = size_of(n_y) * y, down_z = size_of(n_z) * z;
  const F low = size_of(level) - down_y - down_z;
  const F margin_squared = F::splat(s.margin * s.margin) * squared;
  const auto is_low = (low <= zero) | (low * low <= margin_squared);
  const F level_slack = F::splat(0.25f * s.slack * s.slack) * squared;
  const auto is_level = (down_y * down_y <= level_slack) | (down_z * down_z <= level_slack);

  const F b_y = select(zero < n_y, -y, y), b_z = select(zero < n_z, -z, z);
  const F share = (b_y - tail.y) * along.y + (b_z - tail.z) * along.z;
  const F t = tail.x * squared + share * along.x;
  const F beyond = F::splat(end_reach) * max_of(-low, zero);
  const auto is_across =
      (-beyond <= share) & (share <= squared + beyond) & (size_of(t) <= x * squared);
  return bits_of(is_low & (is_level | is_across));
}

template <typename F>
CrossingMasks look_at_edges(const BoxOnSurface& s, const EdgeLanes& edges) {
  const auto tail = simd::Vectors<F>::load(edges.tails);
  const auto along = simd::Vectors<F>::load(edges.alongs);
  const math::Vec3& h = s.half;
  return {{may_cross<F>(s, tail, along, h.x, h.y, h.z),
           may_cross<F>(s, {tail.y, tail.z, tail.x}, {along.y, along.z, along.x}, h.y, h.z, h.x),
           may_cross<F>(s, {tail.z, tail.x, tail.y}, {along.z, along.x, along.y}, h.z, h.x, h.y)}};
}

template <typename F>
consteval SurfaceKernels make_surface_kernels() {
  return {.look_at_triangles = look_at_triangles<F>, .look_at_edges = look_at_edges<F>};
}

}  // namespace jostle::physics::kernels
