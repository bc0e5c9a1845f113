#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace jostle::physics {

/// A vertex of a polygon over a reference face: its position in the face, its height above the
/// face, and the id of the edge that leaves it. The members have no default values on purpose.
/// Polygons are arrays of many vertices, but only the first `count` are used. Clearing the rest
/// took a fifth of the time of a collision.
struct ClipVertex {
  float u, v, height;
  std::uint32_t edge;
};

/// Returns the vertex at the fraction `share` of the way from p to q. `edge` is the id of the edge
/// that leaves it.
inline ClipVertex vertex_between(const ClipVertex& p, const ClipVertex& q, float share,
                                 std::uint32_t edge) {
  return {p.u + (q.u - p.u) * share, p.v + (q.v - p.v) * share,
          p.height + (q.height - p.height) * share, edge};
}

/// A clipped polygon. A convex quadrilateral cut by the four sides of a rectangle has at most eight
/// corners.
struct ClipPolygon {
  std::uint32_t count = 0;
  std::array<ClipVertex, 8> vertices;

  void add(const ClipVertex& vertex) { vertices[count++] = vertex; }
  /// Returns the feature id of corner i, made from the two edges that meet there. The id does not
  /// depend on how clipping produced the corner.
  std::uint32_t corner_name(std::uint32_t i) const {
    return (vertices[i == 0 ? count - 1 : i - 1].edge << 3) | vertices[i].edge;
  }
};

/// Clips the polygon to |u| ≤ half_u, |v| ≤ half_v (Sutherland and Hodgman, 1974). The polygon's
/// own edges have ids 0 to 3, the rectangle's sides 4 to 7.
ClipPolygon clip_to_rectangle(const ClipPolygon& polygon, float half_u, float half_v);

/// Reduces a manifold to the at most four points that support the body best: the two that are
/// farthest apart, and the farthest point on either side of the line between them. One of the first
/// two is among the deepest points. Writes the indices to `picked` in increasing order and returns
/// their number.
///
/// Points that bear load, or nearly do, take precedence over all others. If such a point were left
/// out, the body would tip over it until the point is found again, and would never come to rest.
/// Ties and near ties go to the earlier point. Depth differences as small as those that the load of
/// a resting body causes have no effect, so that the body keeps its points.
std::uint32_t pick_four(std::span<const ClipVertex> points, std::array<std::uint32_t, 4>& picked);

}  // namespace jostle::physics
