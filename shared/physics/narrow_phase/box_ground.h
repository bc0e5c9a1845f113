#pragma once

#include "shared/physics/narrow_phase/surface_points.h"
#include "shared/physics/narrow_phase/triangle_lanes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace jostle::physics {

// What the parts of box_surface.h share. Unless the surface's frame is named, vectors are in the
// box's own frame: the box is |x| ≤ half.

/// Bits of the features of points that are no corner of the box.
inline constexpr std::uint32_t vertex_feature = 1U << 31, edge_feature = 1U << 30;

/// A box among the triangles that it reaches.
struct Ground {
  const BoxOnSurface& box;
  std::span<const ReachedTriangle> triangles;
};

/// A triangle that the box can touch.
struct Near {
  const ReachedTriangle& source;
  std::array<math::Vec3, 3> corners;
  math::Vec3 normal;
  float height;  // of the box's centre above the plane
};

/// In the surface's frame, the normal times twice the area.
inline math::Vec3 area_of(const ReachedTriangle& t) {
  const math::Vec3 a = t.corner(0);
  return cross(t.corner(1) - a, t.corner(2) - a);
}

inline Near near_triangle(const BoxOnSurface& s, const ReachedTriangle& source) {
  const auto corner = [&](std::size_t c) {
    return transpose_multiply(s.axes, source.corner(c) - s.origin);
  };
  const math::Vec3 area = area_of(source);
  const float scale = 1.0f / length(area);
  return {source,
          {corner(0), corner(1), corner(2)},
          transpose_multiply(s.axes, area) * scale,
          -dot(area, source.corner(0) - s.origin) * scale};
}

constexpr math::Vec3 column(const math::Mat3& m, int axis) {
  return axis == 0 ? m.cx : axis == 1 ? m.cy : m.cz;
}

/// Whether the point lies over the triangle. Under a hollow edge the prisms of its two triangles
/// leave a gap, as wide as the point is deep times twice the tangent of half the bend: there the
/// point is over both.
inline bool is_over(const Near& t, math::Vec3 point, float height, float slack) {
  for (std::size_t e = 0; e < 3; ++e) {
    const math::Vec3 edge = t.corners[(e + 1) % 3] - t.corners[e];
    const float outward = dot(cross(edge, t.normal), point - t.corners[e]);
    if (outward <= 0.0f) continue;
    const float gap = !t.source.is_convex(e) && height < 0.0f ? -half_bend * height : 0.0f;
    const float border = slack + gap;
    if (outward * outward > border * border * length_squared(edge)) return false;
  }
  return true;
}

/// A feature that the box has not reached yet holds off a face even if it is not the farthest along
/// the face's normal: the box may turn until it meets it. But not where the surface goes on that
/// way, and the box is over it.
inline constexpr float rise_before = 0.4f;
/// What the surface may rise by around a feature that pushes, in sines of the slope.
constexpr float rise_of(float separation) {
  return separation < 0.0f ? rise : rise_before;
}

/// In the surface's frame: whether `to` stands above a feature that `at` is part of, along `up`.
inline bool rises(math::Vec3 to, math::Vec3 at, math::Vec3 up, float most = rise) {
  const math::Vec3 edge = to - at;
  const float along = dot(edge, up);
  return along > 0.0f && along * along > most * most * length_squared(edge);
}

/// Calls visit(triangle, c) for the triangles around a corner of the surface, their c-th one.
template <typename Visit>
void visit_around(const Ground& ground, std::uint32_t vertex, Visit&& visit) {
  for (const ReachedTriangle& t : ground.triangles) {
    for (std::size_t c = 0; c < 3; ++c) {
      if (t.vertex(c) == vertex) visit(t, c);
    }
  }
}

/// Whether the surface's corner is the farthest of what is around it along `up` (in the surface's
/// frame), and no place in a flat or hollow part.
inline bool can_corner_push(const Ground& ground, std::uint32_t vertex, math::Vec3 at,
                            math::Vec3 up, float most = rise) {
  bool is_convex = false, is_topped = false;
  visit_around(ground, vertex, [&](const ReachedTriangle& t, std::size_t c) {
    const std::size_t next = (c + 1) % 3, last = (c + 2) % 3;
    is_topped =
        is_topped || rises(t.corner(next), at, up, most) || rises(t.corner(last), at, up, most);
    is_convex = is_convex || t.is_convex(c) || t.is_convex(last);
  });
  return is_convex && !is_topped;
}

/// Where edges of the surface meet edges and faces of the box. The edges are those of
/// SurfaceScratch, whose triangles are the ground's.
void meet_edges(const Ground& ground, const SurfaceKernels& kernels,
                std::span<const ReachedPart> edges, SurfacePoints& points);

}  // namespace jostle::physics
