#include "shared/geometry/detail/surface_edges.h"

#include "shared/geometry/detail/surface_seams.h"
#include "shared/math/vec3d.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <span>
#include <tuple>

namespace jostle::geometry::detail {

using math::Vec3;

namespace {

/// A half-edge: an edge of a triangle, with the direction in which the triangle runs along it. It
/// is stored in the group of its end with the lower position number.
struct HalfEdge {
  std::uint32_t high = 0;  // number of the other end position
  std::uint32_t name = 0;  // 3 · triangle + edge

  std::uint32_t triangle() const { return name / 3; }
  std::size_t edge() const { return name % 3; }
};

TriangleEdge edge_of(HalfEdge half) {
  return {half.triangle(), static_cast<std::uint32_t>(half.edge())};
}

/// Half-edges grouped by the lower number of their two end positions.
struct HalfEdges {
  // start of each position's group, and the end of the last group
  std::vector<std::uint32_t> first;
  std::vector<HalfEdge> list;  // each group is sorted by `high` and `name`
};

/// A position as bits, so that sorting groups equal positions.
struct Spot {
  std::uint64_t xy = 0;
  std::uint32_t z = 0, vertex = 0;

  bool operator==(const Spot& other) const { return xy == other.xy && z == other.z; }
};

/// Returns, for each vertex, the first vertex at the same position.
std::vector<std::uint32_t> places_of(const std::vector<Vec3>& vertices) {
  std::vector<Spot> spots(vertices.size());
  for (std::uint32_t i = 0; i < spots.size(); ++i) {
    const Vec3 v = vertices[i];
    const std::uint64_t x = std::bit_cast<std::uint32_t>(v.x);
    spots[i] = {x << 32 | std::bit_cast<std::uint32_t>(v.y), std::bit_cast<std::uint32_t>(v.z), i};
  }
  std::sort(spots.begin(), spots.end(), [](const Spot& a, const Spot& b) {
    return std::tie(a.xy, a.z, a.vertex) < std::tie(b.xy, b.z, b.vertex);
  });
  std::vector<std::uint32_t> places(vertices.size());
  for (std::size_t i = 0; i < spots.size(); ++i) {
    const bool is_same = i > 0 && spots[i] == spots[i - 1];
    places[spots[i].vertex] = is_same ? places[spots[i - 1].vertex] : spots[i].vertex;
  }
  return places;
}

HalfEdges sorted_half_edges(const Triangles& triangles, std::size_t place_count) {
  HalfEdges halves;
  halves.first.assign(place_count + 1, 0);
  const auto visit = [&](auto&& act) {
    for (std::uint32_t t = 0; t < triangles.size(); ++t) {
      for (std::uint32_t e = 0; e < 3; ++e) {
        const std::uint32_t tail = triangles[t][e], head = triangles[t][(e + 1U) % 3U];
        act(std::min(tail, head), HalfEdge{std::max(tail, head), 3 * t + e});
      }
    }
  };
  visit([&](std::uint32_t low, HalfEdge) { ++halves.first[low + 1]; });
  for (std::size_t i = 0; i < place_count; ++i)
    halves.first[i + 1] += halves.first[i];
  halves.list.resize(3 * triangles.size());
  std::vector<std::uint32_t> next(halves.first.begin(), halves.first.end() - 1);
  visit([&](std::uint32_t low, HalfEdge half) { halves.list[next[low]++] = half; });
  for (std::size_t i = 0; i < place_count; ++i) {
    std::sort(halves.list.begin() + halves.first[i], halves.list.begin() + halves.first[i + 1],
              [](HalfEdge x, HalfEdge y) {
                return x.high != y.high ? x.high < y.high : x.name < y.name;
              });
  }
  return halves;
}

Vec3 normal_of(const std::vector<Vec3>& vertices, const Triangles& triangles, std::uint32_t t) {
  const auto& [p, q, r] = triangles[t];
  return cross(vertices[q] - vertices[p], vertices[r] - vertices[p]);
}

/// Maximum number of triangles at one edge that are paired. If there are more, all of them have
/// borders there.
constexpr std::size_t max_fan = 16;

/// Calls visit(x, &y) for paired neighbours and visit(x, nullptr) for the remaining half-edges of
/// one edge. Neighbours run along the edge in opposite directions. If several pairs are possible,
/// the pairs that form the flattest surface are preferred.
template <typename Visit>
void pair_up(const std::vector<Vec3>& vertices, const Triangles& triangles,
             std::span<const HalfEdge> halves, Visit&& visit) {
  const auto is_rising = [&](HalfEdge half) {
    return triangles[half.triangle()][half.edge()] != half.high;
  };
  if (halves.size() == 2 && is_rising(halves[0]) != is_rising(halves[1]))
    return visit(halves[0], &halves[1]);
  struct Pair {
    float flatness = 0;
    std::size_t x = 0, y = 0;
  };
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < halves.size() && halves.size() <= max_fan; ++i) {
    const Vec3 own = normalized_or(normal_of(vertices, triangles, halves[i].triangle()), {});
    for (std::size_t k = i + 1; k < halves.size(); ++k) {
      if (is_rising(halves[i]) == is_rising(halves[k])) continue;
      const Vec3 other = normalized_or(normal_of(vertices, triangles, halves[k].triangle()), {});
      pairs.push_back({dot(own, other), i, k});
    }
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& p, const Pair& q) { return p.flatness > q.flatness; });
  std::array<bool, max_fan> is_paired{};
  for (const Pair& pair : pairs) {
    if (is_paired[pair.x] || is_paired[pair.y]) continue;
    is_paired[pair.x] = is_paired[pair.y] = true;
    visit(halves[pair.x], &halves[pair.y]);
  }
  for (std::size_t i = 0; i < halves.size(); ++i)
    if (i >= max_fan || !is_paired[i]) visit(halves[i], nullptr);
}

/// Calls visit(first half-edge, one past the last) for each edge.
template <typename Visit>
void for_each_edge(const HalfEdges& halves, std::size_t place_count, Visit&& visit) {
  for (std::size_t place = 0; place < place_count; ++place) {
    for (std::size_t i = halves.first[place]; i < halves.first[place + 1];) {
      std::size_t end = i + 1;
      while (end < halves.first[place + 1] && halves.list[end].high == halves.list[i].high)
        ++end;
      visit(i, end);
      i = end;
    }
  }
}

/// Returns true if the neighbour of a triangle bends down from it. `depth` is that of the opposite
/// corner below the triangle's plane, and `reach` is its distance beyond the edge.
template <typename Real>
bool bends_down(Real depth, Real reach) {
  // sin(bend) = depth / distance from the edge.
  const Real flat = static_cast<Real>(flat_bend) * std::sqrt(depth * depth + reach * reach);
  if (reach < 0) return depth >= -flat;  // the neighbour folds back below or above the triangle
  return depth > flat;
}

}  // namespace

bool is_convex_edge(Vec3 tail, Vec3 head, Vec3 normal, Vec3 beyond) {
  const Vec3 up = normalized_or(normal, {0, 1, 0});
  const Vec3 outward = normalized_or(cross(head - tail, up), {});
  const Vec3 offset = beyond - tail;
  return bends_down(-dot(up, offset), dot(outward, offset));
}

Triangles triangles_by_place(const state::TriangleMesh& mesh) {
  const std::vector<std::uint32_t> places = places_of(mesh.vertices);
  Triangles triangles = mesh.triangles;
  for (auto& triangle : triangles) {
    for (std::uint32_t& corner : triangle)
      corner = places[corner];
  }
  return triangles;
}

bool is_convex_pair(const std::vector<Vec3>& vertices, const Triangles& triangles, TriangleEdge x,
                    TriangleEdge y) {
  // In doubles: the bend between thin triangles of several metres is lost in the rounding errors of
  // floats.
  const auto vertex = [&](const TriangleEdge& edge, std::uint32_t corner) {
    return math::widened(vertices[triangles[edge.triangle][(edge.edge + corner) % 3]]);
  };
  const auto area = [&](const TriangleEdge& edge) {
    const math::Vec3d tail = vertex(edge, 0);
    return cross(vertex(edge, 1) - tail, vertex(edge, 2) - tail);
  };
  const math::Vec3d area_x = area(x), area_y = area(y);
  const bool is_x_larger = dot(area_x, area_x) >= dot(area_y, area_y);
  const TriangleEdge own = is_x_larger ? x : y, other = is_x_larger ? y : x;
  const math::Vec3d normal = is_x_larger ? area_x : area_y, tail = vertex(own, 0);
  const math::Vec3d outward = cross(vertex(own, 1) - tail, normal),
                    offset = vertex(other, 2) - tail;
  const double normal_length = length(normal), outward_length = length(outward);
  if (normal_length == 0 || outward_length == 0) return true;
  return bends_down(-dot(normal, offset) / normal_length, dot(outward, offset) / outward_length);
}

EdgeFacts find_edge_facts(const std::vector<Vec3>& vertices, const Triangles& triangles) {
  const HalfEdges halves = sorted_half_edges(triangles, vertices.size());
  EdgeFacts facts;
  facts.convex.assign(triangles.size(), 0b111);
  facts.own.assign(triangles.size(), 0);
  facts.is_at_convex_edge.assign(vertices.size(), false);
  const auto smooth = [&](TriangleEdge edge) {
    std::uint8_t& bits = facts.convex[edge.triangle];
    bits = static_cast<std::uint8_t>(bits & ~(1U << edge.edge));
  };
  const auto keep = [&](TriangleEdge edge) {
    std::uint8_t& own = facts.own[edge.triangle];
    own = static_cast<std::uint8_t>(own | 1U << edge.edge);
    const auto& triangle = triangles[edge.triangle];
    facts.is_at_convex_edge[triangle[edge.edge]] = true;
    facts.is_at_convex_edge[triangle[(edge.edge + 1) % 3]] = true;
  };
  std::vector<TriangleEdge> borders;
  for_each_edge(halves, vertices.size(), [&](std::size_t first, std::size_t end) {
    pair_up(vertices, triangles, std::span(halves.list).subspan(first, end - first),
            [&](HalfEdge x, const HalfEdge* y) {
              const TriangleEdge edge = edge_of(x);
              if (y == nullptr) {
                borders.push_back(edge);
              } else if (is_convex_pair(vertices, triangles, edge, edge_of(*y))) {
                keep(edge);
              } else {
                smooth(edge);
                smooth(edge_of(*y));
              }
            });
  });
  const std::vector<bool> are_seams = find_seams(vertices, triangles, borders);
  for (std::size_t i = 0; i < borders.size(); ++i) {
    if (are_seams[i]) {
      smooth(borders[i]);
    } else {
      keep(borders[i]);
    }
  }
  return facts;
}

}  // namespace jostle::geometry::detail
