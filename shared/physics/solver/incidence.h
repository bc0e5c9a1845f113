#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::physics {

/// Adjacency lists of a graph: edges[first[i]] to edges[first[i + 1] − 1] are the indices of the
/// edges at body i, in ascending order.
struct Incidence {
  std::vector<std::uint32_t> first;
  std::vector<std::uint32_t> edges;
};

/// Builds the adjacency lists. Members a and b of an edge are the solver indices of its two bodies.
template <typename Edge>
void find_incidence(const std::vector<Edge>& edges, std::size_t body_count, Incidence& incidence) {
  std::vector<std::uint32_t>& first = incidence.first;
  first.assign(body_count + 1, 0);
  for (const Edge& edge : edges) {
    ++first[edge.a];
    ++first[edge.b];
  }
  std::uint32_t sum = 0;
  for (std::uint32_t& count : first)
    count = sum += count;
  incidence.edges.resize(sum);
  for (auto i = static_cast<std::uint32_t>(edges.size()); i-- > 0;) {
    incidence.edges[--first[edges[i].a]] = i;
    incidence.edges[--first[edges[i].b]] = i;
  }
}

/// Calls `visit(edge index)` for all edges at the body.
template <typename Visit>
void for_each_edge(const Incidence& incidence, std::uint32_t body, Visit&& visit) {
  for (std::uint32_t k = incidence.first[body]; k < incidence.first[body + 1]; ++k)
    visit(incidence.edges[k]);
}

}  // namespace jostle::physics
