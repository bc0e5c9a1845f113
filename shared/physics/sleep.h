#pragma once

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct Body;
struct WorldOptions;
struct WorldState;

// An island is a set of dynamic bodies that touch, are joined or move each other by charges and
// poles, directly or through others. It falls asleep as a whole and wakes as a whole. Awake islands
// are found anew, from the contacts that stand, in each step after which one could fall asleep, and
// sleeping ones by walking the contacts that stood, so that islands hold no history of their own.

/// The bodies of an island, asleep or awake, in no order that lasts; none for a body that is in
/// none because it is not dynamic or not there.
std::vector<std::uint32_t> island_of(const WorldState& world, std::uint32_t body);

/// Wakes one body: static ones have nothing to wake, absent ones stay away.
void wake_body(WorldState& world, std::uint32_t body);
/// Wakes a sleeping body and all that it touches, directly or through others.
void wake_island(WorldState& world, std::uint32_t body);
/// Wakes every sleeping dynamic body that touches `body` and, through its island, all others.
void wake_touching(WorldState& world, std::uint32_t body);
/// The same, and of a body that is not itself dynamic all that its boxes overlap: what stands may
/// have stood on what has changed.
void wake_around(WorldState& world, std::uint32_t body);
/// Puts one body to sleep: it stops.
void put_to_sleep(WorldState& world, std::uint32_t body);

/// Whether the body itself has been slow for long enough.
bool is_rested(const WorldOptions& options, const Body& body);

/// Finds the awake islands and puts those to sleep that have been slow for long enough.
void update_sleep(WorldState& world);

/// Sorts the list of active bodies and drops those that are active no more.
void sort_awake_bodies(WorldState& world);

}  // namespace jostle::physics
