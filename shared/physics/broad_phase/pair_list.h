#pragma once

#include <cstdint>
#include <vector>

namespace jostle::physics {

struct ListedPair;
struct WorldState;

// Two lists, both by key. WorldState::pairs: shapes whose fat boxes overlap, of which one at least
// is active; most are farther apart than that they could touch within the step, and cost 16 bytes
// and a comparison of bounds. WorldState::awake_contacts: those that could; each has a contact.
// So a contact exists while its shapes are near and ends when they are not, and which pairs there
// are beside the contacts reaches no result.

/// Adds pairs, in any order, known ones and doubles among them. `found` is empty afterwards.
void add_pairs(WorldState& world, std::vector<ListedPair>& found);

/// The pair's contact has ended. The pair may be in no list.
void forget_contact(WorldState& world, std::uint64_t key);

/// Drops the pairs that are over or asleep, ends the contacts of those that are near no more, makes
/// contacts for those that have come near, and lists these anew.
void list_near_contacts(WorldState& world);

}  // namespace jostle::physics
