#pragma once

#include "shared/physics/detail/state_fields.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/world/step_events.h"

#include <algorithm>
#include <vector>

namespace jostle::physics {

// These functions visit the whole state of a world, part by part, in the order of a save. Before
// the fields of an object, the archive's begin() receives the owner of these fields: a slot, or the
// key of a pair of shapes. This owner is valid until end() or the next begin().

template <typename Archive, typename Pool>
void visit_pool(Archive& archive, const Pool& pool) {
  for (const auto list : {pool.generations(), pool.free_slots()}) {
    archive("slots", static_cast<std::uint32_t>(list.size()));
    for (const std::uint32_t value : list)
      archive("slots", value);
  }
}

template <typename Archive>
void visit_body_slot(Archive& archive, const WorldState& world, std::uint32_t slot) {
  const Body& body = world.bodies[slot];
  archive.begin(slot);
  visit_body(archive, body);
  archive("shapes", static_cast<std::uint32_t>(body.shapes.size()));
  for (const ShapeHandle shape : body.shapes)
    archive("shapes", shape.index);
}

template <typename Archive>
void visit_bodies(Archive& archive, const WorldState& world) {
  visit_pool(archive, world.body_pool);
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (world.body_pool.is_alive_index(i)) visit_body_slot(archive, world, i);
  }
}

template <typename Archive>
void visit_shapes(Archive& archive, const WorldState& world) {
  visit_pool(archive, world.shape_pool);
  for (std::uint32_t i = 0; i < world.shape_pool.slot_count(); ++i) {
    if (!world.shape_pool.is_alive_index(i)) continue;
    archive.begin(i);
    visit_shape(archive, world.shapes[i]);
  }
}

template <typename Archive>
void visit_joints(Archive& archive, const WorldState& world) {
  visit_pool(archive, world.joint_pool);
  for (std::uint32_t i = 0; i < world.joint_pool.slot_count(); ++i) {
    if (!world.joint_pool.is_alive_index(i)) continue;
    archive.begin(i);
    visit_joint(archive, world.joints[i]);
  }
}

inline bool has_fields(const WorldState& world) {
  if (world.field_pool.slot_count() > 0) return true;
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (world.body_pool.is_alive_index(i) && has_field_traits(world.bodies[i])) return true;
  }
  return false;
}

template <typename Archive>
void visit_fields(Archive& archive, const WorldState& world) {
  visit_pool(archive, world.field_pool);
  for (std::uint32_t i = 0; i < world.field_pool.slot_count(); ++i) {
    if (!world.field_pool.is_alive_index(i)) continue;
    archive.begin(i);
    visit_field(archive, world.fields[i]);
  }
  archive.end();
  std::vector<std::uint32_t> slots;
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (world.body_pool.is_alive_index(i) && has_field_traits(world.bodies[i])) slots.push_back(i);
  }
  archive("charged_bodies", static_cast<std::uint32_t>(slots.size()));
  for (const std::uint32_t slot : slots) {
    archive("charged_bodies", slot);
    visit_field_traits(archive, world.bodies[slot]);
  }
}

template <typename Archive>
void visit_islands(Archive& archive, const WorldState& world) {
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (!world.body_pool.is_alive_index(i)) continue;
    archive.begin(i);
    visit_sleep(archive, world.bodies[i]);
  }
}

/// Visits the contact ends that are not reported yet, in the order in which they will be reported.
/// WorldState::pending_ends itself may be in the order in which contacts are linked, which is not
/// state.
template <typename Archive>
void visit_pending_ends(Archive& archive, const WorldState& world) {
  std::vector<ContactEnd> ends = world.pending_ends;
  sort_ends(ends);
  archive("pending_ends", static_cast<std::uint32_t>(ends.size()));
  for (const ContactEnd& end : ends) {
    visit_handle(archive, "pending_end.a", end.a);
    visit_handle(archive, "pending_end.b", end.b);
  }
}

inline std::vector<ListedContact> contacts_by_key(const WorldState& world) {
  std::vector<ListedContact> order;
  order.reserve(world.contact_count);
  for (std::uint32_t i = 0; i < world.contacts.size(); ++i) {
    const Contact& contact = world.contacts[i];
    if (!contact.is_dead) order.push_back({pair_key(contact.shape_a, contact.shape_b), i});
  }
  std::sort(order.begin(), order.end(),
            [](const ListedContact& x, const ListedContact& y) { return x.key < y.key; });
  return order;
}

template <typename Archive>
void visit_listed_contact(Archive& archive, const WorldState& world, const ListedContact& entry) {
  const Contact& contact = world.contacts[entry.index];
  const std::uint32_t manifolds = manifold_count(contact);
  archive.begin(entry.key);
  visit_contact(archive, contact, manifolds);
  for (std::uint32_t i = 0; i < manifolds; ++i)
    visit_manifold(archive, manifold_at(contact, i));
}

/// Visits the parts of visit_contacts() that follow the contacts.
template <typename Archive>
void visit_axes_and_ends(Archive& archive, const WorldState& world) {
  archive.end();
  const auto has_axis = [&](const ListedPair& pair) {
    const std::uint32_t flags =
        world.bounds[pair.shape_a()].flags | world.bounds[pair.shape_b()].flags;
    return pair.contact == no_index && pair.axis != math::Vec3{} &&
           (flags & ShapeBounds::gone) == 0;
  };
  archive("axes", static_cast<std::uint32_t>(
                      std::count_if(world.pairs.begin(), world.pairs.end(), has_axis)));
  for (const ListedPair& pair : world.pairs) {
    if (!has_axis(pair)) continue;
    archive.begin(pair.key);
    visit_axis(archive, pair);
  }
  archive.end();
  visit_pending_ends(archive, world);
}

template <typename Archive>
void visit_contacts(Archive& archive, const WorldState& world) {
  const std::vector<ListedContact> order = contacts_by_key(world);
  archive("contacts", static_cast<std::uint32_t>(order.size()));
  for (const ListedContact& entry : order)
    visit_listed_contact(archive, world, entry);
  visit_axes_and_ends(archive, world);
}

/// Visits the shapes inside each sensor, and the sensor ends that are not reported yet.
template <typename Archive>
void visit_sensors(Archive& archive, const WorldState& world) {
  for (const SensorRecord& sensor : world.sensors) {
    archive("inside", static_cast<std::uint32_t>(sensor.inside.size()));
    for (const ShapeHandle visitor : sensor.inside)
      visit_handle(archive, "inside", visitor);
  }
  std::vector<SensorEnd> ends = world.pending_sensor_ends;
  sort_ends(ends);
  archive("pending_ends", static_cast<std::uint32_t>(ends.size()));
  for (const SensorEnd& end : ends) {
    visit_handle(archive, "pending_end.sensor", end.sensor);
    visit_handle(archive, "pending_end.visitor", end.visitor);
  }
}

inline bool any_integrator(const WorldState& world) {
  if (!world.has_integrators) return false;
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (world.body_pool.is_alive_index(i) && world.bodies[i].integrator != 0) return true;
  }
  return false;
}

/// Visits the bodies that have an integrator, by slot.
template <typename Archive>
void visit_integrators(Archive& archive, const WorldState& world) {
  std::vector<std::uint32_t> slots;
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (world.body_pool.is_alive_index(i) && world.bodies[i].integrator != 0) slots.push_back(i);
  }
  archive("integrators", static_cast<std::uint32_t>(slots.size()));
  for (const std::uint32_t slot : slots) {
    archive("integrators", slot);
    archive("integrator", std::uint32_t{world.bodies[slot].integrator});
  }
}

inline bool any_material(const WorldState& world) {
  if (!world.material_pairs.empty()) return true;
  for (std::uint32_t i = 0; i < world.particle_pool.slot_count(); ++i) {
    if (world.particle_pool.is_alive_index(i) && world.particle_sets[i].def.material.value != 0)
      return true;
  }
  if (!world.has_materials) return false;
  for (std::uint32_t i = 0; i < world.shape_pool.slot_count(); ++i) {
    if (world.shape_pool.is_alive_index(i) && has_rare_values(world.shapes[i].def.material))
      return true;
  }
  return false;
}

/// Visits the rarely used material values, by slots of shapes and of particle sets, and the table
/// of pairs.
template <typename Archive>
void visit_materials(Archive& archive, const WorldState& world) {
  std::vector<std::uint32_t> shapes, sets;
  const std::uint32_t last = world.has_materials ? world.shape_pool.slot_count() : 0;
  for (std::uint32_t i = 0; i < last; ++i) {
    if (world.shape_pool.is_alive_index(i) && has_rare_values(world.shapes[i].def.material))
      shapes.push_back(i);
  }
  archive("materials", static_cast<std::uint32_t>(shapes.size()));
  for (const std::uint32_t slot : shapes) {
    archive("materials", slot);
    visit_rare_material(archive, world.shapes[slot].def.material);
  }
  for (std::uint32_t i = 0; i < world.particle_pool.slot_count(); ++i) {
    if (world.particle_pool.is_alive_index(i) && world.particle_sets[i].def.material.value != 0)
      sets.push_back(i);
  }
  archive("particle_materials", static_cast<std::uint32_t>(sets.size()));
  for (const std::uint32_t slot : sets) {
    archive("particle_materials", slot);
    archive("material.id", world.particle_sets[slot].def.material.value);
  }
  archive("material_pairs", static_cast<std::uint32_t>(world.material_pairs.size()));
  for (const MaterialPair& pair : world.material_pairs)
    visit_material_pair(archive, pair);
}

template <typename Archive>
void visit_particles(Archive& archive, const WorldState& world) {
  visit_pool(archive, world.particle_pool);
  for (std::uint32_t i = 0; i < world.particle_pool.slot_count(); ++i) {
    if (!world.particle_pool.is_alive_index(i)) continue;
    const ParticleSet& set = world.particle_sets[i];
    archive.begin(i);
    visit_particle_set(archive, set);
    archive("emitters", static_cast<std::uint32_t>(set.emitters.size()));
    for (const Emitter& emitter : set.def.emitters)
      visit_emitter(archive, emitter);
    for (const EmitterState& state : set.emitters)
      visit_emitter_state(archive, state);
    archive("particles", static_cast<std::uint32_t>(set.size()));
    for (std::size_t k = 0; k < set.size(); ++k)
      visit_particle(archive, set, k);
  }
}

}  // namespace jostle::physics
