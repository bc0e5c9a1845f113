#include "shared/geometry/detail/surface_edges.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <tuple>

namespace jostle::geometry::detail {

using math::Vec3;

namespace {

/// An edge as one triangle runs along it. It is kept with the lower of its two places.
struct HalfEdge {
  std::uint32_t high = 0;  // the other place
  std::uint32_t name = 0;  // 3 · triangle + edge

  std::uint32_t triangle() const { return name / 3; }
  std::size_t edge() const { return name % 3; }
};

/// The half edges of each place that is the lower one of theirs, place after place.
struct HalfEdges {
  std::vector<std::uint32_t> first;  // by place, and the end of all
  std::vector<HalfEdge> list;        // of a place sorted by the other place and the name
};

/// A place in bits, so that equal ones stand side by side once sorted.
struct Spot {
  std::uint64_t xy = 0;
  std::uint32_t z = 0, vertex = 0;

  bool operator==(const Spot& other) const { return xy == other.xy && z == other.z; }
};

/// By vertex, the first vertex in its place.
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

/// Of two triangles the larger one knows its plane better; both get the same answer.
bool is_convex_pair(const std::vector<Vec3>& vertices, const Triangles& triangles, HalfEdge x,
                    HalfEdge y) {
  const auto vertex = [&](std::uint32_t triangle, std::size_t corner) {
    return vertices[triangles[triangle][corner % 3]];
  };
  const auto normal = [&](std::uint32_t t) {
    return cross(vertex(t, 1) - vertex(t, 0), vertex(t, 2) - vertex(t, 0));
  };
  const Vec3 normal_x = normal(x.triangle()), normal_y = normal(y.triangle());
  const bool is_x_larger = length_squared(normal_x) >= length_squared(normal_y);
  const HalfEdge own = is_x_larger ? x : y, other = is_x_larger ? y : x;
  return is_convex_edge(vertex(own.triangle(), own.edge()), vertex(own.triangle(), own.edge() + 1),
                        is_x_larger ? normal_x : normal_y,
                        vertex(other.triangle(), other.edge() + 2));
}

}  // namespace

bool is_convex_edge(Vec3 tail, Vec3 head, Vec3 normal, Vec3 beyond) {
  const Vec3 up = normalized_or(normal, {0, 1, 0});
  const Vec3 outward = normalized_or(cross(head - tail, up), {});
  const Vec3 offset = beyond - tail;
  const float depth = -dot(up, offset), reach = dot(outward, offset);
  // sin of the bend is depth over the distance from the edge.
  const float flat = flat_bend * std::sqrt(depth * depth + reach * reach);
  if (reach < 0.0f) return depth >= -flat;  // folds back: under the triangle, or over it
  return depth > flat;
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

EdgeFacts find_edge_facts(const std::vector<Vec3>& vertices, const Triangles& triangles) {
  const HalfEdges halves = sorted_half_edges(triangles, vertices.size());
  EdgeFacts facts;
  facts.convex.assign(triangles.size(), 0b111);
  facts.own.assign(triangles.size(), 0);
  facts.is_at_convex_edge.assign(vertices.size(), false);
  const auto is_rising = [&](HalfEdge half) {
    return triangles[half.triangle()][half.edge()] != half.high;
  };
  for (std::size_t place = 0; place < vertices.size(); ++place) {
    for (std::size_t i = halves.first[place]; i < halves.first[place + 1];) {
      std::size_t end = i + 1;
      while (end < halves.first[place + 1] && halves.list[end].high == halves.list[i].high)
        ++end;
      const HalfEdge x = halves.list[i], y = halves.list[end - 1];
      const bool is_pair = end - i == 2 && is_rising(x) != is_rising(y);
      i = end;
      if (is_pair && !is_convex_pair(vertices, triangles, x, y)) {
        for (const HalfEdge half : {x, y}) {
          std::uint8_t& bits = facts.convex[half.triangle()];
          bits = static_cast<std::uint8_t>(bits & ~(1U << half.edge()));
        }
        continue;
      }
      std::uint8_t& own = facts.own[x.triangle()];
      own = static_cast<std::uint8_t>(own | 1U << x.edge());
      facts.is_at_convex_edge[place] = facts.is_at_convex_edge[x.high] = true;
    }
  }
  return facts;
}

}  // namespace jostle::geometry::detail
