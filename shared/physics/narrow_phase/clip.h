#pragma once

#include <array>
#include <cstdint>
#include <span>

namespace jostle::physics {

/// A corner of a polygon over a reference face: place in the face, height above it, and the name
/// of the edge that leaves it. Without defaults, alone here: polygons are arrays of many of them,
/// filled as far as they count, and clearing those took a fifth of the time of a collision.
struct ClipVertex {
  float u, v, height;
  std::uint32_t edge;
};

/// A convex quadrilateral cut by the four sides of a rectangle has at most eight corners.
struct ClipPolygon {
  std::uint32_t count = 0;
  std::array<ClipVertex, 8> vertices;

  void add(const ClipVertex& vertex) { vertices[count++] = vertex; }
  /// Two edges name the corner between them, however it came to be.
  std::uint32_t corner_name(std::uint32_t i) const {
    return (vertices[i == 0 ? count - 1 : i - 1].edge << 3) | vertices[i].edge;
  }
};

/// The part of the polygon within |u| ≤ half_u, |v| ≤ half_v (Sutherland and Hodgman, 1974). The
/// polygon's own edges are named 0 to 3, the rectangle's sides 4 to 7.
ClipPolygon clip_to_rectangle(const ClipPolygon& polygon, float half_u, float half_v);

/// Picks four of the corners that hold the face up best: the two that are the farthest apart, one
/// of them deep, and the farthest on either side of the line between them. Those that bear, or
/// nearly do, come before all others: while one is left out, the body tips over it until it is
/// found again, and so never comes to rest. Ties and near ties go to the earlier corner, and what
/// the load of a resting body makes of the depths changes nothing, so that it keeps its corners.
/// Returns how many were picked, in rising order.
std::uint32_t pick_four(std::span<const ClipVertex> points, std::array<std::uint32_t, 4>& picked);

}  // namespace jostle::physics
