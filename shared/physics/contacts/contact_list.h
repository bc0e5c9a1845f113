#pragma once

#include <cstdint>

namespace jostle::physics {

struct WorldState;
struct Contact;

// Contacts are stored in slots. Each body links its contacts in a list. WorldState::pairs refers to
// the contacts that have an active body. A contact without an active body is in no list that a step
// visits.

/// Stores a new contact, in which `shape_a` is less than `shape_b`, and links it to its bodies.
/// Returns its slot. The caller adds it to WorldState::pairs.
std::uint32_t add_contact(WorldState& world, const Contact& contact);
/// Sets the fields of a contact that follow from its two shapes, and links the contact to its
/// bodies.
void link_contact(WorldState& world, std::uint32_t contact);
/// Updates Contact::has_belt: true if one of the shapes has a surface velocity.
void note_belts(WorldState& world, std::uint32_t contact);
/// Removes the contact. If it was touching, records its end for the events of the step. No entry of
/// WorldState::pairs may refer to it any more.
void end_contact(WorldState& world, std::uint32_t contact);
/// Removes the contact, and the reference to it in WorldState::pairs.
void destroy_contact(WorldState& world, std::uint32_t contact);
void destroy_contacts_of_body(WorldState& world, std::uint32_t body);
/// Marks the contact points of a body as outdated, after a call has moved the body or its centre of
/// mass. The next step recomputes them.
void forget_points_of_body(WorldState& world, std::uint32_t body);

/// Calls `visit(contact slot)` for the contacts of a body until `visit` returns true. Returns false
/// if `visit` never returned true.
template <typename World, typename Visit>
bool any_contact(World& world, std::uint32_t body, Visit&& visit) {
  std::uint32_t edge = world.bodies[body].first_contact_edge;
  while (edge != 0xFFFFFFFFU) {
    const std::uint32_t contact = edge / 2;
    if (visit(contact)) return true;
    edge = world.contacts[contact].next[edge % 2];
  }
  return false;
}

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
