#pragma once

#include <cstdint>

namespace jostle::physics {

struct WorldState;

// The broad phase keeps a fat box per shape in one of two trees (static, moving), and the list of
// pairs equal to the set of those whose fat boxes overlap: only shapes whose fat box changed, or
// that have woken, look for partners, and what they find is sorted before it joins the list
// (pair_list.h). Planes have no bounds; they stand in a list beside the trees.

/// So that every shape has a place among WorldState::bounds and WorldState::places.
void make_room_for_bounds(WorldState& world);
/// Puts a new shape into its tree, with a fresh fat box that waits for its pairs.
void add_proxy(WorldState& world, std::uint32_t shape);
/// Puts a restored shape into its tree as its fat box stands.
void insert_proxy(WorldState& world, std::uint32_t shape);
void remove_proxy(WorldState& world, std::uint32_t shape);

/// Brings up to date what follows from the pose and the velocity of a body for its shapes. Writes
/// to nothing but that. Whether one of them has left, or in the next step may leave, its fat box:
/// it has another then, of which the tree does not know yet.
bool refresh_places(WorldState& world, std::uint32_t body);
/// Tells the tree of those, and lets them look for partners.
void refit_proxies(WorldState& world, std::uint32_t body);
/// Both.
void refresh_proxies(WorldState& world, std::uint32_t body);
/// The same for the active bodies that calls have changed since the last step.
void refresh_changed_proxies(WorldState& world);

/// Lets the shapes of a body look for partners again.
void mark_body_moved(WorldState& world, std::uint32_t body);

/// Lists each new pair of overlapping fat boxes.
void find_new_pairs(WorldState& world);
/// Once the pairs of the shapes that moved have been looked at.
void forget_moved_shapes(WorldState& world);

/// Whether the fat boxes of two shapes overlap, planes included.
bool fat_boxes_overlap(const WorldState& world, std::uint32_t shape_a, std::uint32_t shape_b);

}  // namespace jostle::physics
