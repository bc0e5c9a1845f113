#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/count_work.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/joint_trees.h"
#include "shared/physics/solver/tree_algebra.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace jostle::physics {

using math::Vec3;

namespace {

using namespace tree;

/// Returns twice the rotational energy of a body, ω·I·ω; 0 if the inverse inertia is singular.
double turning_energy(const Cluster& cluster, std::uint32_t body) {
  const math::Mat3 inverse = to_matrix(cluster.joint_solver.inertias[body]);
  const math::Vec3d w = math::widened(cluster.solver.velocities[body].angular);
  const auto x = [&](Vec3 c) { return math::widened(c); };
  const math::Vec3d a = x(inverse.cx), b = x(inverse.cy), c = x(inverse.cz);
  const math::Vec3d bc = cross(b, c), ca = cross(c, a), ab = cross(a, b);
  const double determinant = math::dot(a, bc);
  if (!(determinant > 0)) return 0;
  return (math::dot(bc, w) * w.x + math::dot(ca, w) * w.y + math::dot(ab, w) * w.z) / determinant;
}

double along(const Direction& direction, Vec3 linear, Vec3 angular) {
  return static_cast<double>(math::dot(direction.linear, linear)) +
         static_cast<double>(math::dot(direction.angular, angular));
}

/// Sets `row.speed` to the velocity error along its direction, and `row.ahead` to the predicted
/// part.
template <typename Row>
void read_speed(const Cluster& cluster, JointPhase phase, Row& row) {
  const TreePart& part = cluster.joint_solver.trees.parts[row.part];
  const JointBundle& bundle = cluster.joint_solver.bundles[part.bundle];
  row.speed = along(row.direction, vector_of(bundle.asked_anchors, part.lane),
                    vector_of(bundle.asked_turns, part.lane));
  row.ahead = phase == HoldPhase ? along(row.direction, vector_of(bundle.ahead_anchors, part.lane),
                                         vector_of(bundle.ahead_turns, part.lane))
                                 : 0.0;
}

void read_speeds(Cluster& cluster, TreeEdge& edge, JointPhase phase) {
  JointTrees& trees = cluster.joint_solver.trees;
  const std::span<TreeRow> rows = edge.rows();
  if (!edge.is_shared()) {
    for (TreeRow& row : rows)
      read_speed(cluster, phase, row);
    return;
  }
  for (TreeRow& row : rows)
    row.speed = row.ahead = 0;
  for (TreeSource& source : trees.sources_of(edge)) {
    read_speed(cluster, phase, source);
    for (std::size_t k = 0; k < rows.size(); ++k) {
      rows[k].speed += source.weights[k] * source.speed;
      rows[k].ahead += source.weights[k] * source.ahead;
    }
  }
}

void add(Lanes (&rows)[3], std::size_t lane, const math::Vec3d& v) {
  rows[0][lane] += static_cast<float>(v.x);
  rows[1][lane] += static_cast<float>(v.y);
  rows[2][lane] += static_cast<float>(v.z);
}

void add_impulse(Cluster& cluster, const TreePart& part, JointPhase phase,
                 const math::Vec3d& linear, const math::Vec3d& angular) {
  JointBundle& bundle = cluster.joint_solver.bundles[part.bundle];
  add(bundle.linear[phase], part.lane, linear);
  add(bundle.step_linear, part.lane, linear);
  if (holds_rotation(joint_classes[part.joint_class])) {
    add(bundle.angular[phase], part.lane, angular);
    add(bundle.step_angular, part.lane, angular);
  }
}

void forget_impulse(Cluster& cluster, const TreePart& part, JointPhase phase) {
  JointBundle& bundle = cluster.joint_solver.bundles[part.bundle];
  for (std::size_t i = 0; i < 3; ++i)
    bundle.linear[phase][i][part.lane] = 0;
  if (!holds_rotation(joint_classes[part.joint_class])) return;
  for (std::size_t i = 0; i < 3; ++i)
    bundle.angular[phase][i][part.lane] = 0;
}

/// Adds the impulses of an edge that has only one joint to the bundle of that joint.
void add_own_impulse(Cluster& cluster, const TreeEdge& edge, JointPhase phase, double share) {
  math::Vec3d linear, angular;
  for (std::size_t i = 0; i < edge.row_count; ++i) {
    const Direction& direction = edge.all_rows[i].direction;
    const double impulse = edge.asked[i].with_share(share);
    linear = linear + math::widened(direction.linear) * impulse;
    angular = angular + math::widened(direction.angular) * impulse;
  }
  const TreePart& part = cluster.joint_solver.trees.parts[edge.first_part];
  add_impulse(cluster, part, phase, linear, angular);
}

/// Adds the impulses of an edge for the share `share` of the second solution.
void add_impulses(Cluster& cluster, const TreeEdge& edge, JointPhase phase, double share) {
  if (!edge.is_shared()) {
    add_own_impulse(cluster, edge, phase, share);
    return;
  }
  JointTrees& trees = cluster.joint_solver.trees;
  for (const TreeSource& source : trees.sources_of(edge)) {
    double impulse = 0;
    for (std::size_t k = 0; k < edge.row_count; ++k)
      impulse += source.weights[k] * edge.asked[k].with_share(share);
    add_impulse(cluster, trees.parts[source.part], phase,
                math::widened(source.direction.linear) * impulse,
                math::widened(source.direction.angular) * impulse);
  }
}
void forget_impulses(Cluster& cluster, const TreeEdge& edge, JointPhase phase) {
  for (std::uint32_t i = edge.first_part; i < edge.last_part; ++i)
    forget_impulse(cluster, cluster.joint_solver.trees.parts[i], phase);
}

/// Eliminates one edge, in the order from the leaves to the root. Replaces e in `edge.asked` by g
/// (joint_trees.h).
template <std::size_t count>
void go_up(JointTrees& trees, TreeEdge& edge) {
  const auto& rows = edge.all_rows;
  if (edge.child != 0) {
    const TwoVelocities& change = trees.changes[edge.child];
    for (std::size_t k = 0; k < count; ++k)
      edge.asked[k] = edge.asked[k] + dot(rows[k].of_child, change);
  }
  TwoVelocities& change = trees.changes[edge.parent];
  std::array<TwoValues, count> x;
  for (std::size_t k = 0; k < count; ++k)
    x[k] = edge.asked[k] + dot(rows[k].of_parent, change);
  for (std::size_t k = 0; k < count; ++k)
    add_times(change, rows[k].parent_gain, x[k] * -1.0);
}

/// Eliminates all edges of the tree from the leaves to the root.
void go_up(JointTrees& trees, const JointTree& tree) {
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i)
    trees.changes[trees.bodies[i]] = {};
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    TreeEdge& edge = trees.edges[i];
    with_rows(edge.row_count, [&](auto count) { go_up<count>(trees, edge); });
  }
}

/// Back-substitution for one edge, in the order from the root to the leaves. Replaces g in
/// `edge.asked` by the impulses λ, and adds the velocity changes by λ to the child's entry of
/// `changes`.
template <std::size_t count>
void go_down(JointTrees& trees, TreeEdge& edge) {
  const auto& rows = edge.all_rows;
  const TwoVelocities& of_parent = trees.changes[edge.parent];
  std::array<TwoValues, count> g;
  for (std::size_t k = 0; k < count; ++k)
    g[k] = edge.asked[k] + dot(rows[k].of_parent, of_parent);
  for (std::size_t i = 0; i < count; ++i) {
    TwoValues impulse{};
    for (std::size_t k = 0; k < count; ++k)
      impulse = impulse - g[k] * edge.child_inverse[i][k];
    edge.asked[i] = impulse;
  }
  if (edge.child == 0) return;
  TwoVelocities& change = trees.changes[edge.child];
  for (std::size_t k = 0; k < count; ++k)
    add_times(change, rows[k].child_response, edge.asked[k]);
}

/// Computes the impulses of all edges from the root to the leaves (back-substitution).
void go_down(JointTrees& trees, const JointTree& tree) {
  for (std::uint32_t i = tree.last_edge; i > tree.first_edge; --i) {
    TreeEdge& edge = trees.edges[i - 1];
    with_rows(edge.row_count, [&](auto count) { go_down<count>(trees, edge); });
  }
}

/// Sets the right-hand side (TreeEdge::asked) of each row of the tree to `what(row)`.
template <typename What>
void ask(JointTrees& trees, const JointTree& tree, const What& what) {
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    TreeEdge& edge = trees.edges[i];
    for (std::size_t k = 0; k < edge.row_count; ++k)
      edge.asked[k] = what(edge.all_rows[k]);
  }
}

/// Solves a tree for the velocity errors of its rows, without their predicted parts, and for the
/// predicted parts. Fills `asked` and `changes`.
void solve_both(JointTrees& trees, const JointTree& tree) {
  ask(trees, tree, [](const TreeRow& row) { return TwoValues::of(row.speed, row.ahead); });
  go_up(trees, tree);
  go_down(trees, tree);
}

/// Returns aᵀ·(J·M⁻¹·Jᵀ + Σ)⁻¹·a, where a is the vector of predicted errors (joint_trees.h), after
/// solve_both. This is twice the energy that the bodies would gain if these errors were removed.
double energy_ahead(const JointTrees& trees, const JointTree& tree) {
  double sum = 0;
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    const TreeEdge& edge = trees.edges[i];
    for (std::size_t k = 0; k < edge.row_count; ++k)
      sum -= edge.asked[k].second() * edge.all_rows[k].ahead;
  }
  return sum;
}

/// Returns twice the kinetic energy of the bodies, relative to the body that anchors the tree or,
/// if there is none, to their centre of mass.
double energy_of(const Cluster& cluster, const JointTree& tree) {
  const JointTrees& trees = cluster.joint_solver.trees;
  const auto velocity_of = [&](std::uint32_t i) -> const SolverVelocity& {
    return cluster.solver.velocities[trees.bodies[i]];
  };
  math::Vec3d middle = math::widened(cluster.solver.velocities[tree.anchor].linear);
  if (!tree.is_anchored) {
    double mass = 0;
    middle = {};
    for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i) {
      const double own = 1.0 / static_cast<double>(velocity_of(i).inverse_mass);
      middle = middle + math::widened(velocity_of(i).linear) * own;
      mass += own;
    }
    middle = middle * (1.0 / mass);
  }
  double sum = 0;
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i) {
    const math::Vec3d v = math::widened(velocity_of(i).linear) - middle;
    sum += math::dot(v, v) / static_cast<double>(velocity_of(i).inverse_mass);
    sum += turning_energy(cluster, trees.bodies[i]);
  }
  return sum;
}

/// Returns the share of the prediction that is used (joint_trees.h). It is 1 if the prediction's
/// energy `ahead` is at most 2 % of the energy `motion` of the bodies, and falls to 0 at 8 %.
double share_believed(double ahead, double motion) {
  constexpr double all = 0.02, none = 0.08;
  if (ahead <= all * motion) return 1;
  return ahead < none * motion ? (none - ahead / motion) / (none - all) : 0;  // 0 also for NaN
}

/// Adds `factor` times the velocity changes in JointTrees::changes, with the share `share` of the
/// second solution, to the velocities of the bodies.
void add_changes(Cluster& cluster, const JointTree& tree, double factor, double share) {
  const JointTrees& trees = cluster.joint_solver.trees;
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i) {
    const TwoVelocities& change = trees.changes[trees.bodies[i]];
    SolverVelocity& velocity = cluster.solver.velocities[trees.bodies[i]];
    const auto plus = [&](float& value, TwoValues by) {
      value = static_cast<float>(static_cast<double>(value) + factor * by.with_share(share));
    };
    plus(velocity.linear.x, change[0]);
    plus(velocity.linear.y, change[1]);
    plus(velocity.linear.z, change[2]);
    plus(velocity.angular.x, change[3]);
    plus(velocity.angular.y, change[4]);
    plus(velocity.angular.z, change[5]);
  }
}

/// Returns the velocity error that a row must remove, with the share `share` of its predicted part.
/// If `share` is 0, the predicted part may be NaN and is not used.
double target_speed(const TreeRow& row, double share) {
  return share > 0 ? row.speed + share * row.ahead : row.speed;
}

/// Returns the largest position error that the current velocities would lead to, m or rad, with the
/// share `share` of the prediction.
double failure_ahead(const JointTrees& trees, const JointTree& tree, double share, float h) {
  double most = 0;
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    const TreeEdge& edge = trees.edges[i];
    for (std::size_t k = 0; k < edge.row_count; ++k)
      most = math::max_of(most, std::abs(target_speed(edge.all_rows[k], share)));
  }
  return most * static_cast<double>(h);
}

/// Sets JointTree::is_settled, which ends the repeated solutions of a tree. It is true if the
/// predicted error is below 50 nm or 50 nrad, or if the last solution reduced the error by less
/// than a tenth. The latter happens if joints contradict each other.
void evaluate_prediction(const Cluster& cluster, JointTree& tree) {
  constexpr double nothing = 5e-8;
  const double failure = failure_ahead(cluster.joint_solver.trees, tree, tree.believed,
                                       cluster.solver.substep_seconds);
  tree.is_settled = failure < nothing || !(failure < 0.9 * tree.failure);
  tree.failure = failure;
}

void solve_tree(Cluster& cluster, JointTree& tree, JointPhase phase, bool is_first) {
  JointTrees& trees = cluster.joint_solver.trees;
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    if (is_first) forget_impulses(cluster, trees.edges[i], phase);
    read_speeds(cluster, trees.edges[i], phase);
  }
  // Before the first solution, the velocities are those of unconnected bodies, from which the
  // rotation of arms within the substep cannot be predicted.
  const bool uses_prediction = phase == HoldPhase && !is_first;
  if (uses_prediction) {
    evaluate_prediction(cluster, tree);
    if (tree.is_settled && !tree.has_others) return;
  }
  solve_both(trees, tree);
  count_work(cluster.world.stats.work.tree_solutions, tree.last_edge - tree.first_edge);
  double share = 0;
  if (uses_prediction) {
    share = share_believed(energy_ahead(trees, tree), energy_of(cluster, tree));
    tree.believed = share < tree.believed ? share : tree.believed;
    share = tree.believed;
  }
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i)
    add_impulses(cluster, trees.edges[i], phase, share);
  add_changes(cluster, tree, 1, share);
}

/// Position errors of all joints of a tree.
struct TreeFailure {
  double size = 0;  // root of the sum of squares, m and rad
  bool is_too_much = false;
};
/// Returns the sum of the squared errors of an edge's joints. Sets `failure.is_too_much` if one of
/// these joints exceeds the tolerance.
template <typename Row>
double add_failures(std::span<Row> rows, TreeFailure& failure) {
  constexpr double gap = mended_gap, turn = mended_turn;
  double sum = 0;
  for (std::size_t k = 0; k < rows.size();) {
    const std::uint32_t part = rows[k].part;
    double linear = 0, angular = 0;
    for (; k < rows.size() && rows[k].part == part; ++k)
      (rows[k].direction.linear == Vec3{} ? angular : linear) += rows[k].speed * rows[k].speed;
    failure.is_too_much |= linear > gap * gap || angular > turn * turn;
    sum += linear + angular;
  }
  return sum;
}

TreeFailure failure_of(JointTrees& trees, const JointTree& tree) {
  TreeFailure failure;
  double sum = 0;
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    TreeEdge& edge = trees.edges[i];
    sum += edge.is_shared() ? add_failures<TreeSource>(trees.sources_of(edge), failure)
                            : add_failures<TreeRow>(edge.rows(), failure);
  }
  failure.size = std::sqrt(sum);
  return failure;
}

/// Returns an upper bound of the part of an arm's displacement that is not linear in the body's
/// rotation θ: r·θ²/2. Returns 0 for the immovable body.
double beyond_linear(const JointTrees& trees, std::uint32_t body, math::Vec3 arm) {
  const TwoVelocities& c = trees.changes[body];
  const double x = c[3].first(), y = c[4].first(), z = c[5].first();
  const double turned = x * x + y * y + z * z;
  return body == 0 ? 0 : 0.5 * turned * static_cast<double>(length(arm));
}

/// Returns the share s of a position correction that leaves the smallest error (1 − s)·e + s²·c.
/// Here e is the linear error (`asked`), and c the non-linear error that the whole correction would
/// cause. For example, the links of a taut chain between two posts can only turn, and their ends
/// are then displaced by the square of the rotation.
double best_share(const Cluster& cluster, const JointTree& tree, double asked) {
  const JointTrees& trees = cluster.joint_solver.trees;
  double beyond = 0;
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    const TreeEdge& edge = trees.edges[i];
    for (std::uint32_t k = edge.first_part; k < edge.last_part; ++k) {
      const TreePart& part = trees.parts[k];
      const JointBundle& bundle = cluster.joint_solver.bundles[part.bundle];
      const math::Vec3 arm_a = vector_of(bundle.arm_a, part.lane),
                       arm_b = vector_of(bundle.arm_b, part.lane);
      const double both = beyond_linear(trees, edge.parent, part.is_parent_a ? arm_a : arm_b) +
                          beyond_linear(trees, edge.child, part.is_parent_a ? arm_b : arm_a);
      beyond += both * both;
    }
  }
  beyond = std::sqrt(beyond);
  return 2 * beyond > asked ? asked / (2 * beyond) : 1;
}

/// Corrects the positions of a tree, and returns the share of the correction that was applied
/// (best_share). Does nothing and returns 1 if no joint exceeds the tolerance. Otherwise all errors
/// are corrected, not only those above the tolerance: in a taut chain, correcting one joint alone
/// would increase the errors of others. `now` is the time of the move (MendingView).
double mend(Cluster& cluster, const JointTree& tree, std::uint32_t now) {
  JointTrees& trees = cluster.joint_solver.trees;
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i)
    read_speeds(cluster, trees.edges[i], RelaxPhase);
  const TreeFailure failure = failure_of(trees, tree);
  if (!failure.is_too_much) return 1;
  solve_both(trees, tree);
  const double share = best_share(cluster, tree, failure.size);
  add_changes(cluster, tree, share, 0);
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i)
    cluster.joint_solver.moved[trees.bodies[i]] = now;
  return share;
}

}  // namespace

void begin_hold(JointTrees& trees) {
  for (JointTree& tree : trees.trees) {
    tree.believed = 1;
    tree.is_settled = false;
    tree.failure = std::numeric_limits<double>::max();
  }
}

void solve_joint_trees(Cluster& cluster, JointPhase phase, int pass) {
  JointTrees& trees = cluster.joint_solver.trees;
  cluster.workers.for_each_block(
      static_cast<std::uint32_t>(trees.trees.size()), [&](std::uint32_t i) {
        JointTree& tree = trees.trees[i];
        // One solution removes velocity errors, which are linear. The predicted rotation of the
        // arms is not linear and needs several solutions.
        const bool is_open =
            tree.has_others ? pass <= joint_hold_passes : phase == HoldPhase && !tree.is_settled;
        if (pass == 0 || is_open) solve_tree(cluster, tree, phase, pass == 0);
      });
}

bool has_unsettled(const JointTrees& trees) {
  return std::ranges::any_of(
      trees.trees, [](const JointTree& tree) { return !tree.has_others && !tree.is_settled; });
}

void mend_joint_trees(Cluster& cluster, const MendingView& mending) {
  JointTrees& trees = cluster.joint_solver.trees;
  cluster.workers.for_each_block(
      static_cast<std::uint32_t>(trees.trees.size()), [&](std::uint32_t i) {
        JointTree& tree = trees.trees[i];
        if (!was_moved(cluster, tree, tree.looked)) return;
        // If only a part of the correction was applied, the tree is not checked again before the
        // next measurement.
        tree.looked = mend(cluster, tree, mending.now) < 1 ? no_index : mending.now;
      });
}

}  // namespace jostle::physics
