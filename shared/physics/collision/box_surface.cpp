#include "shared/physics/collision/box_surface.h"

#include "shared/physics/collision/box_ground.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace jostle::physics {

using math::Vec3;

namespace {

// This part collides corners of the box with triangles.

/// A corner of the box that lies over a triangle or has sunk through it. The members have no
/// default values, because an array of them is filled only up to its count.
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

/// Returns true if no corner of `t` lies in front of the plane of `front` by more than `slack`, and
/// at least one corner lies behind it by more than `slack`. Both triangles are in the surface's
/// frame.
bool is_behind(const ReachedTriangle& t, const ReachedTriangle& front, float slack) {
  const Vec3 area = area_of(front), at = front.corner(0);
  const float border = slack * length(area);
  const std::array<float, 3> heights{dot(area, t.corner(0) - at), dot(area, t.corner(1) - at),
                                     dot(area, t.corner(2) - at)};
  return std::all_of(heights.begin(), heights.end(), [&](float h) { return h <= border; }) &&
         std::any_of(heights.begin(), heights.end(), [&](float h) { return h < -border; });
}

/// Returns true if `hit` must be ignored, because `other` pushes the same corner of the box out
/// over a shorter distance. The two triangles must form a ridge: each lies behind the plane of the
/// other.
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

// This part collides corners of the surface with the box.

/// Returns true if the surface's corner is at a convex edge of a triangle that faces the box.
bool is_corner_seen(const Ground& ground, std::uint32_t vertex) {
  bool is_seen = false;
  visit_around(ground, vertex, [&](const ReachedTriangle& t, std::size_t c) {
    is_seen = is_seen || (t.is_front && (t.is_convex(c) || t.is_convex((c + 2) % 3)));
  });
  return is_seen;
}

/// Returns true if the normals of all triangles around the surface's corner are within 73° of `up`
/// (in the surface's frame).
bool faces_look_along(const Ground& ground, std::uint32_t vertex, Vec3 up) {
  constexpr float towards = 0.3f;  // cosine
  bool is_along = true;
  visit_around(ground, vertex, [&](const ReachedTriangle& t, std::size_t) {
    const Vec3 area = area_of(t);
    is_along = is_along && dot(area, up) >= towards * length(area);
  });
  return is_along;
}

/// Collides a corner of the surface with the box. A corner in front of a face of the box pushes
/// that face. A corner inside the box pushes the face behind which it is least deep, among those
/// that it can push. A corner deep in the box may be able to push no face, because the surface
/// rises above it along all normals of the box. Such a corner pushes the face behind which it is
/// least deep, among those that satisfy faces_look_along.
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
    points.add({up, {middle, beyond[axis], vertex_feature | vertex}});
  };
  for (const int axis : order) {
    if (can_corner_push(ground, vertex, at_in_surface, up_of(axis), rise_of(beyond[axis])))
      return add(axis);
    // A corner outside the box can push only the face that it is in front of.
    if (beyond[order[0]] > s.slack) return;
  }
  constexpr float deep = 20.0f;  // limit in multiples of the slack
  if (beyond[order[0]] > -deep * s.slack) return;
  for (const int axis : order) {
    if (faces_look_along(ground, vertex, up_of(axis))) return add(axis);
  }
}

/// Calls visit(i) for each bit i that is set.
template <typename Visit>
void visit_bits(std::uint32_t bits, Visit&& visit) {
  for (; bits != 0; bits &= bits - 1)
    visit(static_cast<std::size_t>(std::countr_zero(bits)));
}

/// Records the triangles, corners and edges of a block that the box reaches.
void reach_block(const geometry::TriangleBlock& block, const TriangleLanes& lanes,
                 SurfaceScratch& scratch, CornerHits& hits) {
  std::array<std::uint32_t, 8> place;  // index of each lane's triangle in scratch.reached
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
    scratch.examined_triangles += static_cast<std::uint64_t>(std::popcount(block->present));
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
