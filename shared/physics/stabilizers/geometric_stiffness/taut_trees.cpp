#include "shared/physics/stabilizers/geometric_stiffness/taut_trees.h"

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/kernels/kernel_table.h"
#include "shared/physics/stabilizers/articulations/joint_trees.h"

#include <algorithm>

namespace jostle::physics {
namespace {

using math::Vec3;

/// Ratio of the response in the fastest oscillation of a chain to the response R of a single link.
/// In that oscillation, neighbouring links turn in opposite directions, and each helps the others
/// to turn. For a long chain of equal links of mass m and length l the responses are 12/(m·l²) and
/// 6·(√3 − 1)/(m·l²), so that the ratio is 2.7.
constexpr double neighbour_factor = 3;

/// Maximum number of edges of a tree. In longer chains, most links have several similar neighbours.
/// Their factor times their response is not below their own inverse inertia.
constexpr std::uint32_t max_edges = 8;

bool is_long(const JointTree& tree) {
  return tree.last_edge - tree.first_edge > max_edges;
}

/// Returns tr R − r̂ᵀ·R·r̂ for the angular part R of F.
double turning_response(const TreeResponse& response, Vec3 arm) {
  const math::Vec3d r = math::widened(arm);
  const double squared = dot(r, r);
  if (!(squared > 0)) return 0;
  const double components[3] = {r.x, r.y, r.z};
  double trace = 0, along = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const auto& column = response.columns[i + 3];
    trace += column[4 + i];
    for (std::size_t k = 0; k < 3; ++k)
      along += components[i] * components[k] * column[4 + k];
  }
  return std::max(0.0, trace - along / squared);
}

/// Returns the force impulse on b that a joint applied in both phases of the previous substep, with
/// the rows of a distance joint.
Vec3 pull_of(const JointBundle& bundle, const TreePart& part) {
  Vec3 pull = vector_of(bundle.linear[HoldPhase], part.lane) +
              vector_of(bundle.linear[RelaxPhase], part.lane);
  const JointClass joint = joint_classes[part.joint_class];
  if (!joint.has_rows || joint.kind != JointKind::Distance) return pull;
  float along = 0;
  for (std::size_t phase = 0; phase < joint_phase_count; ++phase) {
    const auto row = [&](JointRowKind kind) {
      return bundle.axis.impulse[phase][static_cast<std::size_t>(kind)][part.lane];
    };
    along += row(JointRowKind::Motor) + row(JointRowKind::Spring) + row(JointRowKind::Lower) -
             row(JointRowKind::Upper);
  }
  return pull + vector_of(bundle.axis.row.direction, part.lane) * along;
}

bool is_taut(const Cluster& cluster, const JointTree& tree) {
  const JointTrees& trees = cluster.joint_solver.trees;
  for (std::uint32_t i = tree.first_body; i < tree.last_body; ++i)
    if (cluster.solver.velocities[trees.bodies[i]].tautness > max_tautness) return true;
  return false;
}

/// Adds the tautness of one body by one joint: removes the part by the body's own inertia, and adds
/// that by its response F.
void limit_tautness(Cluster& cluster, std::uint32_t body, Vec3 pull, Vec3 arm, float by_own) {
  if (body == 0 || by_own == 0.0f) return;
  SolverVelocity& velocity = cluster.solver.velocities[body];
  const float along = math::max_of(dot(pull, arm), 0.0f);
  const double by_response = static_cast<double>(cluster.solver.substep_seconds) *
                             neighbour_factor *
                             turning_response(cluster.joint_solver.trees.full_responses[body], arm);
  velocity.tautness -= along * math::max_of(by_own - static_cast<float>(by_response), 0.0f);
}

void limit_tautness(Cluster& cluster, const JointTree& tree) {
  if (tree.has_others || is_long(tree) || !is_taut(cluster, tree)) return;
  const JointTrees& trees = cluster.joint_solver.trees;
  cluster.world.runtime.kernels->joints.trees.respond(make_tree_view(cluster), tree);
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    const TreeEdge& edge = trees.edges[i];
    for (std::uint32_t k = edge.first_part; k < edge.last_part; ++k) {
      const TreePart& part = trees.parts[k];
      if (!can_be_taut(joint_classes[part.joint_class])) continue;
      const JointBundle& bundle = cluster.joint_solver.bundles[part.bundle];
      const Vec3 pull = pull_of(bundle, part);
      limit_tautness(cluster, bundle.a[part.lane], -pull, vector_of(bundle.arm_a, part.lane),
                     bundle.taut_a[part.lane]);
      limit_tautness(cluster, bundle.b[part.lane], pull, vector_of(bundle.arm_b, part.lane),
                     bundle.taut_b[part.lane]);
    }
  }
}

}  // namespace

void limit_tautness_by_trees(Cluster& cluster) {
  JointTrees& trees = cluster.joint_solver.trees;
  if (trees.trees.empty()) return;
  trees.full_responses.resize(cluster.solver.bodies.size());
  cluster.workers.for_each_block(static_cast<std::uint32_t>(trees.trees.size()),
                                 [&](std::uint32_t i) { limit_tautness(cluster, trees.trees[i]); });
}

}  // namespace jostle::physics
