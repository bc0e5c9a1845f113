#pragma once

#include "shared/physics/joint.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct WorldState;

// Joints are stored in slots. Each body links its joints in a list. WorldState::awake_joints lists,
// by slot, the joints that a step visits: those with an active body.

/// Returns true if all values of the definition are valid; does not check the bodies.
bool is_valid(const JointDef& def);
/// Returns true if the two bodies can be joined: they are alive and differ, at least one is
/// dynamic, and neither is quarantined.
bool can_join(const WorldState& world, const JointDef& def);

/// Links the joint to its bodies, and adds it to WorldState::awake_joints if one of them is active.
/// Does nothing while a body is absent; link_joints_of_body links the joint once both are present.
void link_joint(WorldState& world, std::uint32_t joint);
/// Links the joints of a body that has been enabled again.
void link_joints_of_body(WorldState& world, std::uint32_t body);
/// Removes the joint from the simulation, if it is linked.
void unlink_joint(WorldState& world, std::uint32_t joint);
/// Unlinks the joint and frees its slot. Unless another joint prevents it, the two bodies may
/// collide again.
void remove_joint(WorldState& world, std::uint32_t joint);
/// Returns the joints of a body, sorted by slot, unlinked ones included. The body's linked list is
/// in the order of linking, which is not saved, so results must not depend on it.
std::vector<std::uint32_t> joints_of_body(const WorldState& world, std::uint32_t body);
void remove_joints_of_body(WorldState& world, std::uint32_t body);

/// Marks the shapes of both bodies as moved, so that the next step searches their pairs again. Call
/// it after a joint has begun or ceased to prevent their collisions.
void ask_pairs_anew(WorldState& world, const JointDef& def);
/// Returns true if a joint prevents collisions between two bodies.
bool is_collision_disabled(const WorldState& world, std::uint32_t body_a, std::uint32_t body_b);

/// Gives the joints of a body unlimited energy credit after a call has moved the body. The energy
/// limiter then does not remove the energy that the joints add by pulling the body back
/// (stabilizers/energy_limiter/passive_groups.h).
void excuse_joints(WorldState& world, std::uint32_t body);

/// Adds the joints of a body that has become active to the active joints.
void list_joints_of_body(WorldState& world, std::uint32_t body);
/// Sorts the list of active joints and removes those that are no longer active.
void sort_awake_joints(WorldState& world);
/// Wakes sleeping bodies that are joined to an awake dynamic body or to a moving kinematic one,
/// with their islands.
void wake_by_joints(WorldState& world);
/// Removes the joints whose force or torque exceeded its limit in the step, and adds a JointBreak
/// event for each.
void break_joints(WorldState& world);

/// Calls `visit(joint slot)` for each joint of a body; `visit` may remove that joint.
template <typename World, typename Visit>
void for_each_joint(World& world, std::uint32_t body, Visit&& visit) {
  std::uint32_t edge = world.bodies[body].first_joint_edge;
  while (edge != 0xFFFFFFFFU) {
    const std::uint32_t joint = edge / 2;
    const std::uint32_t next = world.joints[joint].next[edge % 2];
    visit(joint);
    edge = next;
  }
}

}  // namespace jostle::physics
