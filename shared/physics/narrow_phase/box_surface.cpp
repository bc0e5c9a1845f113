#include "shared/physics/narrow_phase/box_surface.h"

#include <array>
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
  Vec3 normal, normal_in_surface;
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
  t.normal_in_surface = area / size;
  t.height = above * scale;
  t.low = below * scale;
  return true;
}

constexpr Vec3 column(const math::Mat3& m, int axis) {
  return axis == 0 ? m.cx : axis == 1 ? m.cy : m.cz;
}

// Corners of the box over triangles.

struct CornerHit {
  std::uint32_t corner = 0;
  float height = 0;
  Vec3 at, normal, normal_in_surface, middle;  // `middle` of the triangle, times three
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
    constexpr float half_bend = 0.3f;  // tangent
    const float gap = !t.is_convex(e) && height < 0.0f ? -half_bend * height : 0.0f;
    const float border = slack + gap;
    if (outward * outward > border * border * length_squared(edge)) return false;
  }
  return true;
}

void meet_face(const BoxOnSurface& s, const Near& t, CornerHits& hits) {
  for (std::uint32_t k = 0; k < 8; ++k) {
    const Vec3 corner = box_corner(s.half, k);
    const float height = t.height + dot(t.normal, corner);
    if (height > s.margin || hits.count == CornerHits::capacity) continue;
    if (!is_over(t, corner, height, s.slack)) continue;
    hits.list[hits.count++] = {k,
                               height,
                               corner,
                               t.normal,
                               t.normal_in_surface,
                               t.corners[0] + t.corners[1] + t.corners[2]};
  }
}

/// Whether another triangle frees the corner sooner: one that stands to this one as a slope of a
/// ridge to the other, each before the other's back.
bool is_outdone(const BoxOnSurface& s, const CornerHit& hit, const CornerHit& other) {
  if (other.corner != hit.corner || other.height <= hit.height) return false;
  const auto behind = [&](const CornerHit& x, const CornerHit& y) {
    return dot(x.normal, y.middle - x.at * 3.0f) + 3.0f * x.height < -s.slack;
  };
  return behind(hit, other) && behind(other, hit);
}

void add_corner_hits(const BoxOnSurface& s, const CornerHits& hits, SurfacePoints& points) {
  for (std::size_t i = 0; i < hits.count; ++i) {
    const CornerHit& hit = hits.list[i];
    bool counts = true;
    for (std::size_t k = 0; k < hits.count && hit.height < 0.0f && counts; ++k)
      counts = !is_outdone(s, hit, hits.list[k]);
    if (!counts) continue;
    const Vec3 middle = s.axes * (hit.at - hit.normal * (0.5f * hit.height));
    points.add({hit.normal_in_surface, {middle, hit.height, hit.corner}});
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
    const std::uint32_t low = math::min_of(vertices[0], vertices[1]),
                        high = math::max_of(vertices[0], vertices[1]);
    return is_edge | (low & 0xFFFFFU) << 4 | (high & 0x3FU) << 24;
  }
};

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
    std::size_t apex = 3, shared = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      if (t.vertices[c] == edge.vertices[0] || t.vertices[c] == edge.vertices[1]) {
        ++shared;
      } else {
        apex = c;
      }
    }
    if (shared != 2 || apex == 3) continue;
    if (rises(t.corners[apex], edge.ends[0], up)) return false;
    if (separation < 0.0f && is_met_by_corner(s, t, box_edge, separation)) return false;
  }
  return separation >= 0.0f || !is_met_by_vertex(s, edge, separation);
}

/// An edge of the surface and the edges of the box along one of its axes, in the plane across.
struct Crossing {
  int axis = 0, j = 0, k = 0;  // the box's axis and the two across it
  float n_j = 0, n_k = 0;      // from the surface to the box, across both edges
  float level = 0;             // of the surface's edge along n
  float squared = 0;           // length of the surface's edge as seen along the axis
  float low = 0;               // separation of the whole box along n
};

bool find_crossing(const BoxOnSurface& s, const SurfaceEdge& edge, int axis, Crossing& c) {
  c.axis = axis;
  c.j = (axis + 1) % 3;
  c.k = (axis + 2) % 3;
  const float along_j = edge.along[c.j], along_k = edge.along[c.k];
  c.squared = along_j * along_j + along_k * along_k;
  constexpr float parallel = 1e-4f;  // sin²
  if (c.squared <= parallel * length_squared(edge.along)) return false;
  const float level = along_k * edge.tail[c.j] - along_j * edge.tail[c.k];
  const float scale = (level > 0.0f ? -1.0f : 1.0f) / std::sqrt(c.squared);
  c.n_j = along_k * scale;
  c.n_k = -along_j * scale;
  c.level = level * scale;
  c.low = -math::abs_of(c.n_j) * s.half[c.j] - math::abs_of(c.n_k) * s.half[c.k] - c.level;
  return true;
}

Vec3 corner_of_edge(const BoxOnSurface& s, const Crossing& c, float b_j, float b_k, float end) {
  std::array<float, 3> corner{};
  corner[static_cast<std::size_t>(c.axis)] = end * s.half[c.axis];
  corner[static_cast<std::size_t>(c.j)] = b_j;
  corner[static_cast<std::size_t>(c.k)] = b_k;
  return {corner[0], corner[1], corner[2]};
}

/// The edge against the four edges of the box along one of its axes.
void meet_parallel_edges(const BoxOnSurface& s, const SurfaceEdge& edge, const Crossing& c,
                         SurfacePoints& points) {
  if (c.low > s.margin) return;
  const float half_j = s.half[c.j], half_k = s.half[c.k];
  for (std::uint32_t side = 0; side < 4; ++side) {
    const float b_j = (side & 1U) != 0 ? half_j : -half_j;
    const float b_k = (side & 2U) != 0 ? half_k : -half_k;
    const float separation = c.n_j * b_j + c.n_k * b_k - c.level;
    if (separation > c.low + s.slack || separation > s.margin) continue;
    // tail + share·along + separation·n = (t, b_j, b_k).
    const float share =
        ((b_j - edge.tail[c.j]) * edge.along[c.j] + (b_k - edge.tail[c.k]) * edge.along[c.k]) /
        c.squared;
    if (share < 0.0f || share > 1.0f) continue;
    const float t = edge.tail[c.axis] + share * edge.along[c.axis];
    if (math::abs_of(t) > s.half[c.axis]) continue;
    const Vec3 axis_j = column(s.axes, c.j), axis_k = column(s.axes, c.k);
    const Vec3 up = axis_j * c.n_j + axis_k * c.n_k;
    const std::array<Vec3, 2> box_edge{corner_of_edge(s, c, b_j, b_k, -1),
                                       corner_of_edge(s, c, b_j, b_k, 1)};
    if (!can_edge_push(s, edge, box_edge, up, separation)) continue;
    const Vec3 middle = s.axes * (edge.tail + edge.along * share) + up * (0.5f * separation);
    points.add(
        {up, {middle, separation, edge.name() | static_cast<std::uint32_t>(c.axis) << 2 | side}});
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

void meet_edge(const BoxOnSurface& s, const Near& t, std::size_t e, SurfacePoints& points) {
  const std::size_t next = (e + 1) % 3;
  const Vec3 tail = t.corners[e], head = t.corners[next];
  const Vec3 apart = abs_of(tail + head) * 0.5f - abs_of(head - tail) * 0.5f - s.half;
  if (apart.x > s.margin || apart.y > s.margin || apart.z > s.margin) return;
  const SurfaceEdge edge{tail,
                         head - tail,
                         apart,
                         {t.source->vertices[e], t.source->vertices[next]},
                         {t.source->corners[e], t.source->corners[next]}};
  for (int axis = 0; axis < 3; ++axis) {
    Crossing crossing;
    if (find_crossing(s, edge, axis, crossing)) meet_parallel_edges(s, edge, crossing, points);
  }
  meet_border(s, edge, points);
}

}  // namespace

void meet_box(const BoxOnSurface& s, SurfacePoints& points) {
  CornerHits hits;
  Seen vertices, edges;
  for (const SurfaceTriangle& source : s.triangles) {
    Near t;
    if (!look_at(s, source, t)) continue;
    meet_face(s, t, hits);
    if (source.convex_edges == 0) continue;
    for (std::size_t e = 0; e < 3; ++e) {
      const std::size_t next = (e + 1) % 3, last = (e + 2) % 3;
      const Vec3 beyond = abs_of(t.corners[e]) - s.half;
      const bool is_inside = math::max_of(beyond.x, math::max_of(beyond.y, beyond.z)) <= s.margin;
      if (is_inside && (t.is_convex(e) || t.is_convex(last)) && vertices.add(source.vertices[e]))
        meet_vertex(s, source.vertices[e], source.corners[e], t.corners[e], points);
      if (!t.is_convex(e)) continue;
      const std::uint64_t p = source.vertices[e], q = source.vertices[next];
      if (edges.add(p < q ? p << 32 | q : q << 32 | p)) meet_edge(s, t, e, points);
    }
  }
  add_corner_hits(s, hits, points);
}

}  // namespace jostle::physics
