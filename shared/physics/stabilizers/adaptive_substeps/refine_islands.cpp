#include "shared/physics/stabilizers/adaptive_substeps/refine_islands.h"

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/joint_rows.h"

#include <algorithm>
#include <cmath>

namespace jostle::physics {
namespace {

/// Maximum rotation of a link in a substep, in rad, for two links. The error of a link's energy
/// grows with the square of its rotation, and one of n links has about 1/n of the energy. With a
/// limit in proportion to √n, the relative error of the energy does not depend on n.
constexpr float refined_turn = 0.04f;
/// Maximum relative error of the energy with which an impact starts.
constexpr double refined_energy = 5e-4;
/// Maximum product of the number of edges and the number of substeps per second of simulated time.
/// It bounds the cost of an island: with 240 substeps per second, three links are refined up to 32
/// times, and chains above 66 links not at all.
constexpr float max_edge_rate = 32'000.0f;
/// Rotation per step, at the speed at the start of the step, up to which an island that does not
/// bounce is not examined, in rad. Slower links do not become fast within one step: two links of
/// the length l that are pulled straight at the speed v turn at v/(l·φ) at the angle φ, and whip
/// after about l·φ²/(2·v).
constexpr float examined_turn = 0.05f;

/// Returns true if an island may have twice as many substeps, each half as long as `substep`.
bool may_have_twice(std::size_t edges, float substep) {
  return 2 * static_cast<float>(edges) <= max_edge_rate * substep;
}

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

/// Returns the squared angular speed of the line between the anchors, if the joint is a taut rod or
/// rope.
double squared_turn_of_rod(const Cluster& cluster, const TreePart& part) {
  if (joint_classes[part.joint_class].kind != JointKind::Distance) return 0;
  const JointBundle& bundle = cluster.joint_solver.bundles[part.bundle];
  if (bundle.is_rod[part.lane] == 0.0f) return 0;
  const SolverVelocity& a = cluster.solver.velocities[bundle.a[part.lane]];
  const SolverVelocity& b = cluster.solver.velocities[bundle.b[part.lane]];
  const math::Vec3 speed = b.linear + cross(b.angular, vector_of(bundle.arm_b, part.lane)) -
                           a.linear - cross(a.angular, vector_of(bundle.arm_a, part.lane));
  const math::Vec3d rod = math::widened(vector_of(bundle.apart, part.lane));
  const math::Vec3d across = cross(rod, math::widened(speed));
  const double squared = dot(rod, rod);
  return squared > 0 ? dot(across, across) / (squared * squared) : 0;
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
      for (std::uint32_t k = edge.first_part; k < edge.last_part; ++k)
        most = std::max(most, squared_turn_of_rod(cluster, trees.parts[k]));
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

bool turns_fast(const Body& body, float least) {
  return is_active(body) && is_dynamic(body) &&
         length_squared(body.angular_velocity) > least * least;
}

/// Returns true if a body of the joint, or the joint's rod, turns faster than `least`, in rad/s.
bool turns_fast(const WorldState& world, const JointDef& def, float least) {
  const Body &a = world.bodies[def.body_a.index], &b = world.bodies[def.body_b.index];
  if (turns_fast(a, least) || turns_fast(b, least)) return true;
  if (def.kind != JointKind::Distance) return false;
  const float speed = least * (is_rope(def) ? def.limits.upper : def.rest);
  return length_squared(b.linear_velocity - a.linear_velocity) > speed * speed;
}

/// Returns true if a joint is an equation of a tree and nothing else.
bool is_equation(const JointRecord& joint) {
  const JointDef& def = joint.solved();
  return joint.tree != no_index && (!has_acting_rows(def) || is_rope(def));
}

}  // namespace

void find_refinable_islands(WorldState& world) {
  ClusterLists& lists = world.clusters;
  const WorldOptions& options = world.options;
  const float least = examined_turn / options.step_seconds;
  const float substep = options.step_seconds / static_cast<float>(options.substeps);
  const auto island_of = [&](std::uint32_t body) -> Island& {
    return lists.islands[lists.first_body[body]];
  };
  for (const ActingContact& contact : lists.acting) {
    Island& island = island_of(contact.moving_body());
    (contact.has_restitution ? island.bounces : island.is_damped) = true;
  }
  for (std::size_t i = 0; i < lists.joined.size(); ++i) {
    const JointRecord& joint = world.joints[world.awake_joints[i]];
    Island& island = island_of(lists.joined[i]);
    if (!is_equation(joint)) island.is_damped = true;
    if (island.is_damped) continue;
    if (!may_have_twice(island.joint_count + island.contact_count, substep)) continue;
    island.may_be_refined |= island.bounces || turns_fast(world, joint.solved(), least);
  }
  for (const std::uint32_t body : lists.joined) {
    Island& island = island_of(body);
    island.may_be_refined = island.may_be_refined && !island.is_damped;
  }
}

void note_energies(Cluster& cluster) {
  cluster.impact_error = 0;
  if (!cluster.may_be_refined || !cluster.solver.has_restitution) return;
  std::vector<double>& energies = cluster.solver.energies_before;
  energies.assign(cluster.solver.bodies.size(), 0);
  for (std::uint32_t body = 1; body < energies.size(); ++body) {
    if (!cluster.solver.bodies[body].is_dynamic) continue;
    const math::Vec3d v = math::widened(cluster.solver.velocities[body].linear),
                      w = math::widened(cluster.solver.velocities[body].angular);
    energies[body] = doubled_energy(own_mass(cluster, body), {v.x, v.y, v.z, w.x, w.y, w.z});
  }
}

void compare_energies(Cluster& cluster, std::span<const std::uint32_t> bodies, double energy) {
  if (!cluster.may_be_refined) return;
  // More substeps do not help bodies with locks: their impacts then gain energy.
  const auto is_locked = [&](std::uint32_t body) { return cluster.solver.bodies[body].locks != 0; };
  if (std::ranges::any_of(bodies, is_locked)) return;
  double before = 0;
  for (const std::uint32_t body : bodies)
    before += cluster.solver.energies_before[body];
  if (before > 0)
    cluster.impact_error = std::max(cluster.impact_error, std::abs(energy - before) / before);
}

bool refine_cluster(Cluster& cluster) {
  const std::vector<JointTree>& trees = cluster.joint_solver.trees.trees;
  if (trees.empty() || std::ranges::any_of(trees, has_others)) return false;
  float substep = cluster.solver.substep_seconds;
  const auto speed = static_cast<float>(std::sqrt(squared_turn(cluster)));
  const std::size_t edges = std::max<std::size_t>(cluster.joint_solver.trees.edges.size(), 1);
  const float most_turn =
      refined_turn * std::sqrt(std::max(0.5f * static_cast<float>(edges), 1.0f));
  bool is_too_long = cluster.impact_error > refined_energy || speed * substep > most_turn ||
                     std::ranges::any_of(trees, is_unpredicted);
  const std::uint32_t before = cluster.refinement;
  while (is_too_long && may_have_twice(edges, substep)) {
    cluster.refinement *= 2;
    substep *= 0.5f;
    is_too_long = speed * substep > most_turn;
  }
  return cluster.refinement != before;
}

}  // namespace jostle::physics
