#pragma once

#include "shared/physics/joint.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct WorldState;

// Joints are stored in slots. Each body links its joints in a list. The world lists, by slot, the
// joints that a step visits; joints between sleeping and static bodies only are not listed.

/// Returns true if all values of the definition are valid; does not check the bodies.
bool is_valid(const JointDef& def);
/// Returns true if the two bodies can be joined: they differ, one of them is dynamic, and none is
/// quarantined.
bool can_join(const WorldState& world, const JointDef& def);

/// Links the joint to its bodies, and lists it if one of them is active. Does nothing while a body
/// is absent: the joint is linked once both are present.
void link_joint(WorldState& world, std::uint32_t joint);
/// Links the joints of a body that has been switched on again.
void link_joints_of_body(WorldState& world, std::uint32_t body);
/// Removes the joint from the simulation, if it is linked.
void unlink_joint(WorldState& world, std::uint32_t joint);
/// Unlinks the joint and frees its slot. Its two bodies may collide again.
void remove_joint(WorldState& world, std::uint32_t joint);
/// Returns the joints of a body by slot, unlinked ones included. The body's own list is in the
/// order of linking, which no save keeps.
std::vector<std::uint32_t> joints_of_body(const WorldState& world, std::uint32_t body);
void remove_joints_of_body(WorldState& world, std::uint32_t body);

/// Marks the shapes of both bodies as moved, so that the next step searches their pairs again. Call
/// it after a joint has begun or ceased to prevent their collisions.
void ask_pairs_anew(WorldState& world, const JointDef& def);
/// Returns true if a joint prevents collisions between two bodies.
bool is_collision_disabled(const WorldState& world, std::uint32_t body_a, std::uint32_t body_b);

/// Tells the energy limiter that a body was moved by a call, so that the energy its joints gain in
/// pulling it back is not removed (solver/passive_groups.h).
void excuse_joints(WorldState& world, std::uint32_t body);

/// Adds the joints of a body that has become active to the active joints.
void list_joints_of_body(WorldState& world, std::uint32_t body);
/// Sorts the list of active joints and removes those that are no longer active.
void sort_awake_joints(WorldState& world);
/// Wakes sleeping bodies that are joined to a moving body.
void wake_by_joints(WorldState& world);
/// Removes the joints whose load exceeded their limits in the step, and reports them.
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
