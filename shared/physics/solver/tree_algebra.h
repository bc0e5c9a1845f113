#pragma once

#include "shared/physics/solver/joint_trees.h"

#include <cstddef>
#include <span>

// What the solution of trees of joints (joint_trees.h) reckons with, in double.
namespace jostle::physics::tree {

using Velocity = TreeRow::Velocity;
using Direction = TreeRow::Direction;
using Response = JointTrees::Response;

inline double dot(const Velocity& a, const Velocity& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] + a[4] * b[4] + a[5] * b[5];
}
inline void add_times(Velocity& to, const Velocity& what, double factor) {
  for (std::size_t i = 0; i < 6; ++i)
    to[i] += what[i] * factor;
}

/// L⁻¹·x
inline void solve_down(const TreeRoot& root, std::span<double> x) {
  for (std::size_t i = 0; i < x.size(); ++i) {
    for (std::size_t k = 0; k < i; ++k)
      x[i] -= root.at(i, k) * x[k];
    x[i] *= root.at(i, i);
  }
}
/// (L·Lᵀ)⁻¹·x
inline void solve(const TreeRoot& root, std::span<double> x) {
  solve_down(root, x);
  for (std::size_t i = x.size(); i > 0; --i) {
    for (std::size_t k = i; k < x.size(); ++k)
      x[i - 1] -= root.at(k, i - 1) * x[k];
    x[i - 1] *= root.at(i - 1, i - 1);
  }
}

}  // namespace jostle::physics::tree
