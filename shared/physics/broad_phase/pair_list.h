#pragma once

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct FoundPair;
struct WorldState;

// WorldState::pairs lists, by key, the shapes whose fat boxes overlap, of which one at least is
// active. Most are farther apart than that they could touch within the step, and cost no more than
// a comparison of bounds. What is near is collided (narrow_phase/update_contacts.h), and has a
// contact as long as that finds points. Which pairs there are beside these, and beside those that
// know an axis, reaches no result.

/// Adds pairs, in any order, known ones and doubles among them. `found` is empty afterwards.
void add_pairs(WorldState& world, std::vector<FoundPair>& found);

/// The pair's contact has ended. The pair may be in no list.
void forget_contact(WorldState& world, std::uint64_t key);

/// Drops the pairs that are over or asleep, ends the contacts of those that are near no more, and
/// lists the near ones in WorldState::awake_contacts.
void list_near_pairs(WorldState& world);

/// Whether a pair may have a contact at all.
bool may_pair(const WorldState& world, std::uint32_t shape_a, std::uint32_t shape_b);

}  // namespace jostle::physics
