#include "shared/physics/solver/refine_islands.h"

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/cluster.h"

#include <algorithm>

namespace jostle::physics {
namespace {

/// Maximum rotation of a link in a substep, in rad.
constexpr float refined_turn = 0.04f;
/// Maximum product of the number of substeps and the number of edges. It bounds the cost of an
/// island: with four substeps, three links are refined up to 32 times, and chains above 64 links
/// not at all.
constexpr std::size_t max_edge_substeps = 512;
/// Rotation per substep, at the start of the step, below which an island is not examined. A
/// whip that becomes more than three times as fast within one step is missed.
constexpr float examined_turn = refined_turn / 3;

/// Returns the squared angular speed of a body if it moves the anchor at the end of `arm`: the
/// squared speed of the anchor about the centre of mass, divided by the squared arm.
double squared_turn(const Cluster& cluster, std::uint32_t body, const double (&arm)[3]) {
  if (body == 0) return 0;
  const math::Vec3d r{arm[0], arm[1], arm[2]};
  const double squared = dot(r, r);
  if (!(squared > 0)) return 0;
  const math::Vec3d v = cross(math::widened(cluster.solver.velocities[body].angular), r);
  return dot(v, v) / squared;
}

/// Returns the largest squared angular speed of the cluster's links.
double squared_turn(const Cluster& cluster) {
  const JointTrees& trees = cluster.joint_solver.trees;
  double most = 0;
  for (const JointTree& tree : trees.trees) {
    for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
      const TreeEdge& edge = trees.edges[i];
      most = std::max({most, squared_turn(cluster, edge.parent, edge.parent_arm),
                       squared_turn(cluster, edge.child, edge.child_arm)});
    }
  }
  return most;
}

/// Returns true if the last substep did not use the full prediction of a tree, or the prediction
/// did not converge.
bool is_unpredicted(const JointTree& tree) {
  return tree.believed < 1 || !tree.is_settled;
}
bool has_others(const JointTree& tree) {
  return tree.has_others;
}

bool turns_fast(const WorldState& world, BodyHandle handle, float least) {
  const Body& body = world.bodies[handle.index];
  return is_active(body) && is_dynamic(body) &&
         length_squared(body.angular_velocity) > least * least;
}

}  // namespace

void find_refinable_islands(WorldState& world) {
  ClusterLists& lists = world.clusters;
  const WorldOptions& options = world.options;
  const float least = examined_turn * static_cast<float>(options.substeps) / options.step_seconds;
  bool has_any = false;
  for (std::size_t i = 0; i < lists.joined.size(); ++i) {
    const JointRecord& joint = world.joints[world.awake_joints[i]];
    Island& island = lists.islands[lists.first_body[lists.joined[i]]];
    if (joint.tree == no_index || island.contact_count > 0 || island.may_be_refined) continue;
    const JointDef& def = joint.solved();
    island.may_be_refined =
        turns_fast(world, def.body_a, least) || turns_fast(world, def.body_b, least);
    has_any |= island.may_be_refined;
  }
  for (std::size_t i = 0; has_any && i < lists.joined.size(); ++i) {
    if (world.joints[world.awake_joints[i]].tree == no_index)
      lists.islands[lists.first_body[lists.joined[i]]].may_be_refined = false;
  }
}

bool refine_cluster(Cluster& cluster) {
  const std::vector<JointTree>& trees = cluster.joint_solver.trees.trees;
  if (trees.empty() || std::ranges::any_of(trees, has_others)) return false;
  const auto substep = static_cast<double>(cluster.solver.substep_seconds);
  const double limit = static_cast<double>(refined_turn) * static_cast<double>(refined_turn);
  double turn = squared_turn(cluster) * (substep * substep);
  bool is_too_long = turn > limit || std::ranges::any_of(trees, is_unpredicted);
  const std::size_t edges = std::max<std::size_t>(cluster.joint_solver.trees.edges.size(), 1);
  const std::uint32_t before = cluster.refinement;
  while (is_too_long &&
         2 * edges * static_cast<std::size_t>(cluster.substeps()) <= max_edge_substeps) {
    cluster.refinement *= 2;
    turn *= 0.25;
    is_too_long = turn > limit;
  }
  return cluster.refinement != before;
}

}  // namespace jostle::physics
