#include "shared/geometry/detail/surface_edges.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace jostle::geometry::detail {

using math::Vec3;

namespace {

/// An edge as one triangle runs along it.
struct HalfEdge {
  std::uint32_t low = 0, high = 0;  // places
  std::uint32_t triangle = 0;
  std::uint8_t edge = 0;
  bool is_rising = false;  // runs low → high
};

/// By vertex, a number that vertices in the same place share.
std::vector<std::uint32_t> places_of(const std::vector<Vec3>& vertices) {
  std::vector<std::uint32_t> order(vertices.size());
  for (std::uint32_t i = 0; i < order.size(); ++i)
    order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::uint32_t i, std::uint32_t j) {
    const Vec3 a = vertices[i], b = vertices[j];
    return std::tie(a.x, a.y, a.z, i) < std::tie(b.x, b.y, b.z, j);
  });
  std::vector<std::uint32_t> places(vertices.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool is_same = i > 0 && vertices[order[i]] == vertices[order[i - 1]];
    places[order[i]] = is_same ? places[order[i - 1]] : order[i];
  }
  return places;
}

std::vector<HalfEdge> sorted_half_edges(const state::TriangleMesh& mesh) {
  const std::vector<std::uint32_t> places = places_of(mesh.vertices);
  std::vector<HalfEdge> halves;
  halves.reserve(3 * mesh.triangles.size());
  for (std::uint32_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::uint8_t e = 0; e < 3; ++e) {
      const std::uint32_t tail = places[mesh.triangles[t][e]];
      const std::uint32_t head = places[mesh.triangles[t][(e + 1U) % 3U]];
      halves.push_back({std::min(tail, head), std::max(tail, head), t, e, tail < head});
    }
  }
  std::sort(halves.begin(), halves.end(), [](const HalfEdge& x, const HalfEdge& y) {
    return std::tie(x.low, x.high, x.triangle, x.edge) <
           std::tie(y.low, y.high, y.triangle, y.edge);
  });
  return halves;
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

std::vector<std::uint8_t> find_convex_edges(const state::TriangleMesh& mesh) {
  const std::vector<HalfEdge> halves = sorted_half_edges(mesh);
  std::vector<std::uint8_t> bits(mesh.triangles.size(), 0b111);
  const auto vertex = [&](std::uint32_t triangle, std::size_t corner) {
    return mesh.vertices[mesh.triangles[triangle][corner % 3]];
  };
  for (std::size_t i = 0; i < halves.size();) {
    std::size_t end = i + 1;
    while (end < halves.size() && halves[end].low == halves[i].low &&
           halves[end].high == halves[i].high)
      ++end;
    const HalfEdge &x = halves[i], &y = halves[end - 1];
    const bool is_pair = end - i == 2 && x.is_rising != y.is_rising;
    i = end;
    if (!is_pair) continue;
    // The larger triangle knows its plane better; both get the same answer.
    const auto normal = [&](std::uint32_t t) {
      return cross(vertex(t, 1) - vertex(t, 0), vertex(t, 2) - vertex(t, 0));
    };
    const bool is_x_larger =
        length_squared(normal(x.triangle)) >= length_squared(normal(y.triangle));
    const HalfEdge &own = is_x_larger ? x : y, &other = is_x_larger ? y : x;
    const bool is_convex =
        is_convex_edge(vertex(own.triangle, own.edge), vertex(own.triangle, own.edge + 1U),
                       normal(own.triangle), vertex(other.triangle, other.edge + 2U));
    if (is_convex) continue;
    for (const HalfEdge& half : {x, y})
      bits[half.triangle] = static_cast<std::uint8_t>(bits[half.triangle] & ~(1U << half.edge));
  }
  return bits;
}

}  // namespace jostle::geometry::detail
