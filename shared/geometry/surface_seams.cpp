#include "shared/geometry/detail/surface_seams.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace jostle::geometry::detail {

using math::Vec3;

namespace {

/// Maximum gap and offset between edges that count as touching, as a share of their length.
constexpr float tolerance = 1e-4f;

struct Stretch {
  float from = 0, to = 0;
};

struct PlacedEdge {
  Vec3 tail, head;
  Vec3 lower, upper;
  std::uint32_t border = 0;
};

std::vector<PlacedEdge> place(const std::vector<Vec3>& vertices, const Triangles& triangles,
                              std::span<const TriangleEdge> borders) {
  std::vector<PlacedEdge> placed;
  for (std::uint32_t i = 0; i < borders.size(); ++i) {
    const auto& triangle = triangles[borders[i].triangle];
    const Vec3 tail = vertices[triangle[borders[i].edge]];
    const Vec3 head = vertices[triangle[(borders[i].edge + 1) % 3]];
    const float spare = tolerance * length(head - tail);
    const Vec3 border{spare, spare, spare};
    placed.push_back({tail, head, min_of(tail, head) - border, max_of(tail, head) + border, i});
  }
  return placed;
}

/// Returns the interval of an edge, as shares of its length, that another edge covers in the
/// opposite direction.
Stretch covered(const PlacedEdge& edge, const PlacedEdge& by) {
  const Vec3 along = edge.head - edge.tail, other = by.head - by.tail;
  const float squared = length_squared(along), missing = tolerance * tolerance * squared;
  if (!(dot(along, other) < 0.0f)) return {};
  const auto share = [&](Vec3 point) { return dot(point - edge.tail, along) / squared; };
  const auto is_on_line = [&](Vec3 point) {
    return length_squared(point - edge.tail - along * share(point)) <= missing;
  };
  // The line of the longer edge is more accurate.
  const bool is_longer = squared >= length_squared(other);
  if (is_longer && (!is_on_line(by.tail) || !is_on_line(by.head))) return {};
  if (!is_longer) {
    const Stretch back = covered(by, edge);
    if (!(back.from < back.to)) return {};
  }
  return {math::max_of(share(by.head), 0.0f), math::min_of(share(by.tail), 1.0f)};
}

bool are_all_covered(std::vector<Stretch>& stretches) {
  std::sort(stretches.begin(), stretches.end(),
            [](const Stretch& a, const Stretch& b) { return a.from < b.from; });
  float reached = 0;
  for (const Stretch& stretch : stretches) {
    if (stretch.from > reached + tolerance) return false;
    reached = math::max_of(reached, stretch.to);
  }
  return reached >= 1.0f - tolerance;
}

bool overlap(const PlacedEdge& a, const PlacedEdge& b) {
  return a.lower.y <= b.upper.y && b.lower.y <= a.upper.y && a.lower.z <= b.upper.z &&
         b.lower.z <= a.upper.z;
}

/// Calls visit(a, b) for all pairs whose boxes overlap, with a sweep along x. Stops and returns
/// false if the sweep takes more than 2²² tests plus 64 per edge.
template <typename Visit>
bool visit_pairs(std::vector<PlacedEdge>& edges, Visit&& visit) {
  std::size_t left = (std::size_t{1} << 22) + 64 * edges.size();  // remaining tests
  std::stable_sort(edges.begin(), edges.end(),
                   [](const PlacedEdge& a, const PlacedEdge& b) { return a.lower.x < b.lower.x; });
  for (std::size_t i = 0; i < edges.size(); ++i) {
    for (std::size_t k = i + 1; k < edges.size() && edges[k].lower.x <= edges[i].upper.x; ++k) {
      if (left-- == 0) return false;
      if (overlap(edges[i], edges[k])) visit(edges[i], edges[k]);
    }
  }
  return true;
}

}  // namespace

std::vector<bool> find_seams(const std::vector<Vec3>& vertices, const Triangles& triangles,
                             std::span<const TriangleEdge> borders) {
  std::vector<PlacedEdge> edges = place(vertices, triangles, borders);
  std::vector<std::vector<Stretch>> stretches(borders.size());
  const auto cover = [&](const PlacedEdge& edge, const PlacedEdge& by) {
    const Stretch stretch = covered(edge, by);
    if (stretch.from < stretch.to) stretches[edge.border].push_back(stretch);
  };
  const bool is_done = visit_pairs(edges, [&](const PlacedEdge& a, const PlacedEdge& b) {
    const TriangleEdge &first = borders[a.border], &second = borders[b.border];
    if (is_convex_pair(vertices, triangles, first, second)) return;
    cover(a, b);
    cover(b, a);
  });
  std::vector<bool> are_seams(borders.size(), false);
  for (std::size_t i = 0; i < borders.size() && is_done; ++i)
    are_seams[i] = are_all_covered(stretches[i]);
  return are_seams;
}

}  // namespace jostle::geometry::detail
