#pragma once

#include "shared/physics/collision/surface_points.h"
#include "shared/physics/collision/triangle_lanes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace jostle::physics {

// Declarations shared by box_surface.cpp and box_edges.cpp. Vectors are in the box's frame, in
// which the box is |x| ≤ half, unless the comment names the surface's frame.

/// Flags in the feature ids of points at a corner (`vertex_feature`) or an edge (`edge_feature`) of
/// the surface. Points at a corner of the box have neither.
inline constexpr std::uint32_t vertex_feature = 1U << 31, edge_feature = 1U << 30;

/// A box and the surface triangles within its reach.
struct Ground {
  const BoxOnSurface& box;
  std::span<const ReachedTriangle> triangles;
};

/// A triangle within reach of the box, in the box's frame.
struct Near {
  const ReachedTriangle& source;
  std::array<math::Vec3, 3> corners;
  math::Vec3 normal;
  float height;  // m, height of the box's centre above the plane
};

/// Returns the normal times twice the area, in the surface's frame.
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

/// Returns true if the point lies over the triangle, or beside it by at most `slack`. `height` is
/// the point's height above the triangle's plane. Below a concave edge, the prisms under its two
/// triangles leave a gap. The width of the gap is the point's depth times twice the tangent of half
/// the bend. A point in the gap counts as over both triangles (`half_bend`).
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

/// Maximum rise of the surface around a feature (corner or edge) that the box has not reached yet,
/// as the sine of the slope. Such a feature pushes a face of the box even if other parts of the
/// surface rise above it along the face's normal, because the box may turn until the face touches
/// the feature. If the surface rises more than this, the box is over that part of the surface, and
/// the feature does not push.
inline constexpr float rise_before = 0.4f;
/// Returns the maximum rise of the surface, as the sine of the slope, around a feature that pushes
/// at the given separation.
constexpr float rise_of(float separation) {
  return separation < 0.0f ? rise : rise_before;
}

/// Returns true if `to` rises above `at`, a point of a feature, along `up`. A rise of up to `most`,
/// as a share of their distance, does not count. All vectors are in the surface's frame.
inline bool rises(math::Vec3 to, math::Vec3 at, math::Vec3 up, float most = rise) {
  const math::Vec3 edge = to - at;
  const float along = dot(edge, up);
  return along > 0.0f && along * along > most * most * length_squared(edge);
}

/// Calls visit(triangle, c) for each triangle around the corner `vertex` of the surface. That
/// corner is corner c of the triangle.
template <typename Visit>
void visit_around(const Ground& ground, std::uint32_t vertex, Visit&& visit) {
  for (const ReachedTriangle& t : ground.triangles) {
    for (std::size_t c = 0; c < 3; ++c) {
      if (t.vertex(c) == vertex) visit(t, c);
    }
  }
}

/// Returns true if the surface's corner `vertex`, at the position `at`, can push along `up` (both
/// in the surface's frame). No edge at the corner may rise along `up` by more than `most` (sine of
/// the slope), and at least one of these edges must be convex.
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

/// Collides edges of the surface with edges and faces of the box. `edges` are
/// SurfaceScratch::edges; their triangle indices refer to `ground.triangles`.
void meet_edges(const Ground& ground, const SurfaceKernels& kernels,
                std::span<const ReachedPart> edges, SurfacePoints& points);

}  // namespace jostle::physics
