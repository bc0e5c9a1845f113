#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/joint_rows.h"
#include "shared/physics/solver/kernels/kernel_table.h"
#include "shared/physics/stabilizers/articulations/tree_algebra.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <span>

namespace jostle::physics {

using math::Vec3;

namespace {

using namespace tree;

constexpr std::size_t most_sources = TreeEdge::max_parts * TreeEdge::max_rows;

/// Computes the Cholesky factor L of m = L·Lᵀ; the inverses of its diagonal elements are stored in
/// their place. For rows without any response, such as those along locked axes, a zero is stored
/// instead, so that they get no impulse.
template <std::size_t rows>
void take_root(const Square& m, Square& root) {
  constexpr double rounding = 1e-14;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      double sum = m[i][k];
      for (std::size_t j = 0; j < k; ++j)
        sum -= root[i][j] * root[k][j];
      if (i != k) {
        root[i][k] = sum * root[k][k];
      } else {
        root[i][i] = sum > rounding * m[i][i] ? 1.0 / std::sqrt(sum) : 0.0;
      }
    }
  }
}

/// Arms from the centres of mass of a joint's two bodies.
struct Arms {
  Vec3 parent, child;
};

/// Sets the directions and arms of an edge, from which the kernels compute J and Σ. `sign` is 1 if
/// the directions act on the child, −1 if they act on the parent.
void set_rows(TreeEdge& edge, std::span<const TreeDirection> directions, const Arms& arms,
              double sign) {
  edge.row_count = directions.size();
  edge.sign = sign;
  const auto put = [](double(&to)[3], Vec3 v) { to[0] = v.x, to[1] = v.y, to[2] = v.z; };
  put(edge.parent_arm, arms.parent);
  put(edge.child_arm, arms.child);
  for (float(&component)[8] : edge.directions)
    std::fill(std::begin(component), std::end(component), 0.0f);
  for (std::size_t row = 0; row < directions.size(); ++row) {
    const Vec3 linear = directions[row].linear, angular = directions[row].angular;
    const float components[6] = {linear.x, linear.y, linear.z, angular.x, angular.y, angular.z};
    for (std::size_t i = 0; i < 6; ++i)
      edge.directions[i][row] = components[i];
    const float wrench[8] = {linear.x, linear.y, linear.z, 0, angular.x, angular.y, angular.z, 0};
    std::copy(std::begin(wrench), std::end(wrench), edge.wrenches[row]);
  }
}

Arms arms_of(const Cluster& cluster, const TreePart& part) {
  const JointBundle& bundle = cluster.joint_solver.bundles[part.bundle];
  const Vec3 arm_a = vector_of(bundle.arm_a, part.lane), arm_b = vector_of(bundle.arm_b, part.lane);
  return part.is_parent_a ? Arms{arm_a, arm_b} : Arms{arm_b, arm_a};
}

/// Sets the rows of an edge of one joint, between bodies that share no lock.
void measure_alone(Cluster& cluster, TreeEdge& edge) {
  const TreePart& part = cluster.joint_solver.trees.parts[edge.first_part];
  JointDirections directions;
  const std::size_t count = find_directions(cluster, part, directions);
  set_rows(edge, {directions.data(), count}, arms_of(cluster, part), part.is_parent_a ? 1 : -1);
}

/// Returns the arms of a joint from both bodies to one common point. For a rod this is the middle
/// of the rod: its ends are apart, but a pull along a rod may act at any of its points.
Arms common_arms_of(const Cluster& cluster, const TreePart& part) {
  const Arms arms = arms_of(cluster, part);
  if (joint_classes[part.joint_class].kind != JointKind::Distance) return arms;
  const JointBundle& bundle = cluster.joint_solver.bundles[part.bundle];
  const Vec3 half = vector_of(bundle.apart, part.lane) * (part.is_parent_a ? 0.5f : -0.5f);
  return {arms.parent + half, arms.child - half};
}

/// Returns the mean of the arms of an edge's joints.
Arms middle_of(const Cluster& cluster, const TreeEdge& edge) {
  Arms sum;
  for (std::uint32_t i = edge.first_part; i < edge.last_part; ++i) {
    const Arms arms = common_arms_of(cluster, cluster.joint_solver.trees.parts[i]);
    sum.parent += arms.parent;
    sum.child += arms.child;
  }
  const float share = 1.0f / static_cast<float>(edge.last_part - edge.first_part);
  return {sum.parent * share, sum.child * share};
}

/// Returns the weight of a direction: 1 if it has a force, 0.25 m if it is a pure torque. Because
/// of the lower weight, the small misalignment of two hinge axes that joint errors cause does not
/// count as an additional direction.
double weight_of(const TreeDirection& direction) {
  constexpr double arm = 0.25;  // m
  return direction.linear == Vec3{} ? arm : 1;
}

/// Removes the parts of a wrench that can move neither body of an edge. `locks` are the locks that
/// both bodies have. For example, in a planar world the axis of a hinge is normal to the plane,
/// except for rounding errors. Without this function, rounding errors in the other two axes would
/// constrain the free rotation of the hinge. A force along a locked axis can still move a body if
/// rotation about one of the other two axes is free.
void take_locked(state::MotionLocks locks, Velocity& wrench) {
  const state::MotionLocks linear = state::linear_part(locks), angular = state::angular_part(locks);
  for (std::size_t i = 0; i < 3; ++i) {
    const auto others = static_cast<state::MotionLocks>(7U & ~(1U << i));
    if ((linear >> i & 1) != 0 && (angular & others) == others) wrench[i] = 0;
    if ((angular >> i & 1) != 0) wrench[i + 3] = 0;
  }
}

/// Finds the sources of an edge and fills their directions. `wrenches` receives the force and the
/// torque of each source on the child about the common centre `middle`, times weight_of.
void find_sources(Cluster& cluster, TreeEdge& edge, const Arms& middle,
                  std::array<Velocity, most_sources>& wrenches) {
  JointTrees& trees = cluster.joint_solver.trees;
  edge.source_count = 0;
  for (std::uint32_t i = edge.first_part; i < edge.last_part; ++i) {
    const TreePart& part = trees.parts[i];
    const Arms arms = common_arms_of(cluster, part);
    const Vec3 of_parent = arms.parent - middle.parent;
    // If the child is the world, the arms of several immovable bodies have no common origin, so the
    // parent's arms are used for the child too.
    const Vec3 of_child = edge.child == 0 ? of_parent : arms.child - middle.child;
    const Vec3 arm = (of_parent + of_child) * 0.5f;
    JointDirections directions;
    const std::size_t count = find_directions(cluster, part, directions);
    for (std::size_t k = 0; k < count; ++k) {
      const double sign = part.is_parent_a ? 1 : -1;
      Velocity& wrench = wrenches[edge.source_count];
      wrench = row_of(directions[k], arm, sign * weight_of(directions[k]));
      take_locked(edge.locks, wrench);
      TreeSource& source = trees.sources[edge.first_source + edge.source_count++];
      source.part = i;
      source.direction = directions[k];
    }
  }
}

/// Finds an orthonormal basis of wrenches by the Gram–Schmidt process, with the longest remainder
/// first. Remainders below 1 mm are caused by joint errors and are ignored. Returns the rank.
std::size_t find_base(std::span<const Velocity> wrenches, std::array<Velocity, 6>& base) {
  constexpr double least = 1e-3;
  std::array<Velocity, most_sources> rest;
  std::copy(wrenches.begin(), wrenches.end(), rest.begin());
  std::size_t rank = 0;
  for (; rank < base.size(); ++rank) {
    std::size_t longest = 0;
    double most = 0;
    for (std::size_t i = 0; i < wrenches.size(); ++i) {
      const double squared = dot(rest[i], rest[i]);
      if (squared > most) {
        most = squared;
        longest = i;
      }
    }
    if (!(most > least * least)) break;
    base[rank] = {};
    add_times(base[rank], rest[longest], 1 / std::sqrt(most));
    for (std::size_t i = 0; i < wrenches.size(); ++i)
      add_times(rest[i], base[rank], -dot(rest[i], base[rank]));
  }
  return rank;
}

/// Computes TreeSource::weights of the sources by least squares.
void find_weights(std::span<const Velocity> wrenches, std::span<const Velocity> base,
                  std::span<TreeSource> sources) {
  Square m{}, root;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    Values& weights = sources[i].weights;
    for (std::size_t k = 0; k < base.size(); ++k)
      weights[k] = dot(wrenches[i], base[k]);
    for (std::size_t k = 0; k < base.size(); ++k) {
      for (std::size_t c = 0; c <= k; ++c)
        m[k][c] += weights[k] * weights[c];
    }
  }
  with_rows(base.size(), [&](auto rows) {
    take_root<rows>(m, root);
    for (TreeSource& source : sources)
      tree::solve<rows>(root, source.weights);
  });
  for (TreeSource& source : sources) {
    for (double& weight : source.weights)
      weight *= weight_of(source.direction);
  }
}

/// Sets the rows of an edge of several joints, or of one joint between bodies that share locks.
void measure_shared(Cluster& cluster, TreeEdge& edge) {
  JointTrees& trees = cluster.joint_solver.trees;
  const Arms middle = middle_of(cluster, edge);
  std::array<Velocity, most_sources> wrenches;
  find_sources(cluster, edge, middle, wrenches);
  const std::span<const Velocity> found{wrenches.data(), edge.source_count};
  std::array<Velocity, 6> base;
  const std::size_t count = find_base(found, base);
  find_weights(found, {base.data(), count}, trees.sources_of(edge));
  JointDirections directions;
  for (std::size_t i = 0; i < count; ++i) {
    const math::Vec3d linear{base[i][0], base[i][1], base[i][2]};
    const math::Vec3d angular{base[i][3], base[i][4], base[i][5]};
    directions[i] = {math::narrowed(linear), math::narrowed(angular)};
  }
  set_rows(edge, {directions.data(), count}, middle, 1);
}

/// Clears the effective masses of the joints' blocks, so that passes solve only their limits,
/// motors and springs.
void take_from_passes(Cluster& cluster, const TreeEdge& edge) {
  for (std::uint32_t i = edge.first_part; i < edge.last_part; ++i) {
    const TreePart& part = cluster.joint_solver.trees.parts[i];
    JointBundle& bundle = cluster.joint_solver.bundles[part.bundle];
    for (Lanes& row : bundle.linear_mass)
      row[part.lane] = 0;
    for (Lanes& row : bundle.angular_mass)
      row[part.lane] = 0;
  }
}

/// Clears the effective masses of a tree's joints again, because other joints of the same bundles
/// may have caused these bundles to be measured again.
void take_from_passes(Cluster& cluster, const JointTree& tree) {
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i)
    take_from_passes(cluster, cluster.joint_solver.trees.edges[i]);
}

}  // namespace

void factor_tree(Cluster& cluster, const JointTree& tree) {
  JointTrees& trees = cluster.joint_solver.trees;
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i)
    trees.masses[trees.bodies[i]] = own_mass(cluster, trees.bodies[i]);
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    TreeEdge& edge = trees.edges[i];
    edge.is_shared() ? measure_shared(cluster, edge) : measure_alone(cluster, edge);
    take_from_passes(cluster, edge);
  }
  cluster.world.runtime.kernels->joints.trees.factor(make_tree_view(cluster), tree);
}

bool was_moved(const Cluster& cluster, const JointTree& tree, std::uint32_t since) {
  const JointArrays& arrays = cluster.joint_solver;
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i)
    if (since < arrays.moved[arrays.trees.bodies[i]]) return true;
  return false;
}

void factor_joint_trees(Cluster& cluster, const MendingView& mending) {
  JointTrees& trees = cluster.joint_solver.trees;
  if (trees.trees.empty()) return;
  trees.masses.resize(cluster.solver.bodies.size());
  trees.responses.resize(cluster.solver.bodies.size());
  trees.changes.resize(cluster.solver.bodies.size());
  cluster.workers.for_each_block(static_cast<std::uint32_t>(trees.trees.size()),
                                 [&](std::uint32_t i) {
                                   JointTree& tree = trees.trees[i];
                                   if (mending.is_on && !was_moved(cluster, tree, mending.since))
                                     take_from_passes(cluster, tree);
                                   else
                                     factor_tree(cluster, tree);
                                 });
}

}  // namespace jostle::physics
