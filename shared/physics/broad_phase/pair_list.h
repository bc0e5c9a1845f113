#pragma once

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct FoundPair;
struct WorldState;

// WorldState::pairs lists, by key, the pairs of shapes that have overlapping fat AABBs and at least
// one active body. Most pairs are too far apart to touch within the step, and cost no more
// than a comparison of bounds. Near pairs are passed to the narrow phase
// (contacts/update_contacts.h) and have a contact as long as the narrow phase finds points.
// Pairs without a contact and without a separating axis affect no result.

/// Adds pairs in any order; known pairs and duplicates are allowed. Clears `found`.
void add_pairs(WorldState& world, std::vector<FoundPair>& found);

/// Clears the contact of a pair, after the contact has ended. Does nothing if the pair is not
/// listed.
void forget_contact(WorldState& world, std::uint64_t key);

/// Removes the pairs whose fat AABBs no longer overlap, that have no active body, or that were
/// refused (ListedPair::refused). Ends the contacts of pairs that are no longer near, and lists the
/// near pairs in WorldState::awake_contacts.
void list_near_pairs(WorldState& world);

/// Returns true if the two shapes can collide: their bodies differ, at least one of them is
/// dynamic, and no joint and no filter prevents their collisions.
bool can_pair(const WorldState& world, std::uint32_t shape_a, std::uint32_t shape_b);
/// Returns true if the pair may have a contact: it can collide, and the fat AABBs overlap.
bool may_pair(const WorldState& world, std::uint32_t shape_a, std::uint32_t shape_b);

}  // namespace jostle::physics
