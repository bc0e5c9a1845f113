#pragma once

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct Body;
struct WorldOptions;
struct WorldState;

// An island is a set of dynamic bodies that touch, are joined or act on each other by charges and
// poles, directly or through others. It falls asleep as a whole and wakes as a whole. Awake islands
// are rebuilt from the current contacts, joints, charges and poles in every step in which a body
// has been slow for long enough to sleep. The island of a sleeping body is found by walking the
// same connections. Islands therefore have no persistent state.

/// Returns the bodies of an island, asleep or awake, in an unspecified order. The result is empty
/// for a body that is not dynamic or not present.
std::vector<std::uint32_t> island_of(const WorldState& world, std::uint32_t body);

/// Wakes one body and resets its sleep timer. Does nothing for static bodies and absent ones
/// (disabled or quarantined).
void wake_body(WorldState& world, std::uint32_t body);
/// Wakes a sleeping body and its island. If the body is awake, only resets its sleep timer.
void wake_island(WorldState& world, std::uint32_t body);
/// Wakes every dynamic body that touches `body`, is joined to it or acts on it by fields, with its
/// island.
void wake_touching(WorldState& world, std::uint32_t body);
/// Wakes the same bodies as wake_touching. If `body` is not dynamic, also wakes all sleeping bodies
/// whose fat AABBs overlap its fat AABBs, because they may rest on it.
void wake_around(WorldState& world, std::uint32_t body);
/// Puts one body to sleep and sets its velocities to zero.
void put_to_sleep(WorldState& world, std::uint32_t body);

/// Returns true if the body itself has been slow for long enough to sleep, and is allowed to sleep.
bool is_rested(const WorldOptions& options, const Body& body);

/// Finds the awake islands, and puts those to sleep whose bodies have all been slow for long
/// enough.
void update_sleep(WorldState& world);

/// Sorts the list of active bodies and removes those that are no longer active.
void sort_awake_bodies(WorldState& world);

}  // namespace jostle::physics
