#pragma once

#include "shared/physics/solver/joint_bundle.h"
#include "shared/physics/stabilizers/articulations/tree_lanes.h"

namespace jostle::physics::kernels {

/// Returns the components along the directions of an edge's rows of a lane of two vectors. One of
/// the two parts of a direction is zero.
template <typename F>
JOSTLE_SIMD_INLINE F along(const float (&directions)[6][8], const Lanes (&linear)[3],
                           const Lanes (&angular)[3], std::size_t lane) {
  F sum = F::load(directions[0]) * F::splat(linear[0][lane]);
  for (std::size_t i = 1; i < 3; ++i)
    sum = sum + F::load(directions[i]) * F::splat(linear[i][lane]);
  for (std::size_t i = 0; i < 3; ++i)
    sum = sum + F::load(directions[i + 3]) * F::splat(angular[i][lane]);
  return sum;
}

/// TreeKernelTable::read_errors.
template <typename F, typename D, bool has_ahead>
double read_tree_errors(const TreeView& view, const JointTree& tree, double share) {
  const D zero = D::splat(0);
  D most = zero;
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    TreeEdge& edge = view.edges[i];
    if (edge.is_shared()) continue;
    const TreePart& part = view.parts[edge.first_part];
    const JointBundle& bundle = view.bundles[part.bundle];
    alignas(32) float speed[8], ahead[8];
    along<F>(edge.directions, bundle.asked_anchors, bundle.asked_turns, part.lane).store(speed);
    if constexpr (has_ahead)
      along<F>(edge.directions, bundle.ahead_anchors, bundle.ahead_turns, part.lane).store(ahead);
    for (std::size_t first = 0; first < 8; first += doubles_lanes) {
      D sum = D::load_floats(speed + first);
      sum.store(edge.errors[0] + first);
      if constexpr (has_ahead) {
        const D predicted = D::load_floats(ahead + first);
        predicted.store(edge.errors[1] + first);
        if (share > 0) sum = sum + D::splat(share) * predicted;
      }
      most = max_of(most, max_of(sum, zero - sum));
    }
  }
  alignas(32) double lanes[doubles_lanes];
  most.store(lanes);
  double largest = lanes[0];
  for (const double lane : lanes)
    largest = largest > lane ? largest : lane;
  return largest;
}

/// Eliminates an edge, in the order from the leaves to the root: computes g of each solution.
template <typename D, std::size_t count, std::size_t solutions>
JOSTLE_SIMD_INLINE void go_up(const TreeView& view, TreeEdge& edge) {
  alignas(32) double x[solutions][8];
  VelocityChanges& change = view.changes[edge.parent];
  for (std::size_t s = 0; s < solutions; ++s) {
    for (std::size_t part = 0; part < parts_of<count>; ++part) {
      const std::size_t first = part * doubles_lanes;
      D g = D::load(edge.errors[s] + first);
      if (edge.child != 0) g = g + product<D>(edge.of_child[part], view.changes[edge.child].of[s]);
      g.store(edge.impulses[s] + first);
      (g + product<D>(edge.of_parent[part], change.of[s])).store(x[s] + first);
    }
  }
  for (std::size_t s = 0; s < solutions; ++s) {
    Twist<D> sum = Twist<D>::load(edge.parent_gain[0]) * x[s][0];
    for (std::size_t k = 1; k < count; ++k)
      sum = sum + Twist<D>::load(edge.parent_gain[k]) * x[s][k];
    (Twist<D>::load(change.of[s]) - sum).store(change.of[s]);
  }
}

/// Back-substitution for one edge, in the order from the root to the leaves: replaces g by the
/// impulses λ, and adds the velocity changes by λ to those of the child. Adds λ·e of the second
/// solution to `energy`, by lane.
template <typename D, std::size_t count, std::size_t solutions>
JOSTLE_SIMD_INLINE void go_down(const TreeView& view, TreeEdge& edge, D& energy) {
  alignas(32) double g[solutions][8];
  const VelocityChanges& of_parent = view.changes[edge.parent];
  for (std::size_t s = 0; s < solutions; ++s) {
    for (std::size_t part = 0; part < parts_of<count>; ++part) {
      const std::size_t first = part * doubles_lanes;
      (D::load(edge.impulses[s] + first) + product<D>(edge.of_parent[part], of_parent.of[s]))
          .store(g[s] + first);
    }
  }
  for (std::size_t s = 0; s < solutions; ++s) {
    for (std::size_t part = 0; part < parts_of<count>; ++part) {
      const auto& inverse = edge.child_inverse[part];
      D impulse = D::load(inverse[0]) * D::splat(-g[s][0]);
      for (std::size_t k = 1; k < count; ++k)
        impulse = impulse - D::load(inverse[k]) * D::splat(g[s][k]);
      impulse.store(edge.impulses[s] + part * doubles_lanes);
      if (s == 1) energy = energy + impulse * D::load(edge.errors[s] + part * doubles_lanes);
    }
  }
  if (edge.child == 0) return;
  VelocityChanges& change = view.changes[edge.child];
  for (std::size_t s = 0; s < solutions; ++s) {
    Twist<D> sum = Twist<D>::load(edge.child_response[0]) * edge.impulses[s][0];
    for (std::size_t k = 1; k < count; ++k)
      sum = sum + Twist<D>::load(edge.child_response[k]) * edge.impulses[s][k];
    (Twist<D>::load(change.of[s]) + sum).store(change.of[s]);
  }
}

template <std::size_t solutions>
struct GoUp {
  template <typename D, std::size_t count>
  JOSTLE_SIMD_INLINE static void run(const TreeView& view, TreeEdge& edge) {
    go_up<D, count, solutions>(view, edge);
  }
};
template <std::size_t solutions>
struct GoDown {
  template <typename D, std::size_t count>
  JOSTLE_SIMD_INLINE static void run(const TreeView& view, TreeEdge& edge, D& energy) {
    go_down<D, count, solutions>(view, edge, energy);
  }
};

/// TreeKernelTable::solve.
template <typename D, std::size_t solutions>
double solve_tree(const TreeView& view, const JointTree& tree) {
  const D zero = D::splat(0);
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i) {
    for (std::size_t s = 0; s < solutions; ++s)
      Twist<D>{zero, zero}.store(view.changes[view.bodies[i]].of[s]);
  }
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i)
    with_rows<D, GoUp<solutions>>(view, view.edges[i]);
  D energy = zero;
  for (std::uint32_t i = tree.last_edge; i > tree.first_edge; --i)
    with_rows<D, GoDown<solutions>>(view, view.edges[i - 1], energy);
  alignas(32) double lanes[doubles_lanes];
  energy.store(lanes);
  return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
}

/// Adds `impulse` to the impulses of a joint. If `is_first`, `phase` is replaced.
JOSTLE_SIMD_INLINE void add_impulse(Lanes (&phase)[3], Lanes (&step)[3], std::size_t lane,
                                    const float* impulse, bool is_first) {
  for (std::size_t i = 0; i < 3; ++i) {
    phase[i][lane] = is_first ? impulse[i] : phase[i][lane] + impulse[i];
    step[i][lane] += impulse[i];
  }
}

/// TreeKernelTable::add_impulses.
template <typename D, JointPhase phase>
void add_tree_impulses(const TreeView& view, const JointTree& tree, double share, bool is_first) {
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    const TreeEdge& edge = view.edges[i];
    if (edge.is_shared()) continue;
    Twist<D> sum{D::splat(0), D::splat(0)};
    for (std::size_t k = 0; k < edge.row_count; ++k)
      sum = sum + Twist<D>::load_floats(edge.wrenches[k]) * with_share(edge.impulses, k, share);
    alignas(32) float impulse[8];
    sum.store_floats(impulse);
    const TreePart& part = view.parts[edge.first_part];
    JointBundle& bundle = view.bundles[part.bundle];
    add_impulse(bundle.linear[phase], bundle.step_linear, part.lane, impulse, is_first);
    if (part.holds_rotation)
      add_impulse(bundle.angular[phase], bundle.step_angular, part.lane, impulse + 4, is_first);
  }
}

/// TreeKernelTable::add_changes.
template <typename D>
void add_tree_changes(const TreeView& view, const JointTree& tree, double factor, double share) {
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i) {
    const std::uint32_t body = view.bodies[i];
    const VelocityChanges& change = view.changes[body];
    Twist<D> sum = Twist<D>::load(change.of[0]);
    if (share > 0) sum = sum + Twist<D>::load(change.of[1]) * share;
    float* velocity = view.velocities + std::size_t{8} * body;
    (Twist<D>::load_floats(velocity) + sum * factor).store_floats(velocity);
  }
}

}  // namespace jostle::physics::kernels
