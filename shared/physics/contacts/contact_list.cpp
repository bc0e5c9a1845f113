#include "shared/physics/contacts/contact_list.h"

#include "shared/physics/broad_phase/pair_list.h"
#include "shared/physics/contacts/loads.h"
#include "shared/physics/detail/edge_list.h"
#include "shared/physics/detail/memory.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/world/materials.h"

namespace jostle::physics {
std::uint32_t add_contact(WorldState& world, const Contact& contact) {
  std::uint32_t index = 0;
  if (world.free_contacts.empty()) {
    index = static_cast<std::uint32_t>(world.contacts.size());
    make_room_for_one(world.contacts);
    world.contacts.push_back(contact);
  } else {
    index = world.free_contacts.back();
    world.free_contacts.pop_back();
    world.contacts[index] = contact;
  }
  link_contact(world, index);
  return index;
}

void link_contact(WorldState& world, std::uint32_t index) {
  Contact& contact = world.contacts[index];
  const ShapeRecord &a = world.shapes[contact.shape_a], &b = world.shapes[contact.shape_b];
  contact.body_a = a.body.index;
  contact.body_b = b.body.index;
  contact.material = material_between(world, a.def.material, b.def.material);
  note_belts(world, index);
  link_edge(world.contacts, world.bodies[contact.body_a].first_contact_edge, index, 0);
  link_edge(world.contacts, world.bodies[contact.body_b].first_contact_edge, index, 1);
  ++world.bodies[contact.body_a].contact_count;
  ++world.bodies[contact.body_b].contact_count;
  ++world.contact_count;
}

void note_belts(WorldState& world, std::uint32_t index) {
  Contact& contact = world.contacts[index];
  contact.has_belt =
      world.has_belts && (world.shapes[contact.shape_a].def.surface_velocity != math::Vec3{} ||
                          world.shapes[contact.shape_b].def.surface_velocity != math::Vec3{});
}

void end_contact(WorldState& world, std::uint32_t index) {
  Contact& contact = world.contacts[index];
  unlink_edge(world.contacts, world.bodies[contact.body_a].first_contact_edge, index, 0);
  unlink_edge(world.contacts, world.bodies[contact.body_b].first_contact_edge, index, 1);
  --world.bodies[contact.body_a].contact_count;
  --world.bodies[contact.body_b].contact_count;
  --world.contact_count;
  if (contact.is_touching) {
    const ShapeHandle a{contact.shape_a, world.shape_pool.generations()[contact.shape_a]};
    const ShapeHandle b{contact.shape_b, world.shape_pool.generations()[contact.shape_b]};
    world.pending_ends.push_back({a, b});
  }
  contact.is_touching = false;
  contact.is_dead = true;
  contact.more.clear();
  // Entries of WorldState::awake_contacts may still refer to the slot. Only update_contacts reuses
  // slots; it then removes such entries.
  world.free_contacts.push_back(index);
}

void destroy_contact(WorldState& world, std::uint32_t index) {
  const Contact& contact = world.contacts[index];
  forget_contact(world, pair_key(contact.shape_a, contact.shape_b));
  end_contact(world, index);
}

void destroy_contacts_of_body(WorldState& world, std::uint32_t body) {
  forget_loads_over(world, body);
  for_each_contact(world, body, [&](std::uint32_t contact) { destroy_contact(world, contact); });
}

void forget_points_of_body(WorldState& world, std::uint32_t body) {
  for_each_contact(world, body, [&](std::uint32_t index) {
    Contact& contact = world.contacts[index];
    for (std::uint32_t k = 0; k < manifold_count(contact); ++k)
      manifold_at(contact, k).moved = Manifold::not_known;
  });
}

}  // namespace jostle::physics
