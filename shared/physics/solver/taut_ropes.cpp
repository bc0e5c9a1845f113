#include "shared/physics/solver/taut_ropes.h"

#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/joint_trees.h"
#include "shared/physics/solver/kernels/tree_lanes.h"

namespace jostle::physics {
namespace {

/// A rope of a tree: its edge and its place in a bundle.
struct TreeRope {
  const TreeEdge& edge;
  JointBundle& bundle;
  std::size_t lane;

  bool is_taut() const { return bundle.is_rod[lane] != 0.0f; }
  void set_taut(bool is_taut) const { bundle.is_rod[lane] = is_taut ? 1.0f : 0.0f; }
  /// Returns the part of `v` along the rope, times the length of the rope.
  double along(const math::Vec3& v) const {
    return static_cast<double>(dot(v, vector_of(bundle.apart, lane)));
  }
};

template <typename Visit>
void for_each_rope(Cluster& cluster, const JointTree& tree, const Visit& visit) {
  JointTrees& trees = cluster.joint_solver.trees;
  for (std::uint32_t i = tree.first_edge; i < tree.last_edge; ++i) {
    const TreeEdge& edge = trees.edges[i];
    const TreePart& part = trees.parts[edge.first_part];
    JointBundle& bundle = cluster.joint_solver.bundles[part.bundle];
    if ((bundle.rope_lanes >> part.lane & 1U) != 0) visit(TreeRope{edge, bundle, part.lane});
  }
}

/// Returns true if a rope may be taut at the end of the substep: without impulses it would be
/// longer, or almost as long. In the relax phase: if it pulled in the biased solve.
bool may_be_taut(const TreeRope& rope, JointPhase phase, double substep) {
  constexpr double near = 0.02;
  if (phase == RelaxPhase)
    return rope.along(vector_of(rope.bundle.linear[HoldPhase], rope.lane)) < 0;
  const double length = rope.along(vector_of(rope.bundle.apart, rope.lane));
  const double asked = rope.along(vector_of(rope.bundle.asked_anchors, rope.lane));
  return asked * substep > -near * length;
}

}  // namespace

bool choose_taut_ropes(Cluster& cluster, const JointTree& tree, JointPhase phase) {
  const auto substep = static_cast<double>(cluster.solver.substep_seconds);
  bool is_changed = false;
  for_each_rope(cluster, tree, [&](const TreeRope& rope) {
    const bool is_taut = may_be_taut(rope, phase, substep);
    is_changed |= is_taut != rope.is_taut();
    rope.set_taut(is_taut);
  });
  return is_changed;
}

bool release_pushing_ropes(Cluster& cluster, const JointTree& tree, JointPhase phase,
                           double share) {
  bool is_changed = false;
  for_each_rope(cluster, tree, [&](const TreeRope& rope) {
    if (!rope.is_taut()) return;
    const auto held =
        phase == RelaxPhase ? vector_of(rope.bundle.linear[HoldPhase], rope.lane) : math::Vec3{};
    const double length = rope.along(vector_of(rope.bundle.apart, rope.lane));
    const double impulse = kernels::with_share(rope.edge.impulses, 0, share);
    if (impulse * length * length + rope.along(held) * length <= 0) return;
    rope.set_taut(false);
    is_changed = true;
  });
  return is_changed;
}

}  // namespace jostle::physics
