#pragma once

#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/graph_colours.h"

#include <bit>

namespace jostle::physics {

// Functions that both kinds of joints, with and without coordinates, use for colouring and for
// filling bundles.

/// Returns the anchor of one side relative to the body's centre of mass, in the body's frame.
/// `index` is the body's solver index. If it is 0, the immovable body, the result is in world axes.
/// `frame` is the joint frame in the body's frame.
inline math::Vec3 anchor_of(const Body& body, const math::Transform& frame, std::uint32_t index) {
  const math::Vec3 offset = frame.offset - body.local_centre;
  return index == 0 ? rotate(body.rotation, offset) : offset;
}
/// Returns the rotation of the joint frame of one side, in the same axes as anchor_of.
inline math::Quat frame_of(const Body& body, const math::Transform& frame, std::uint32_t index) {
  return index == 0 ? body.rotation * frame.rotation : frame.rotation;
}

/// Returns true if this joint is the only one of its active dynamic bodies, and no contact acts on
/// them. One pass solves such a joint exactly, so it does not need softness.
inline bool is_alone(const Cluster& cluster, const JointDef& def) {
  for (const BodyHandle handle : {def.body_a, def.body_b}) {
    const Body& body = cluster.world.bodies[handle.index];
    if (!is_active(body) || !is_dynamic(body)) continue;
    const std::uint32_t edge = body.first_joint_edge;
    const bool has_one = cluster.world.joints[edge / 2].next[edge % 2] == no_index;
    if (!has_one || !cluster.solver.bodies[body.solver_index].is_free) return false;
  }
  return true;
}

/// Returns true if no contact acts on the active dynamic bodies of the joint, and all their joints
/// belong to one tree edge. The joints of an edge, at most TreeEdge::max_parts, connect the same
/// two bodies, or one body and immovable bodies. The tree solves them together.
inline bool is_edge_alone(const Cluster& cluster, const JointDef& def) {
  const WorldState& world = cluster.world;
  const auto can_move = [&](BodyHandle body) {
    return is_active(world.bodies[body.index]) && is_dynamic(world.bodies[body.index]);
  };
  const auto other_of = [](const JointDef& joint, BodyHandle body) {
    return joint.body_a == body ? joint.body_b : joint.body_a;
  };
  for (const BodyHandle body : {def.body_a, def.body_b}) {
    if (!can_move(body)) continue;
    if (!cluster.solver.bodies[world.bodies[body.index].solver_index].is_free) return false;
    const BodyHandle partner = other_of(def, body);
    std::uint32_t count = 0, edge = world.bodies[body.index].first_joint_edge;
    for (; edge != no_index; edge = world.joints[edge / 2].next[edge % 2]) {
      const JointRecord& joint = world.joints[edge / 2];
      const BodyHandle other = other_of(joint.def, body);
      const bool is_among = other == partner || (!can_move(other) && !can_move(partner));
      if (!is_among || joint.tree == no_index || ++count > TreeEdge::max_parts) return false;
    }
  }
  return true;
}

/// Returns the half kick of a body, m/s: −½ of its velocity change by gravity and force in a
/// substep. A body in free flight moves by h·(v + half kick) in a substep, with its velocity v at
/// the end (integrate_positions). The half kick is zero if contacts act on the body.
inline math::Vec3 half_kick(const SolverArrays& solver, std::uint32_t body) {
  return solver.bodies[body].is_free ? solver.gains[body].linear * -0.5f : math::Vec3{};
}

/// Returns true if no contact acts on the body, or if it is not dynamic.
inline bool moves_freely(const SolverArrays& solver, std::uint32_t body) {
  return solver.bodies[body].is_free || !solver.bodies[body].is_dynamic;
}

/// Returns the lowest colour that no joint of either body has, and sets its bit in `taken` for both
/// bodies. Colours of bodies that are not dynamic are ignored. If all colours are taken, returns
/// overflow_colour and sets no bit.
inline std::uint32_t take_joint_colour(const SolverArrays& solver,
                                       std::vector<std::uint64_t>& taken, std::uint32_t a,
                                       std::uint32_t b) {
  const std::uint64_t of_both =
      (solver.bodies[a].is_dynamic ? taken[a] : 0) | (solver.bodies[b].is_dynamic ? taken[b] : 0);
  const std::uint32_t colour = lowest_free_colour(of_both);
  if (colour == overflow_colour) return colour;
  const std::uint64_t bit = std::uint64_t{1} << colour;
  taken[a] |= bit;
  taken[b] |= bit;
  return colour;
}

inline void set_rotation(Lanes (&rows)[4], std::size_t lane, math::Quat q) {
  rows[0][lane] = q.x;
  rows[1][lane] = q.y;
  rows[2][lane] = q.z;
  rows[3][lane] = q.w;
}

template <typename Bundle, typename Visit>
void for_each_used_lane(const Bundle& bundle, Visit&& visit) {
  for (std::uint32_t lanes = bundle.used_lanes; lanes != 0; lanes &= lanes - 1)
    visit(static_cast<std::size_t>(std::countr_zero(lanes)));
}

}  // namespace jostle::physics
