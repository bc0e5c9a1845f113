#include "shared/physics/collision/box_ground.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace jostle::physics {

using math::Vec3;

namespace {

// This file collides edges of the surface with edges and faces of the box.

struct SurfaceEdge {
  Vec3 tail, along;
  Vec3 apart;                             // m, separations from the box along its axes
  std::array<std::uint32_t, 2> vertices;  // tail and head
  std::array<Vec3, 2> ends;               // ends in the surface's frame

  /// Returns the edge's feature id. It is the same for all triangles that share the edge.
  std::uint32_t name() const {
    const std::uint32_t low = std::min(vertices[0], vertices[1]),
                        high = std::max(vertices[0], vertices[1]);
    return edge_feature | (low & 0xFFFFFU) << 4 | (high & 0x3FU) << 24;
  }
};

/// Returns the separations of the segment from the box along the box's axes.
Vec3 apart_from_box(Vec3 tail, Vec3 head, Vec3 half) {
  return abs_of(tail + head) * 0.5f - abs_of(head - tail) * 0.5f - half;
}

/// Returns true if the crossing of two edges must be ignored, because the corner at the lower end
/// of the box's edge collides with the triangle's face. This is the case if the triangle faces the
/// box, and this corner lies over the triangle and overlaps it by less than the edges overlap each
/// other (`separation` < 0).
bool is_met_by_corner(const BoxOnSurface& s, const ReachedTriangle& triangle,
                      const std::array<Vec3, 2>& box_edge, float separation) {
  if (!triangle.is_front) return false;
  const Near t = near_triangle(s, triangle);
  const float first = t.height + dot(t.normal, box_edge[0]);
  const float second = t.height + dot(t.normal, box_edge[1]);
  const float low = math::min_of(first, second);
  return low > separation + s.slack &&
         is_over(t, first < second ? box_edge[0] : box_edge[1], low, s.slack);
}

/// Returns true if the crossing of two edges must be ignored, because the corner at an end of the
/// surface's edge collides with a face of the box. This is the case if the corner can push the
/// face, and the edge overlaps the box along the face's normal by less than the edges overlap each
/// other (`separation` < 0).
bool is_met_by_vertex(const Ground& ground, const SurfaceEdge& edge, float separation) {
  const BoxOnSurface& s = ground.box;
  for (int axis = 0; axis < 3; ++axis) {
    if (edge.apart[axis] <= separation + s.slack) continue;
    const float sign = edge.tail[axis] + 0.5f * edge.along[axis] < 0.0f ? 1.0f : -1.0f;
    const Vec3 up = column(s.axes, axis) * sign;
    const bool is_head = sign * edge.along[axis] > 0.0f;
    if (can_corner_push(ground, edge.vertices[is_head ? 1 : 0], edge.ends[is_head ? 1 : 0], up))
      return true;
  }
  return false;
}

/// Calls visit(triangle, apex) for the triangles at an edge until visit returns false. Returns true
/// if visit never returned false. `apex` is the index of the corner that is not on the edge.
template <typename Visit>
bool hold_at_edge(const Ground& ground, const SurfaceEdge& edge, Visit&& visit) {
  for (const ReachedTriangle& t : ground.triangles) {
    const auto is_end = [&](std::size_t c) {
      const std::uint32_t v = t.vertex(c);
      return static_cast<std::uint32_t>(v == edge.vertices[0]) |
             static_cast<std::uint32_t>(v == edge.vertices[1]);
    };
    const std::uint32_t at_0 = is_end(0), at_1 = is_end(1), at_2 = is_end(2);
    if (at_0 + at_1 + at_2 != 2) continue;
    if (!visit(t, std::size_t{at_0 == 0 ? 0U : at_1 == 0 ? 1U : 2U})) return false;
  }
  return true;
}

/// Returns true if one of the triangles at the edge faces the box.
bool is_edge_seen(const Ground& ground, const SurfaceEdge& edge) {
  return !hold_at_edge(ground, edge,
                       [](const ReachedTriangle& t, std::size_t) { return !t.is_front; });
}

/// Returns the maximum rise of a triangle along the direction in which its edge pushes, as the sine
/// of the slope. Contacts that overlap by at most 3 slacks (resting contacts) get a larger maximum.
/// The reason is an edge of the box that lies in the plane of a triangle. It must be supported
/// where it crosses the triangle's edge, even if its own end is a little deeper.
float rise_along(const BoxOnSurface& s, float separation) {
  // `rise_at_rest` is the sine of a slope, `rest` an overlap in multiples of the slack.
  constexpr float rise_at_rest = 0.02f, rest = 3.0f;
  return separation < -rest * s.slack ? rise : rise_at_rest;
}

/// Returns true if a contact of the two edges may push the box along `up` (in the surface's frame).
/// One of the triangles at the surface's edge must face the box. No triangle there may rise along
/// `up` by more than rise_along(). If the edges overlap (`separation` < 0), no corner contact of
/// the box or the surface may have a smaller overlap.
bool can_edge_push(const Ground& ground, const SurfaceEdge& edge,
                   const std::array<Vec3, 2>& box_edge, Vec3 up, float separation) {
  const float most = rise_along(ground.box, separation);
  const bool can = hold_at_edge(ground, edge, [&](const ReachedTriangle& t, std::size_t apex) {
    if (rises(t.corner(apex), edge.ends[0], up, most)) return false;
    return separation >= 0.0f || !is_met_by_corner(ground.box, t, box_edge, separation);
  });
  return can && (separation >= 0.0f || !is_met_by_vertex(ground, edge, separation)) &&
         is_edge_seen(ground, edge);
}

/// An edge of the surface that crosses an edge of the box parallel to `axis`.
struct Crossing {
  int axis = 0;
  float b_y = 0, b_z = 0;  // coordinates of the box's edge along the two axes that follow `axis`, m
  float share = 0;         // position along the surface's edge: 0 at its tail, 1 at its head
  float separation = 0;
  Vec3 up;  // perpendicular to both edges, towards the box, in the surface's frame
};

void add_crossing(const Ground& ground, const SurfaceEdge& edge, const Crossing& c,
                  SurfacePoints& points) {
  const BoxOnSurface& s = ground.box;
  const auto end = [&](float sign) {
    return c.axis == 0   ? Vec3{sign * s.half.x, c.b_y, c.b_z}
           : c.axis == 1 ? Vec3{c.b_z, sign * s.half.y, c.b_y}
                         : Vec3{c.b_y, c.b_z, sign * s.half.z};
  };
  const std::array<Vec3, 2> box_edge{end(-1), end(1)};
  if (!can_edge_push(ground, edge, box_edge, c.up, c.separation)) return;
  const Vec3 middle = s.axes * (edge.tail + edge.along * c.share) + c.up * (0.5f * c.separation);
  const std::uint32_t side = (c.b_y > 0.0f ? 1U : 0U) | (c.b_z > 0.0f ? 2U : 0U);
  points.add(
      {c.up, {middle, c.separation, edge.name() | static_cast<std::uint32_t>(c.axis) << 2 | side}});
}

/// Returns v with its components cycled so that the one along `Axis` comes first.
template <int Axis>
constexpr Vec3 led_by(Vec3 v) {
  return Axis == 0 ? v : Axis == 1 ? Vec3{v.y, v.z, v.x} : Vec3{v.z, v.x, v.y};
}

/// Collides the surface's edge with the nearest of the four box edges that are parallel to `Axis`,
/// or with several of them if a face of the box is parallel to the surface's edge. The components
/// of vectors are cycled here so that x is `Axis`.
///
/// In a groove, the surface's edges rise from a corner at the bottom. A box edge that has sunk into
/// the groove lies nearest to that corner, past the ends of the rising edges. The box edge still
/// collides with a rising edge if it lies past the end by at most its depth times `end_reach`.
template <int Axis>
void meet_parallel_edges(const Ground& ground, const SurfaceEdge& edge, SurfacePoints& points) {
  const BoxOnSurface& s = ground.box;
  const Vec3 along = led_by<Axis>(edge.along), tail = led_by<Axis>(edge.tail);
  const Vec3 half = led_by<Axis>(s.half);
  const float squared = along.y * along.y + along.z * along.z;
  constexpr float parallel = 1e-4f;  // sin²
  if (squared <= parallel * length_squared(along)) return;
  // n is the cross product of `along` and the box's x axis (not normalised), or its negative: the
  // one that points from the edge towards the box's centre.
  const float level = along.z * tail.y - along.y * tail.z;
  const float n_y = level > 0.0f ? -along.z : along.z, n_z = level > 0.0f ? along.y : -along.y;
  const float down_y = math::abs_of(n_y) * half.y, down_z = math::abs_of(n_z) * half.z;
  const float low = math::abs_of(level) - down_y - down_z;
  if (low > 0.0f && low * low > s.margin * s.margin * squared) return;
  const float level_slack_squared = 0.25f * s.slack * s.slack * squared;
  const bool is_level_y = down_y * down_y <= level_slack_squared;
  const bool is_level_z = down_z * down_z <= level_slack_squared;
  const std::uint32_t flips = (is_level_y ? 1U : 0U) | (is_level_z ? 2U : 0U);
  for (std::uint32_t flip = 0; flip <= flips; ++flip) {
    if ((flip & ~flips) != 0) continue;
    Crossing c;
    c.axis = Axis;
    c.b_y = (n_y > 0.0f) != ((flip & 1U) != 0) ? -half.y : half.y;
    c.b_z = (n_z > 0.0f) != ((flip & 2U) != 0) ? -half.z : half.z;
    // Solves tail + share·along + separation·n = (t, b_y, b_z) for a unit vector n. `share` and `t`
    // are still multiplied by `squared`.
    const float share = (c.b_y - tail.y) * along.y + (c.b_z - tail.z) * along.z;
    const float t = tail.x * squared + share * along.x;
    const float apart = n_y * c.b_y + n_z * c.b_z + math::abs_of(level);
    const float beyond = end_reach * math::max_of(-apart, 0.0f);
    if (share < -beyond || share > squared + beyond || math::abs_of(t) > half.x * squared) continue;
    const float size = std::sqrt(squared);
    c.separation = apart / size;
    if (c.separation > s.margin) continue;
    c.up = column(s.axes, (Axis + 1) % 3) * (n_y / size) +
           column(s.axes, (Axis + 2) % 3) * (n_z / size);
    c.share = math::clamp(share / squared, 0.0f, 1.0f);
    const std::size_t end = share < 0.0f ? 0 : 1;
    const bool is_past_end = share < 0.0f || share > squared;
    if (is_past_end && can_corner_push(ground, edge.vertices[end], edge.ends[end], c.up)) continue;
    add_crossing(ground, edge, c, points);
  }
}

/// Returns true if no triangle at the edge rises along `up` above the point at `share` of the edge.
/// `up` is in the surface's frame.
bool is_edge_farthest(const Ground& ground, const SurfaceEdge& edge, float share, Vec3 up) {
  const Vec3 at = edge.ends[0] + (edge.ends[1] - edge.ends[0]) * share;
  return hold_at_edge(ground, edge, [&](const ReachedTriangle& t, std::size_t apex) {
    return !rises(t.corner(apex), at, up);
  });
}

/// Adds contact points where an edge of the surface, in front of a face of the box, leaves the
/// prism over that face. Such a point supports the face before the box has turned so far that the
/// edge lies in the face and crosses an edge of the box. An edge that runs along the face supports
/// the face at both ends of their overlap. Crossings of edges alone would support the face at the
/// deeper end only, and in the next step at the other end.
void meet_border(const Ground& ground, const SurfaceEdge& edge, SurfacePoints& points) {
  const BoxOnSurface& s = ground.box;
  const Vec3 apart = edge.apart;
  const int axis = apart.x >= apart.y && apart.x >= apart.z ? 0 : apart.y >= apart.z ? 1 : 2;
  const float sign = edge.tail[axis] + 0.5f * edge.along[axis] < 0.0f ? 1.0f : -1.0f;
  float from = 0, to = 1;
  int border_from = -1, border_to = -1;
  for (const int other : {(axis + 1) % 3, (axis + 2) % 3}) {
    const float along = edge.along[other], tail = edge.tail[other], half = s.half[other];
    if (math::abs_of(along) < 1e-6f) {
      if (math::abs_of(tail) > half) return;
      continue;
    }
    const float first = (-half - tail) / along, second = (half - tail) / along;
    const float enter = math::min_of(first, second), leave = math::max_of(first, second);
    if (enter > from) {
      from = enter;
      border_from = other;
    }
    if (leave < to) {
      to = leave;
      border_to = other;
    }
  }
  if (from > to) return;
  const Vec3 up = column(s.axes, axis) * sign;
  const auto add = [&](float share, int border) {
    if (border < 0) return;
    const Vec3 at = edge.tail + edge.along * share;
    const float separation = -sign * at[axis] - s.half[axis];
    if (separation < -2.0f * s.slack || separation > s.margin || !is_edge_seen(ground, edge))
      return;
    if (!is_edge_farthest(ground, edge, share, up)) return;
    const Vec3 middle = s.axes * at + up * (0.5f * separation);
    const std::uint32_t place =
        static_cast<std::uint32_t>(3 - axis - border) << 2 | (share == from ? 1U : 0U);
    points.add({up, {middle, separation, edge.name() | place}});
  };
  add(from, border_from);
  add(to, border_to);
}

SurfaceEdge surface_edge(const Ground& ground, const ReachedPart& part) {
  const ReachedTriangle& t = ground.triangles[part.triangle];
  const std::size_t from = part.which, to = (from + 1) % 3;
  return {part.at,
          part.along,
          apart_from_box(part.at, part.at + part.along, ground.box.half),
          {t.vertex(from), t.vertex(to)},
          {t.corner(from), t.corner(to)}};
}

}  // namespace

/// Processes eight edges at a time. SIMD lanes find which edges of the box each of them may cross.
void meet_edges(const Ground& ground, const SurfaceKernels& kernels,
                std::span<const ReachedPart> edges, SurfacePoints& points) {
  for (std::size_t first = 0; first < edges.size(); first += 8) {
    const auto eight = edges.subspan(first, std::min<std::size_t>(8, edges.size() - first));
    EdgeLanes lanes;
    for (std::size_t i = 0; i < 8; ++i) {
      const ReachedPart& edge = eight[std::min(i, eight.size() - 1)];
      for (int axis = 0; axis < 3; ++axis) {
        lanes.tails[axis][i] = edge.at[axis];
        lanes.alongs[axis][i] = edge.along[axis];
      }
    }
    const auto [masks] = kernels.look_at_edges(ground.box, lanes);
    for (std::size_t i = 0; i < eight.size(); ++i) {
      const SurfaceEdge edge = surface_edge(ground, eight[i]);
      if ((masks[0] >> i & 1U) != 0) meet_parallel_edges<0>(ground, edge, points);
      if ((masks[1] >> i & 1U) != 0) meet_parallel_edges<1>(ground, edge, points);
      if ((masks[2] >> i & 1U) != 0) meet_parallel_edges<2>(ground, edge, points);
      meet_border(ground, edge, points);
    }
  }
}

}  // namespace jostle::physics
