#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/count_work.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/joint_rows.h"
#include "shared/physics/solver/kernels/kernel_table.h"
#include "shared/physics/stabilizers/articulations/joint_trees.h"
#include "shared/physics/stabilizers/articulations/tree_lanes.h"
#include "shared/physics/stabilizers/geometric_stiffness/taut_ropes.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

namespace jostle::physics {

using kernels::with_share;
using math::Vec3;

namespace {

/// Returns twice the rotational energy of a body; 0 if the inverse inertia is singular.
double turning_energy(const Cluster& cluster, std::uint32_t body) {
  const math::Vec3d w = math::widened(cluster.solver.velocities[body].angular);
  return doubled_energy(own_mass(cluster, body), {0, 0, 0, w.x, w.y, w.z});
}

double along(const TreeDirection& direction, Vec3 linear, Vec3 angular) {
  return static_cast<double>(math::dot(direction.linear, linear)) +
         static_cast<double>(math::dot(direction.angular, angular));
}

/// Returns the direction of a row of an edge.
TreeDirection direction_of(const TreeEdge& edge, std::size_t row) {
  const auto& of = edge.directions;
  return {{of[0][row], of[1][row], of[2][row]}, {of[3][row], of[4][row], of[5][row]}};
}

/// Velocity errors of a joint: those that the phase must remove without their predicted part, and
/// the predicted part.
struct PartErrors {
  Vec3 anchors, turns, ahead_anchors, ahead_turns;

  double speed_along(const TreeDirection& direction) const {
    return along(direction, anchors, turns);
  }
  double ahead_along(const TreeDirection& direction) const {
    return along(direction, ahead_anchors, ahead_turns);
  }
};
PartErrors errors_of(const Cluster& cluster, const TreePart& part, JointPhase phase) {
  const JointBundle& bundle = cluster.joint_solver.bundles[part.bundle];
  PartErrors errors{
      vector_of(bundle.asked_anchors, part.lane), vector_of(bundle.asked_turns, part.lane), {}, {}};
  if (phase == HoldPhase) {
    errors.ahead_anchors = vector_of(bundle.ahead_anchors, part.lane);
    errors.ahead_turns = vector_of(bundle.ahead_turns, part.lane);
  }
  return errors;
}

/// Fills TreeEdge::errors of a shared edge.
void read_shared_errors(Cluster& cluster, TreeEdge& edge, JointPhase phase) {
  JointTrees& trees = cluster.joint_solver.trees;
  for (double(&errors)[8] : edge.errors)
    std::fill(std::begin(errors), std::end(errors), 0.0);
  for (TreeSource& source : trees.sources_of(edge)) {
    const PartErrors errors = errors_of(cluster, trees.parts[source.part], phase);
    source.speed = errors.speed_along(source.direction);
    const double ahead = errors.ahead_along(source.direction);
    for (std::size_t k = 0; k < edge.row_count; ++k) {
      edge.errors[0][k] += source.weights[k] * source.speed;
      edge.errors[1][k] += source.weights[k] * ahead;
    }
  }
}

/// Calls `visit(edge)` for each shared edge of a tree.
template <typename Visit>
void for_each_shared(Cluster& cluster, const JointTree& tree, const Visit& visit) {
  if (!tree.has_shared) return;
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    TreeEdge& edge = cluster.joint_solver.trees.edges[i];
    if (edge.is_shared()) visit(edge);
  }
}

/// Fills TreeEdge::errors of all edges, the predicted parts only if `has_ahead`. Returns the
/// largest error with the share JointTree::believed of the predicted part.
double read_errors(Cluster& cluster, const JointTree& tree, JointPhase phase, bool has_ahead) {
  const TreeKernelTable& kernels = cluster.world.runtime.kernels->joints.trees;
  const double share = has_ahead ? tree.believed : 0;
  double most = kernels.read_errors[has_ahead ? 1 : 0](make_tree_view(cluster), tree, share);
  for_each_shared(cluster, tree, [&](TreeEdge& edge) {
    read_shared_errors(cluster, edge, phase);
    for (std::size_t k = 0; k < edge.row_count; ++k)
      most = std::max(most, std::abs(with_share(edge.errors, k, share)));
  });
  return most;
}

/// Maximum number of solutions with a corrected set of taut ropes.
constexpr int max_rope_rounds = 16;

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

/// Adds the impulses of a shared edge to the bundles of its joints.
void add_shared_impulses(Cluster& cluster, const TreeEdge& edge, JointPhase phase, double share) {
  JointTrees& trees = cluster.joint_solver.trees;
  for (const TreeSource& source : trees.sources_of(edge)) {
    double impulse = 0;
    for (std::size_t k = 0; k < edge.row_count; ++k)
      impulse += source.weights[k] * with_share(edge.impulses, k, share);
    add_impulse(cluster, trees.parts[source.part], phase,
                math::widened(source.direction.linear) * impulse,
                math::widened(source.direction.angular) * impulse);
  }
}

/// Adds the impulses of a tree to the bundles of its joints. If `is_first`, the impulses of the
/// phase are replaced.
void add_impulses(Cluster& cluster, const JointTree& tree, JointPhase phase, double share,
                  bool is_first) {
  const TreeKernelTable& kernels = cluster.world.runtime.kernels->joints.trees;
  kernels.add_impulses[phase](make_tree_view(cluster), tree, share, is_first);
  for_each_shared(cluster, tree, [&](const TreeEdge& edge) {
    for (std::uint32_t i = edge.first_part; is_first && i < edge.last_part; ++i)
      forget_impulse(cluster, cluster.joint_solver.trees.parts[i], phase);
    add_shared_impulses(cluster, edge, phase, share);
  });
}

/// Returns twice the kinetic energy of the bodies' translation, relative to the body that anchors
/// the tree or, if there is none, to their centre of mass.
double translation_energy(const Cluster& cluster, const JointTree& tree) {
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
  }
  return sum;
}

/// Returns the share of the prediction that is used (joint_trees.h). `ahead` is the prediction's
/// energy aᵀ·(J·M⁻¹·Jᵀ + Σ)⁻¹·a: twice the energy that the bodies would gain if the predicted
/// errors a were removed. The share is 1 if this is at most 2 % of the energy of the bodies'
/// motion, and falls to 0 at 8 %.
double share_believed(const Cluster& cluster, const JointTree& tree, double ahead) {
  constexpr double all = 0.02, none = 0.08;
  double motion = translation_energy(cluster, tree);
  if (ahead <= all * motion) return 1;
  const JointTrees& trees = cluster.joint_solver.trees;
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i)
    motion += turning_energy(cluster, trees.bodies[i]);
  if (ahead <= all * motion) return 1;
  return ahead < none * motion ? (none - ahead / motion) / (none - all) : 0;  // 0 also for NaN
}

/// Sets JointTree::is_settled, which ends the repeated solutions of a tree. It is true if the
/// predicted error is below 50 nm or 50 nrad and below 12 µm/s or 12 µrad/s, or if the last
/// solution reduced the error by less than a tenth. The latter happens if joints contradict each
/// other. `speed` is the largest error, m/s or rad/s.
void evaluate_prediction(const Cluster& cluster, JointTree& tree, double speed) {
  constexpr double nothing = 5e-8, no_speed = 1.2e-5;
  const double failure = speed * static_cast<double>(cluster.solver.substep_seconds);
  tree.is_settled = (failure < nothing && speed < no_speed) || !(failure < 0.9 * tree.failure);
  tree.failure = failure;
}

/// Solves the equations of a tree for the errors in its edges. Returns the share of the prediction
/// that is used.
double solve_equations(Cluster& cluster, JointTree& tree, bool uses_prediction) {
  const TreeKernelTable& kernels = cluster.world.runtime.kernels->joints.trees;
  const double ahead = -kernels.solve[uses_prediction ? 1 : 0](make_tree_view(cluster), tree);
  count_work(cluster.world.stats.work.tree_solutions, tree.last_edge - tree.first_edge);
  if (!uses_prediction) return 0;
  tree.believed = std::min(tree.believed, share_believed(cluster, tree, ahead));
  return tree.believed;
}

void solve_tree(Cluster& cluster, JointTree& tree, JointPhase phase, bool is_first) {
  const bool uses_prediction = phase == HoldPhase;
  if (is_first && tree.has_ropes && choose_taut_ropes(cluster, tree, phase))
    factor_tree(cluster, tree);
  const double error = read_errors(cluster, tree, phase, uses_prediction);
  if (uses_prediction && !is_first) {
    evaluate_prediction(cluster, tree, error);
    if (tree.is_settled && !tree.has_others) return;
  }
  double share = solve_equations(cluster, tree, uses_prediction);
  for (int round = 0; round < max_rope_rounds && is_first && tree.has_ropes; ++round) {
    if (!correct_taut_ropes(cluster, tree, phase, share, round)) break;
    factor_tree(cluster, tree);
    read_errors(cluster, tree, phase, uses_prediction);
    share = solve_equations(cluster, tree, uses_prediction);
  }
  add_impulses(cluster, tree, phase, share, is_first);
  cluster.world.runtime.kernels->joints.trees.add_changes(make_tree_view(cluster), tree, 1, share);
}

/// Position errors of all joints of a tree.
struct TreeFailure {
  double size = 0;  // root of the sum of squares, m and rad
  bool is_too_much = false;
};
/// Squared errors of a joint, m² and rad².
struct SquaredErrors {
  double linear = 0, angular = 0;

  void add(const TreeDirection& direction, double error) {
    (direction.linear == Vec3{} ? angular : linear) += error * error;
  }
  /// Adds the errors to `sum`, and updates `failure.is_too_much`.
  void add_to(double& sum, TreeFailure& failure) const {
    const double gap = mended_gap, turn = mended_turn;
    failure.is_too_much |= linear > gap * gap || angular > turn * turn;
    sum += linear + angular;
  }
};

/// Returns the sum of the squared errors of an edge's joints. Sets `failure.is_too_much` if one of
/// these joints exceeds the tolerance.
double add_failures(JointTrees& trees, const TreeEdge& edge, TreeFailure& failure) {
  double sum = 0;
  if (!edge.is_shared()) {
    SquaredErrors errors;
    for (std::size_t k = 0; k < edge.row_count; ++k)
      errors.add(direction_of(edge, k), edge.errors[0][k]);
    errors.add_to(sum, failure);
    return sum;
  }
  const std::span<const TreeSource> sources = trees.sources_of(edge);
  for (std::size_t k = 0; k < sources.size();) {
    SquaredErrors errors;
    const std::uint32_t part = sources[k].part;
    for (; k < sources.size() && sources[k].part == part; ++k)
      errors.add(sources[k].direction, sources[k].speed);
    errors.add_to(sum, failure);
  }
  return sum;
}

TreeFailure failure_of(JointTrees& trees, const JointTree& tree) {
  TreeFailure failure;
  double sum = 0;
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    sum += add_failures(trees, trees.edges[i], failure);
  }
  failure.size = std::sqrt(sum);
  return failure;
}

/// Returns an upper bound of the part of an arm's displacement that is not linear in the body's
/// rotation θ: r·θ²/2. Returns 0 for the immovable body.
double beyond_linear(const JointTrees& trees, std::uint32_t body, math::Vec3 arm) {
  const auto& change = trees.changes[body].of[0];
  const double x = change[4], y = change[5], z = change[6];
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
  read_errors(cluster, tree, RelaxPhase, false);
  const TreeFailure failure = failure_of(trees, tree);
  if (!failure.is_too_much) return 1;
  const TreeKernelTable& kernels = cluster.world.runtime.kernels->joints.trees;
  const TreeView view = make_tree_view(cluster);
  kernels.solve[0](view, tree);
  const double share = best_share(cluster, tree, failure.size);
  kernels.add_changes(view, tree, share, 0);
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
