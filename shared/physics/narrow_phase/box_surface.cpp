#include "shared/physics/narrow_phase/box_surface.h"

#include "shared/physics/narrow_phase/triangle_lanes.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace jostle::physics {

using math::Vec3;

namespace {

// Unless the surface's frame is named, vectors are in the box's own frame: the box is |x| ≤ half.

constexpr float rise = 1e-3f;  // of an edge's length, that a neighbour may stand above a feature

constexpr std::uint32_t is_vertex = 1U << 31, is_edge = 1U << 30;

/// A box among the triangles that it reaches.
struct Ground {
  const BoxOnSurface& box;
  std::span<const ReachedTriangle> triangles;
};

/// A triangle that the box can touch.
struct Near {
  const ReachedTriangle& source;
  std::array<Vec3, 3> corners;
  Vec3 normal;
  float height;  // of the box's centre above the plane
};

/// In the surface's frame, the normal times twice the area.
Vec3 area_of(const ReachedTriangle& t) {
  const Vec3 a = t.corner(0);
  return cross(t.corner(1) - a, t.corner(2) - a);
}

Near near_triangle(const BoxOnSurface& s, const ReachedTriangle& source) {
  const auto corner = [&](std::size_t c) {
    return transpose_multiply(s.axes, source.corner(c) - s.origin);
  };
  const Vec3 area = area_of(source);
  const float scale = 1.0f / length(area);
  return {source,
          {corner(0), corner(1), corner(2)},
          transpose_multiply(s.axes, area) * scale,
          -dot(area, source.corner(0) - s.origin) * scale};
}

constexpr Vec3 column(const math::Mat3& m, int axis) {
  return axis == 0 ? m.cx : axis == 1 ? m.cy : m.cz;
}

// Corners of the box over triangles.

/// Without defaults: an array of them is filled only as far as it counts.
struct CornerHit {
  std::uint32_t corner;
  float height;
  ReachedTriangle triangle;
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
    const float gap = !t.source.is_convex(e) && height < 0.0f ? -half_bend * height : 0.0f;
    const float border = slack + gap;
    if (outward * outward > border * border * length_squared(edge)) return false;
  }
  return true;
}

/// Whether one triangle lies wholly behind the other. In the surface's frame.
bool is_behind(const ReachedTriangle& t, const ReachedTriangle& front, float slack) {
  const Vec3 area = area_of(front), at = front.corner(0);
  const float border = slack * length(area);
  const std::array<float, 3> heights{dot(area, t.corner(0) - at), dot(area, t.corner(1) - at),
                                     dot(area, t.corner(2) - at)};
  return std::all_of(heights.begin(), heights.end(), [&](float h) { return h <= border; }) &&
         std::any_of(heights.begin(), heights.end(), [&](float h) { return h < -border; });
}

/// Whether another triangle frees the corner sooner: one that stands to this one as a slope of a
/// ridge to the other, each behind the other.
bool is_outdone(const BoxOnSurface& s, const CornerHit& hit, const CornerHit& other) {
  return other.corner == hit.corner && other.height > hit.height &&
         is_behind(hit.triangle, other.triangle, s.slack) &&
         is_behind(other.triangle, hit.triangle, s.slack);
}

void add_corner_hits(const BoxOnSurface& s, const CornerHits& hits, SurfacePoints& points) {
  for (std::size_t i = 0; i < hits.count; ++i) {
    const CornerHit& hit = hits.list[i];
    bool counts = true;
    for (std::size_t k = 0; k < hits.count && hit.height < 0.0f && counts; ++k)
      counts = !is_outdone(s, hit, hits.list[k]);
    if (!counts) continue;
    const Vec3 area = area_of(hit.triangle), up = area / length(area);
    const Vec3 middle = s.axes * box_corner(s.half, hit.corner) - up * (0.5f * hit.height);
    points.add({up, {middle, hit.height, hit.corner}});
  }
}

// Corners of the surface in the box.

/// In the surface's frame: whether `to` stands above a feature that `at` is part of, along `up`.
bool rises(Vec3 to, Vec3 at, Vec3 up) {
  const Vec3 edge = to - at;
  const float along = dot(edge, up);
  return along > 0.0f && along * along > rise * rise * length_squared(edge);
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

/// Whether the surface's corner is at a convex edge of a triangle that looks at the box.
bool is_corner_seen(const Ground& ground, std::uint32_t vertex) {
  bool is_seen = false;
  visit_around(ground, vertex, [&](const ReachedTriangle& t, std::size_t c) {
    is_seen = is_seen || (t.is_front && (t.is_convex(c) || t.is_convex((c + 2) % 3)));
  });
  return is_seen;
}

/// Whether the surface's corner is the farthest of what is around it along `up` (in the surface's
/// frame), and no place in a flat or hollow part.
bool can_corner_push(const Ground& ground, std::uint32_t vertex, Vec3 at, Vec3 up) {
  bool is_convex = false, is_topped = false;
  visit_around(ground, vertex, [&](const ReachedTriangle& t, std::size_t c) {
    const std::size_t next = (c + 1) % 3, last = (c + 2) % 3;
    is_topped = is_topped || rises(t.corner(next), at, up) || rises(t.corner(last), at, up);
    is_convex = is_convex || t.is_convex(c) || t.is_convex(last);
  });
  return is_convex && !is_topped;
}

/// Whether all triangles around the surface's corner look along `up` (in the surface's frame).
bool faces_look_along(const Ground& ground, std::uint32_t vertex, Vec3 up) {
  constexpr float towards = 0.3f;  // cosine
  bool is_along = true;
  visit_around(ground, vertex, [&](const ReachedTriangle& t, std::size_t) {
    const Vec3 area = area_of(t);
    is_along = is_along && dot(area, up) >= towards * length(area);
  });
  return is_along;
}

/// The surface's corner holds off a face of the box that it is before, and pushes out the one that
/// it is least deep behind, of those that it can push. Deep in the box, where no part of the
/// surface need be the farthest along any of the box's directions, it pushes where the triangles
/// look.
void meet_corner(const Ground& ground, const ReachedPart& part, SurfacePoints& points) {
  const BoxOnSurface& s = ground.box;
  const ReachedTriangle& owner = ground.triangles[part.triangle];
  const std::uint32_t vertex = owner.vertex(part.which);
  const Vec3 at = part.at, at_in_surface = owner.corner(part.which);
  const Vec3 beyond = abs_of(at) - s.half;
  std::array<int, 3> order{0, 1, 2};
  for (const auto& [i, k] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{0, 1}}) {
    int &first = order[static_cast<std::size_t>(i)], &second = order[static_cast<std::size_t>(k)];
    if (beyond[second] > beyond[first]) std::swap(first, second);
  }
  if (beyond[order[0]] > s.margin || beyond[order[1]] > s.slack) return;
  if (!is_corner_seen(ground, vertex)) return;
  const auto up_of = [&](int axis) {
    return column(s.axes, axis) * (at[axis] < 0.0f ? 1.0f : -1.0f);
  };
  const auto add = [&](int axis) {
    const Vec3 up = up_of(axis), middle = s.axes * at + up * (0.5f * beyond[axis]);
    points.add({up, {middle, beyond[axis], is_vertex | vertex}});
  };
  for (const int axis : order) {
    if (beyond[axis] >= 0.0f || can_corner_push(ground, vertex, at_in_surface, up_of(axis)))
      return add(axis);
  }
  constexpr float deep = 20.0f;  // slacks
  if (beyond[order[0]] > -deep * s.slack) return;
  for (const int axis : order) {
    if (faces_look_along(ground, vertex, up_of(axis))) return add(axis);
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

/// Whether the edge only dips an end into the box, less deep than `separation`, and that end pushes
/// the face that it came through.
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

/// Calls visit(triangle, apex) for the triangles at an edge until it returns false; tells whether
/// it never did. The apex is the number of the corner that is not the edge's.
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

/// Whether one of the triangles at the edge looks at the box.
bool is_edge_seen(const Ground& ground, const SurfaceEdge& edge) {
  return !hold_at_edge(ground, edge,
                       [](const ReachedTriangle& t, std::size_t) { return !t.is_front; });
}

/// Whether neither triangle at the edge rises above it along `up` (in the surface's frame), and no
/// corner lets the two edges go a shorter way than `separation`.
bool can_edge_push(const Ground& ground, const SurfaceEdge& edge,
                   const std::array<Vec3, 2>& box_edge, Vec3 up, float separation) {
  const bool can = hold_at_edge(ground, edge, [&](const ReachedTriangle& t, std::size_t apex) {
    if (rises(t.corner(apex), edge.ends[0], up)) return false;
    return separation >= 0.0f || !is_met_by_corner(ground.box, t, box_edge, separation);
  });
  return can && (separation >= 0.0f || !is_met_by_vertex(ground, edge, separation)) &&
         is_edge_seen(ground, edge);
}

/// An edge of the surface across one of the box, parallel to its `axis`.
struct Crossing {
  int axis = 0;
  float b_y = 0, b_z = 0;  // where the box's edge is, along the axes that follow on `axis`
  float share = 0;         // of the surface's edge
  float separation = 0;
  Vec3 up;  // across both edges, to the box, in the surface's frame
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

/// v turned about so that its component along `Axis` comes first.
template <int Axis>
constexpr Vec3 led_by(Vec3 v) {
  return Axis == 0 ? v : Axis == 1 ? Vec3{v.y, v.z, v.x} : Vec3{v.z, v.x, v.y};
}

/// The edge against those edges of the box along one axis that are the nearest across it: one, or
/// more where a face of the box lies level with the edge. In here x is the axis.
template <int Axis>
void meet_parallel_edges(const Ground& ground, const SurfaceEdge& edge, SurfacePoints& points) {
  const BoxOnSurface& s = ground.box;
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
    add_crossing(ground, edge, c, points);
  }
}

/// Where an edge that lies before a face of the box leaves the space over it. Once the box has
/// turned so far that the edge lies in the face, the two edges that cross there meet: until then
/// the point holds the face off.
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
    if (separation < 0.0f || separation > s.margin || !is_edge_seen(ground, edge)) return;
    const Vec3 middle = s.axes * at + up * (0.5f * separation);
    const std::uint32_t place =
        static_cast<std::uint32_t>(3 - axis - border) << 2 | (share == from ? 1U : 0U);
    points.add({up, {middle, separation, edge.name() | place}});
  };
  add(from, border_from);
  add(to, border_to);
}

/// Calls visit(i) for each bit that is set.
template <typename Visit>
void visit_bits(std::uint32_t bits, Visit&& visit) {
  for (; bits != 0; bits &= bits - 1)
    visit(static_cast<std::size_t>(std::countr_zero(bits)));
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

/// Eight edges at a time: which may cross which edges of the box is seen in lanes.
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

/// Notes what of a block the box reaches.
void reach_block(const geometry::TriangleBlock& block, const TriangleLanes& lanes,
                 SurfaceScratch& scratch, CornerHits& hits) {
  std::array<std::uint32_t, 8> place;  // of each lane's triangle among those reached
  visit_bits(lanes.in_reach, [&](std::size_t i) {
    place[i] = static_cast<std::uint32_t>(scratch.reached.size());
    scratch.reached.push_back(
        {&block, static_cast<std::uint32_t>(i), (lanes.is_front >> i & 1U) != 0});
  });
  for (std::uint32_t k = 0; k < 8; ++k) {
    visit_bits(lanes.is_under[k], [&](std::size_t i) {
      if (hits.count < CornerHits::capacity)
        hits.list[hits.count++] = {k, lanes.corner_heights[k][i], scratch.reached[place[i]]};
    });
  }
  for (std::uint32_t c = 0; c < 3; ++c) {
    visit_bits(lanes.is_corner_near[c], [&](std::size_t i) {
      scratch.corners.push_back({place[i], c, lanes.corner(c, i), {}});
    });
    visit_bits(lanes.is_edge_near[c], [&](std::size_t i) {
      const Vec3 tail = lanes.corner(c, i), head = lanes.corner((c + 1) % 3, i);
      scratch.edges.push_back({place[i], c, tail, head - tail});
    });
  }
}

}  // namespace

void meet_box(const BoxOnSurface& box, SurfaceScratch& scratch, SurfacePoints& points) {
  scratch.reached.clear();
  scratch.corners.clear();
  scratch.edges.clear();
  CornerHits hits;
  for (const geometry::TriangleBlock* block : scratch.blocks.list) {
    TriangleLanes lanes;
    scratch.kernels->look_at_triangles(box, *block, lanes);
    if (lanes.in_reach != 0) reach_block(*block, lanes, scratch, hits);
  }
  const Ground ground{box, scratch.reached};
  for (const ReachedPart& corner : scratch.corners)
    meet_corner(ground, corner, points);
  meet_edges(ground, *scratch.kernels, scratch.edges, points);
  add_corner_hits(box, hits, points);
}

}  // namespace jostle::physics
