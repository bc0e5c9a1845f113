#pragma once

#include <cstdint>

namespace jostle::physics {

struct WorldState;
struct Contact;

// Contacts live in slots. Each body links its own in a list; WorldState::pairs names those with an
// active body. One of sleeping and static bodies only is in no list of the step.

/// Gives a new contact (a < b) its slot and links it. The caller tells WorldState::pairs.
std::uint32_t add_contact(WorldState& world, const Contact& contact);
/// Sets what follows from the pair, and links the contact to its bodies.
void link_contact(WorldState& world, std::uint32_t contact);
/// Whether a surface runs at the contact, as its shapes say now.
void note_belts(WorldState& world, std::uint32_t contact);
/// Ends the contact and notes its end for the events of the step; its pair must not name it.
void end_contact(WorldState& world, std::uint32_t contact);
/// The same, and the pair forgets it.
void destroy_contact(WorldState& world, std::uint32_t contact);
void destroy_contacts_of_body(WorldState& world, std::uint32_t body);
/// After the body was put elsewhere: the points of its contacts do not follow.
void forget_points_of_body(WorldState& world, std::uint32_t body);

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
