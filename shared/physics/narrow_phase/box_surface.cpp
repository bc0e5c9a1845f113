#include "shared/physics/narrow_phase/box_surface.h"

#include "shared/physics/narrow_phase/triangle_lanes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace jostle::physics {

using geometry::SurfaceTriangle;
using math::Vec3;

namespace {

// Unless the surface's frame is named, vectors are in the box's own frame: the box is |x| ≤ half.

constexpr float rise = 1e-3f;  // of an edge's length, that a neighbour may stand above a feature

constexpr std::uint32_t is_vertex = 1U << 31, is_edge = 1U << 30;

/// A triangle that the box can touch.
struct Near {
  const SurfaceTriangle* source = nullptr;
  std::array<Vec3, 3> corners;
  Vec3 normal;
  float height = 0;  // of the box's centre above the plane
  float low = 0;     // of the box's lowest point

  bool is_convex(std::size_t edge) const { return (source->convex_edges >> edge & 1U) != 0; }
};

constexpr float radius_along(Vec3 half, Vec3 n) {
  return math::abs_of(n.x) * half.x + math::abs_of(n.y) * half.y + math::abs_of(n.z) * half.z;
}

/// False where the box is out of the triangle's reach, or has its greater part behind it.
bool look_at(const BoxOnSurface& s, const SurfaceTriangle& source, Near& t) {
  const Vec3 a = source.corners[0] - s.origin, b = source.corners[1] - s.origin,
             c = source.corners[2] - s.origin;
  const Vec3 area = cross(b - a, c - a);
  const float above = -dot(area, a);
  if (!(above > 0.0f)) return false;
  const Vec3 area_own = transpose_multiply(s.axes, area);
  const float size = length(area);
  const float below = above - radius_along(s.half, area_own);
  if (below > s.margin * size) return false;
  t.corners = {transpose_multiply(s.axes, a), transpose_multiply(s.axes, b),
               transpose_multiply(s.axes, c)};
  const Vec3 lower = min_of(t.corners[0], min_of(t.corners[1], t.corners[2]));
  const Vec3 upper = max_of(t.corners[0], max_of(t.corners[1], t.corners[2]));
  if (lower.x > s.half.x + s.margin || lower.y > s.half.y + s.margin ||
      lower.z > s.half.z + s.margin || upper.x < -s.half.x - s.margin ||
      upper.y < -s.half.y - s.margin || upper.z < -s.half.z - s.margin) {
    return false;
  }
  constexpr float no_area = 1e-12f;  // m²
  if (!(size > no_area)) return false;
  const float scale = 1.0f / size;
  t.source = &source;
  t.normal = area_own * scale;
  t.height = above * scale;
  t.low = below * scale;
  return true;
}

constexpr Vec3 column(const math::Mat3& m, int axis) {
  return axis == 0 ? m.cx : axis == 1 ? m.cy : m.cz;
}

// Corners of the box over triangles.

/// Without defaults: an array of them is filled only as far as it counts.
struct CornerHit {
  std::uint32_t corner;
  float height;
  const SurfaceTriangle* triangle;
};

struct CornerHits {
  static constexpr std::size_t capacity = 32;
  std::size_t count = 0;
  std::array<CornerHit, capacity> list;
};

constexpr Vec3 box_corner(Vec3 half, std::uint32_t k) {
  return {(k & 1U) != 0 ? half.x : -half.x, (k & 2U) != 0 ? half.y : -half.y,
          (k & 4U) != 0 ? half.z : -half.z};
}

/// Whether the point lies over the triangle. Under a hollow edge the prisms of its two triangles
/// leave a gap, as wide as the point is deep times twice the tangent of half the bend: there the
/// point is over both.
bool is_over(const Near& t, Vec3 point, float height, float slack) {
  for (std::size_t e = 0; e < 3; ++e) {
    const Vec3 edge = t.corners[(e + 1) % 3] - t.corners[e];
    const float outward = dot(cross(edge, t.normal), point - t.corners[e]);
    if (outward <= 0.0f) continue;
    const float gap = !t.is_convex(e) && height < 0.0f ? -half_bend * height : 0.0f;
    const float border = slack + gap;
    if (outward * outward > border * border * length_squared(edge)) return false;
  }
  return true;
}

/// Whether one triangle lies wholly behind the other. In the surface's frame.
bool is_behind(const SurfaceTriangle& t, const SurfaceTriangle& front, float slack) {
  const auto& c = front.corners;
  const Vec3 area = cross(c[1] - c[0], c[2] - c[0]);
  const float border = slack * length(area);
  return std::all_of(t.corners.begin(), t.corners.end(),
                     [&](Vec3 p) { return dot(area, p - c[0]) <= border; }) &&
         std::any_of(t.corners.begin(), t.corners.end(),
                     [&](Vec3 p) { return dot(area, p - c[0]) < -border; });
}

/// Whether another triangle frees the corner sooner: one that stands to this one as a slope of a
/// ridge to the other, each behind the other.
bool is_outdone(const BoxOnSurface& s, const CornerHit& hit, const CornerHit& other) {
  return other.corner == hit.corner && other.height > hit.height &&
         is_behind(*hit.triangle, *other.triangle, s.slack) &&
         is_behind(*other.triangle, *hit.triangle, s.slack);
}

void add_corner_hits(const BoxOnSurface& s, const CornerHits& hits, SurfacePoints& points) {
  for (std::size_t i = 0; i < hits.count; ++i) {
    const CornerHit& hit = hits.list[i];
    bool counts = true;
    for (std::size_t k = 0; k < hits.count && hit.height < 0.0f && counts; ++k)
      counts = !is_outdone(s, hit, hits.list[k]);
    if (!counts) continue;
    const auto& c = hit.triangle->corners;
    const Vec3 area = cross(c[1] - c[0], c[2] - c[0]), up = area / length(area);
    const Vec3 middle = s.axes * box_corner(s.half, hit.corner) - up * (0.5f * hit.height);
    points.add({up, {middle, hit.height, hit.corner}});
  }
}

// Corners of the surface in the box.

/// What has been looked at. Where it is full, things are looked at twice, which does no harm.
struct Seen {
  static constexpr std::size_t capacity = 64;
  std::size_t count = 0;
  std::array<std::uint64_t, capacity> names;

  bool add(std::uint64_t name) {
    for (std::size_t i = 0; i < count; ++i) {
      if (names[i] == name) return false;
    }
    if (count < capacity) names[count++] = name;
    return true;
  }
};

/// In the surface's frame: whether `to` stands above a feature that `at` is part of, along `up`.
bool rises(Vec3 to, Vec3 at, Vec3 up) {
  const Vec3 edge = to - at;
  const float along = dot(edge, up);
  return along > 0.0f && along * along > rise * rise * length_squared(edge);
}

/// Whether the surface's corner is the farthest of what is around it along `up` (in the surface's
/// frame), and no place in a flat or hollow part.
bool can_corner_push(const BoxOnSurface& s, std::uint32_t vertex, Vec3 at, Vec3 up) {
  bool is_convex = false;
  for (const SurfaceTriangle& t : s.triangles) {
    for (std::size_t c = 0; c < 3; ++c) {
      if (t.vertices[c] != vertex) continue;
      const std::size_t next = (c + 1) % 3, last = (c + 2) % 3;
      if (rises(t.corners[next], at, up) || rises(t.corners[last], at, up)) return false;
      is_convex =
          is_convex || (t.convex_edges >> c & 1U) != 0 || (t.convex_edges >> last & 1U) != 0;
    }
  }
  return is_convex;
}

/// Whether all triangles around the surface's corner look along `up` (in the surface's frame).
bool faces_look_along(const BoxOnSurface& s, std::uint32_t vertex, Vec3 up) {
  constexpr float towards = 0.3f;  // cosine
  for (const SurfaceTriangle& t : s.triangles) {
    if (t.vertices[0] != vertex && t.vertices[1] != vertex && t.vertices[2] != vertex) continue;
    const Vec3 area = cross(t.corners[1] - t.corners[0], t.corners[2] - t.corners[0]);
    if (dot(area, up) < towards * length(area)) return false;
  }
  return true;
}

/// The surface's corner holds off a face of the box that it is before, and pushes out the one that
/// it is least deep behind, of those that it can push. Deep in the box, where no part of the
/// surface need be the farthest along any of the box's directions, it pushes where the triangles
/// look.
void meet_vertex(const BoxOnSurface& s, std::uint32_t vertex, Vec3 at_in_surface, Vec3 at,
                 SurfacePoints& points) {
  const Vec3 beyond = abs_of(at) - s.half;
  std::array<int, 3> order{0, 1, 2};
  for (const auto& [i, k] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{0, 1}}) {
    int &first = order[static_cast<std::size_t>(i)], &second = order[static_cast<std::size_t>(k)];
    if (beyond[second] > beyond[first]) std::swap(first, second);
  }
  if (beyond[order[0]] > s.margin || beyond[order[1]] > s.slack) return;
  const auto up_of = [&](int axis) {
    return column(s.axes, axis) * (at[axis] < 0.0f ? 1.0f : -1.0f);
  };
  const auto add = [&](int axis) {
    const Vec3 up = up_of(axis), middle = s.axes * at + up * (0.5f * beyond[axis]);
    points.add({up, {middle, beyond[axis], is_vertex | vertex}});
  };
  for (const int axis : order) {
    if (beyond[axis] >= 0.0f || can_corner_push(s, vertex, at_in_surface, up_of(axis)))
      return add(axis);
  }
  constexpr float deep = 20.0f;  // slacks
  if (beyond[order[0]] > -deep * s.slack) return;
  for (const int axis : order) {
    if (faces_look_along(s, vertex, up_of(axis))) return add(axis);
  }
}

// Edges of the surface across edges of the box.

struct SurfaceEdge {
  Vec3 tail, along;
  Vec3 apart;                             // from the box along its axes
  std::array<std::uint32_t, 2> vertices;  // tail and head
  std::array<Vec3, 2> ends;               // in the surface's frame

  /// The same from whichever triangle it is looked at.
  std::uint32_t name() const {
    const std::uint32_t low = std::min(vertices[0], vertices[1]),
                        high = std::max(vertices[0], vertices[1]);
    return is_edge | (low & 0xFFFFFU) << 4 | (high & 0x3FU) << 24;
  }
};

/// The separations of the segment along the box's axes.
Vec3 apart_from_box(Vec3 tail, Vec3 head, Vec3 half) {
  return abs_of(tail + head) * 0.5f - abs_of(head - tail) * 0.5f - half;
}

/// Whether the box's edge only dips its end into the triangle, less deep than `separation`: then
/// its corner meets the face, and where edges cross does not matter.
bool is_met_by_corner(const BoxOnSurface& s, const SurfaceTriangle& triangle,
                      const std::array<Vec3, 2>& box_edge, float separation) {
  Near t;
  if (!look_at(s, triangle, t)) return false;
  const float first = t.height + dot(t.normal, box_edge[0]);
  const float second = t.height + dot(t.normal, box_edge[1]);
  const float low = math::min_of(first, second);
  return low > separation + s.slack &&
         is_over(t, first < second ? box_edge[0] : box_edge[1], low, s.slack);
}

/// Whether the edge only dips an end into the box, less deep than `separation`, and that end pushes
/// the face that it came through.
bool is_met_by_vertex(const BoxOnSurface& s, const SurfaceEdge& edge, float separation) {
  for (int axis = 0; axis < 3; ++axis) {
    if (edge.apart[axis] <= separation + s.slack) continue;
    const float sign = edge.tail[axis] + 0.5f * edge.along[axis] < 0.0f ? 1.0f : -1.0f;
    const Vec3 up = column(s.axes, axis) * sign;
    const bool is_head = sign * edge.along[axis] > 0.0f;
    if (can_corner_push(s, edge.vertices[is_head ? 1 : 0], edge.ends[is_head ? 1 : 0], up))
      return true;
  }
  return false;
}

/// Whether neither triangle at the edge rises above it along `up` (in the surface's frame), and no
/// corner lets the two edges go a shorter way than `separation`.
bool can_edge_push(const BoxOnSurface& s, const SurfaceEdge& edge,
                   const std::array<Vec3, 2>& box_edge, Vec3 up, float separation) {
  for (const SurfaceTriangle& t : s.triangles) {
    const auto [v0, v1, v2] = t.vertices;
    const auto is_end = [&](std::uint32_t v) {
      return static_cast<std::uint32_t>(v == edge.vertices[0]) |
             static_cast<std::uint32_t>(v == edge.vertices[1]);
    };
    const std::uint32_t at_0 = is_end(v0), at_1 = is_end(v1), at_2 = is_end(v2);
    if (at_0 + at_1 + at_2 != 2) continue;
    const std::size_t apex = at_0 == 0 ? 0 : at_1 == 0 ? 1 : 2;
    if (rises(t.corners[apex], edge.ends[0], up)) return false;
    if (separation < 0.0f && is_met_by_corner(s, t, box_edge, separation)) return false;
  }
  return separation >= 0.0f || !is_met_by_vertex(s, edge, separation);
}

/// An edge of the surface across one of the box, parallel to its `axis`.
struct Crossing {
  int axis = 0;
  float b_y = 0, b_z = 0;  // where the box's edge is, along the axes that follow on `axis`
  float share = 0;         // of the surface's edge
  float separation = 0;
  Vec3 up;  // across both edges, to the box, in the surface's frame
};

void add_crossing(const BoxOnSurface& s, const SurfaceEdge& edge, const Crossing& c,
                  SurfacePoints& points) {
  const auto end = [&](float sign) {
    return c.axis == 0   ? Vec3{sign * s.half.x, c.b_y, c.b_z}
           : c.axis == 1 ? Vec3{c.b_z, sign * s.half.y, c.b_y}
                         : Vec3{c.b_y, c.b_z, sign * s.half.z};
  };
  const std::array<Vec3, 2> box_edge{end(-1), end(1)};
  if (!can_edge_push(s, edge, box_edge, c.up, c.separation)) return;
  const Vec3 middle = s.axes * (edge.tail + edge.along * c.share) + c.up * (0.5f * c.separation);
  const std::uint32_t side = (c.b_y > 0.0f ? 1U : 0U) | (c.b_z > 0.0f ? 2U : 0U);
  points.add(
      {c.up, {middle, c.separation, edge.name() | static_cast<std::uint32_t>(c.axis) << 2 | side}});
}

/// v turned about so that its component along `Axis` comes first.
template <int Axis>
constexpr Vec3 led_by(Vec3 v) {
  return Axis == 0 ? v : Axis == 1 ? Vec3{v.y, v.z, v.x} : Vec3{v.z, v.x, v.y};
}

/// The edge against those edges of the box along one axis that are the nearest across it: one, or
/// more where a face of the box lies level with the edge. In here x is the axis.
template <int Axis>
void meet_parallel_edges(const BoxOnSurface& s, const SurfaceEdge& edge, SurfacePoints& points) {
  const Vec3 along = led_by<Axis>(edge.along), tail = led_by<Axis>(edge.tail);
  const Vec3 half = led_by<Axis>(s.half);
  const float squared = along.y * along.y + along.z * along.z;
  constexpr float parallel = 1e-4f;  // sin²
  if (squared <= parallel * length_squared(along)) return;
  // n = along × axis but for its length, turned to the box's centre.
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
    // tail + share·along + separation·n = (t, b_y, b_z).
    const float share = (c.b_y - tail.y) * along.y + (c.b_z - tail.z) * along.z;
    const float t = tail.x * squared + share * along.x;
    if (share < 0.0f || share > squared || math::abs_of(t) > half.x * squared) continue;
    const float size = std::sqrt(squared);
    c.share = share / squared;
    c.separation = (n_y * c.b_y + n_z * c.b_z + math::abs_of(level)) / size;
    if (c.separation > s.margin) continue;
    c.up = column(s.axes, (Axis + 1) % 3) * (n_y / size) +
           column(s.axes, (Axis + 2) % 3) * (n_z / size);
    add_crossing(s, edge, c, points);
  }
}

/// Where an edge that lies before a face of the box leaves the space over it. Once the box has
/// turned so far that the edge lies in the face, the two edges that cross there meet: until then
/// the point holds the face off.
void meet_border(const BoxOnSurface& s, const SurfaceEdge& edge, SurfacePoints& points) {
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
    if (separation < 0.0f || separation > s.margin) return;
    const Vec3 middle = s.axes * at + up * (0.5f * separation);
    const std::uint32_t place =
        static_cast<std::uint32_t>(3 - axis - border) << 2 | (share == from ? 1U : 0U);
    points.add({up, {middle, separation, edge.name() | place}});
  };
  add(from, border_from);
  add(to, border_to);
}

void meet_edge(const BoxOnSurface& s, const SurfaceTriangle& t, std::size_t e, Vec3 tail, Vec3 head,
               SurfacePoints& points) {
  const std::size_t next = (e + 1) % 3;
  const SurfaceEdge edge{tail,
                         head - tail,
                         apart_from_box(tail, head, s.half),
                         {t.vertices[e], t.vertices[next]},
                         {t.corners[e], t.corners[next]}};
  meet_parallel_edges<0>(s, edge, points);
  meet_parallel_edges<1>(s, edge, points);
  meet_parallel_edges<2>(s, edge, points);
  meet_border(s, edge, points);
}

/// Calls visit(i) for each bit that is set.
template <typename Visit>
void visit_bits(std::uint32_t bits, Visit&& visit) {
  for (; bits != 0; bits &= bits - 1)
    visit(static_cast<std::size_t>(std::countr_zero(bits)));
}

}  // namespace

void meet_box(const BoxOnSurface& s, SurfacePoints& points) {
  CornerHits hits;
  Seen vertices, edges;
  for (std::size_t first = 0; first < s.triangles.size(); first += 8) {
    const auto eight =
        s.triangles.subspan(first, std::min<std::size_t>(8, s.triangles.size() - first));
    TriangleLanes lanes;
    look_at_eight(s, eight, lanes);
    for (std::uint32_t k = 0; k < 8; ++k) {
      visit_bits(lanes.is_under[k], [&](std::size_t i) {
        if (hits.count < CornerHits::capacity)
          hits.list[hits.count++] = {k, lanes.corner_heights[k][i], &eight[i]};
      });
    }
    for (std::size_t e = 0; e < 3; ++e) {
      visit_bits(lanes.is_vertex_near[e], [&](std::size_t i) {
        const SurfaceTriangle& t = eight[i];
        if (vertices.add(t.vertices[e]))
          meet_vertex(s, t.vertices[e], t.corners[e], lanes.corner(e, i), points);
      });
      visit_bits(lanes.is_edge_near[e], [&](std::size_t i) {
        const SurfaceTriangle& t = eight[i];
        const std::size_t next = (e + 1) % 3;
        const std::uint64_t p = t.vertices[e], q = t.vertices[next];
        if (edges.add(p < q ? p << 32 | q : q << 32 | p))
          meet_edge(s, t, e, lanes.corner(e, i), lanes.corner(next, i), points);
      });
    }
  }
  add_corner_hits(s, hits, points);
}

}  // namespace jostle::physics
