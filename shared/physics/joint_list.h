#pragma once

#include "shared/physics/joint.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct WorldState;

// Joints live in slots. Each body links its own in a list; the world lists, by slot, those that a
// step must look at: a joint of sleeping and static bodies only is in no list of the step.

/// Whether a world can run with it; asks nothing of the bodies.
bool is_valid(const JointDef& def);
/// Whether the two bodies can be joined: different, one of them dynamic, none in quarantine.
bool can_join(const WorldState& world, const JointDef& def);

/// Links the joint to its bodies, and lists it where active. Of one with a body that is switched
/// off nothing is to be seen: it is linked once both take part.
void link_joint(WorldState& world, std::uint32_t joint);
/// Links those of the body that wait for it.
void link_joints_of_body(WorldState& world, std::uint32_t body);
/// Takes it out of the simulation, if it is in it.
void unlink_joint(WorldState& world, std::uint32_t joint);
/// Unlinks the joint and frees its slot. The pair may collide again.
void remove_joint(WorldState& world, std::uint32_t joint);
/// By slot: the list of a body itself has the order in which it was linked, which no save keeps.
/// Those that are linked to nothing are among them.
std::vector<std::uint32_t> joints_of_body(const WorldState& world, std::uint32_t body);
void remove_joints_of_body(WorldState& world, std::uint32_t body);

/// A joint lets its two bodies collide from now on, or no more: their pairs are found, and asked
/// whether they may have contacts, anew.
void ask_pairs_anew(WorldState& world, const JointDef& def);
/// Whether a joint keeps the shapes of two bodies from touching.
bool is_collision_disabled(const WorldState& world, std::uint32_t body_a, std::uint32_t body_b);

/// A body was put elsewhere: what its joints bring together again is no gain of theirs
/// (solver/passive_groups.h).
void excuse_joints(WorldState& world, std::uint32_t body);

/// Lists the joints of a body that has become active.
void list_joints_of_body(WorldState& world, std::uint32_t body);
/// Sorts the list of active joints and drops those that are active no more.
void sort_awake_joints(WorldState& world);
/// Wakes sleeping bodies whose joints lead to something that moves.
void wake_by_joints(WorldState& world);
/// Removes the joints that the step overloaded, and reports them.
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
