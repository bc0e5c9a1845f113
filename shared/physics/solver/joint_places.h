#pragma once

#include "shared/physics/solver/cluster.h"
#include "shared/physics/solver/graph_colours.h"

#include <bit>

namespace jostle::physics {

// What colouring joints and filling their bundles asks of a joint and its bodies.

/// The anchor of one side, in the frame of the solver's body: that of the immovable one is the
/// world's.
inline math::Vec3 anchor_of(const Body& body, const math::Transform& frame, std::uint32_t index) {
  const math::Vec3 offset = frame.offset - body.local_centre;
  return index == 0 ? rotate(body.rotation, offset) : offset;
}
/// Likewise the frame.
inline math::Quat frame_of(const Body& body, const math::Transform& frame, std::uint32_t index) {
  return index == 0 ? body.rotation * frame.rotation : frame.rotation;
}

/// Whether nothing but the joint holds its bodies: then one pass solves it, and it need not give
/// way to others as softness makes it do.
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

/// The same of an edge of a tree, of several joints that are solved at once: every joint of its
/// bodies is among them.
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

/// A body on its parabola moves by v·h − ½h²g in a substep (integrate_positions).
inline math::Vec3 half_kick(const SolverArrays& solver, std::uint32_t body) {
  return solver.bodies[body].is_free ? solver.gains[body].linear * -0.5f : math::Vec3{};
}

/// Whether the body moves on a parabola, or not by forces at all.
inline bool moves_freely(const SolverArrays& solver, std::uint32_t body) {
  return solver.bodies[body].is_free || !solver.bodies[body].is_dynamic;
}

/// The first colour that none of the bodies that can be moved has, `taken` by bit; it is theirs
/// then.
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
