#include "shared/physics/stabilizers/geometric_stiffness/taut_ropes.h"

#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/cluster.h"
#include "shared/physics/stabilizers/articulations/joint_trees.h"
#include "shared/physics/stabilizers/articulations/tree_lanes.h"

#include <cmath>
#include <optional>

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

/// Returns true if the solution makes a taut rope push. In the relax phase, the impulses of both
/// phases count together.
bool pushes(const TreeRope& rope, JointPhase phase, double share) {
  const auto held =
      phase == RelaxPhase ? vector_of(rope.bundle.linear[HoldPhase], rope.lane) : math::Vec3{};
  const double length = rope.along(vector_of(rope.bundle.apart, rope.lane));
  const double impulse = kernels::with_share(rope.edge.impulses, 0, share);
  return impulse * length * length + rope.along(held) * length > 0;
}

/// Returns the change of the velocity of a body's anchor by the solution.
math::Vec3d anchor_change(const Cluster& cluster, std::uint32_t body, const math::Vec3& arm,
                          double share) {
  if (body == 0) return {};
  const auto& change = cluster.joint_solver.trees.changes[body].of;
  const auto part = [&](std::size_t i) { return change[0][i] + share * change[1][i]; };
  const math::Vec3d linear{part(0), part(1), part(2)}, angular{part(4), part(5), part(6)};
  return linear + cross(angular, math::widened(arm));
}

/// Returns true if a slack rope is longer than its limit after the solution.
bool is_overlong(const Cluster& cluster, const TreeRope& rope, JointPhase phase, double share) {
  constexpr double tolerance = 1e-6;  // m/s
  if (phase == RelaxPhase && !may_be_taut(rope, phase, 0)) return false;
  const JointBundle& bundle = rope.bundle;
  const std::size_t lane = rope.lane;
  math::Vec3d speed = math::widened(vector_of(bundle.asked_anchors, lane)) +
                      anchor_change(cluster, bundle.b[lane], vector_of(bundle.arm_b, lane), share) -
                      anchor_change(cluster, bundle.a[lane], vector_of(bundle.arm_a, lane), share);
  if (phase == HoldPhase)
    speed = speed + math::widened(vector_of(bundle.ahead_anchors, lane)) * share;
  const math::Vec3d apart = math::widened(vector_of(bundle.apart, lane));
  return dot(speed, apart) > tolerance * std::sqrt(dot(apart, apart));
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

bool correct_taut_ropes(Cluster& cluster, const JointTree& tree, JointPhase phase, double share,
                        int round) {
  // All wrong ropes change at first, and later only the last one, which always ends the search
  // (Júdice and Pires 1994).
  constexpr int block_rounds = 4;
  std::optional<TreeRope> last;
  for_each_rope(cluster, tree, [&](const TreeRope& rope) {
    const bool is_wrong =
        rope.is_taut() ? pushes(rope, phase, share) : is_overlong(cluster, rope, phase, share);
    if (!is_wrong) return;
    if (round < block_rounds) rope.set_taut(!rope.is_taut());
    last.emplace(rope);
  });
  if (last && round >= block_rounds) last->set_taut(!last->is_taut());
  return last.has_value();
}

}  // namespace jostle::physics
