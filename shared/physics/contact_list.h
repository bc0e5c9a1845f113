#pragma once

#include <cstdint>
#include <optional>

namespace jostle::physics {

struct WorldState;
struct Contact;

// Contacts live in slots. Each body links its own in a list; the world lists, by key, those that a
// step must look at. A contact of sleeping and static bodies only is in no list of the step.

/// The contact's slot, if there is one for the pair (a < b).
std::optional<std::uint32_t> find_contact(const WorldState& world, std::uint32_t shape_a,
                                          std::uint32_t shape_b);
/// The same among the listed contacts, once they are merged.
std::optional<std::uint32_t> find_listed_contact(const WorldState& world, std::uint64_t key);
/// The contact of a new pair (a < b), not touching yet.
std::uint32_t create_contact(WorldState& world, std::uint32_t shape_a, std::uint32_t shape_b);
/// Sets what follows from the pair, links the contact to its bodies, and lists it where active.
void link_contact(WorldState& world, std::uint32_t contact);
/// Ends the contact and notes its end for the events of the step.
void destroy_contact(WorldState& world, std::uint32_t contact);
void destroy_contacts_of_body(WorldState& world, std::uint32_t body);

/// Lists the contacts of a body that has become active.
void list_contacts_of_body(WorldState& world, std::uint32_t body);
/// Sorts the newly listed contacts into the list and drops those that ended or fell asleep.
void merge_listed_contacts(WorldState& world);

/// Calls `visit(contact slot)` for each contact of a body; `visit` may destroy that contact.
template <typename World, typename Visit>
void for_each_contact(World& world, std::uint32_t body, Visit&& visit) {
  std::uint32_t edge = world.bodies[body].first_contact_edge;
  while (edge != 0xFFFFFFFFU) {
    const std::uint32_t contact = edge / 2;
    const std::uint32_t next = world.contacts[contact].next[edge % 2];
    visit(contact);
    edge = next;
  }
}

}  // namespace jostle::physics
