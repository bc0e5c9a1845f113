#pragma once

#include "shared/physics/stabilizers/articulations/tree_arrays.h"

#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

// Algebra in double precision for measuring joint trees (joint_trees.h).
namespace jostle::physics::tree {

using Velocity = std::array<double, 6>;  // linear, angular
using Values = std::array<double, TreeEdge::max_rows>;
using Square = std::array<Values, TreeEdge::max_rows>;

// Products are added in pairs, which shortens the chain of dependent additions.
inline double dot(const Velocity& a, const Velocity& b) {
  return (a[0] * b[0] + a[1] * b[1]) + (a[2] * b[2] + a[3] * b[3]) + (a[4] * b[4] + a[5] * b[5]);
}
inline void add_times(Velocity& to, const Velocity& what, double factor) {
  for (std::size_t i = 0; i < 6; ++i)
    to[i] += what[i] * factor;
}

/// Calls `visit(std::integral_constant<std::size_t, rows>())` if `rows` is 1 to max_rows, so that
/// the compiler can unroll loops over rows. Does nothing for 0 rows.
template <typename Visit>
inline void with_rows(std::size_t rows, const Visit& visit) {
  const auto visit_if =
      [&]<std::size_t count>(std::integral_constant<std::size_t, count> constant) {
        if (rows == count) visit(constant);
      };
  [&]<std::size_t... i>(std::index_sequence<i...>) {
    (visit_if(std::integral_constant<std::size_t, i + 1>()), ...);
  }
  (std::make_index_sequence<TreeEdge::max_rows>());
}

/// Replaces `x` by (L·Lᵀ)⁻¹·x. `root` is the triangular factor L with the inverses of its diagonal
/// elements in their place.
template <std::size_t rows>
inline void solve(const Square& root, Values& x) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < i; ++k)
      x[i] -= root[i][k] * x[k];
    x[i] *= root[i][i];
  }
  for (std::size_t i = rows; i > 0; --i) {
    for (std::size_t k = i; k < rows; ++k)
      x[i - 1] -= root[k][i - 1] * x[k];
    x[i - 1] *= root[i - 1][i - 1];
  }
}

}  // namespace jostle::physics::tree
