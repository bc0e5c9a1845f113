#include "shared/physics/narrow_phase/update_contacts.h"

#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/contact_list.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/narrow_phase/fast_pairs.h"
#include "shared/physics/narrow_phase/manifold_update.h"
#include "shared/physics/sleep.h"

namespace jostle::physics {

using math::Vec3;

namespace {

Vec3 velocity_of(const Body& body) {
  return is_active(body) ? body.linear_velocity : Vec3{};
}

bool is_near(const Contact& contact, float distance) {
  for (std::uint32_t k = 0; k < manifold_count(contact); ++k) {
    const Manifold& manifold = manifold_at(contact, k);
    for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
      if (manifold.points[i].separation <= distance) return true;
    }
  }
  return false;
}

void update_manifold(WorldState& world, std::uint32_t index) {
  Contact& contact = world.contacts[index];
  const ShapeRecord &shape_a = world.shapes[contact.shape_a],
                    &shape_b = world.shapes[contact.shape_b];
  const Body &a = world.bodies[contact.body_a], &b = world.bodies[contact.body_b];
  const Vec3 between = b.position - a.position;
  const Placing placing{{shape_a.def.shape, shape_a.axes},
                        {shape_b.def.shape, shape_b.axes},
                        shape_a.from_centre,
                        between,
                        between + shape_b.from_centre - shape_a.from_centre};
  const float reach = approach_reach(world.options, a, b);
  const bool may_pass = is_fast(world, contact, reach);
  Contact fresh;
  if (may_pass) {
    world.fast_pairs.push_back({index, {a.position, a.rotation}, {b.position, b.rotation}});
  }
  if (!may_pass || !collide_at_impact(world, contact, fresh)) {
    // What will not meet within the step needs no contact ahead of touching.
    const float margin =
        may_pass ? 2 * impact_distance(world, contact) : speculative_distance + reach;
    find_manifolds(placing, margin, contact.manifold.normal, world.surface_scratch, fresh);
  }
  take_over_impulses(contact, fresh);
  contact.manifold = fresh.manifold;
  contact.more.swap(fresh.more);
}

/// Whether the contact acted in the step before: then it stands at least until this one.
bool is_pressed(const Contact& contact) {
  for (std::uint32_t k = 0; k < manifold_count(contact); ++k) {
    const Manifold& manifold = manifold_at(contact, k);
    for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
      if (manifold.points[i].normal_impulse > 0.0f) return true;
    }
  }
  return false;
}

void note_touching(WorldState& world, Contact& contact) {
  const bool was_touching = contact.is_touching;
  contact.is_touching = was_touching ? is_near(contact, 2 * touch_distance) || is_pressed(contact)
                                     : is_near(contact, touch_distance);
  if (contact.is_touching == was_touching) return;
  const ShapeHandle a = world.shape_pool.at(contact.shape_a);
  const ShapeHandle b = world.shape_pool.at(contact.shape_b);
  if (contact.is_touching) {
    world.begins.push_back({a, b});
  } else {
    world.pending_ends.push_back({a, b});
  }
}

/// Whether the pair meets within this step if nothing else happens.
bool is_about_to_touch(const WorldState& world, const Contact& contact) {
  if (contact.is_touching) return true;
  const Body &a = world.bodies[contact.body_a], &b = world.bodies[contact.body_b];
  for (std::uint32_t k = 0; k < manifold_count(contact); ++k) {
    const Manifold& manifold = manifold_at(contact, k);
    for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
      const ManifoldPoint& point = manifold.points[i];
      const Vec3 velocity_a = velocity_of(a) + cross(a.angular_velocity, point.offset_a);
      const Vec3 velocity_b = velocity_of(b) + cross(b.angular_velocity, point.offset_b);
      const float speed = dot(velocity_b - velocity_a, manifold.normal);
      if (point.separation + speed * world.options.step_seconds <= touch_distance) return true;
    }
  }
  return false;
}

/// Wakes the sleeping side of a contact with something that moves.
void wake_by_contact(WorldState& world, const Contact& contact) {
  const auto is_mover = [](const Body& body) {
    return is_active(body) &&
           (is_dynamic(body) || body.linear_velocity != Vec3{} || body.angular_velocity != Vec3{});
  };
  const auto is_sleeper = [](const Body& body) { return is_dynamic(body) && !body.is_awake; };
  const Body &a = world.bodies[contact.body_a], &b = world.bodies[contact.body_b];
  if (is_mover(a) && is_sleeper(b) && is_about_to_touch(world, contact)) {
    wake_island(world, contact.body_b);
  }
  if (is_mover(b) && is_sleeper(a) && is_about_to_touch(world, contact)) {
    wake_island(world, contact.body_a);
  }
}

/// Looks at one pair: ends the contact, finds that nothing can touch, or finds the points anew.
void update_contact(WorldState& world, ListedContact& entry) {
  const ShapeBounds &a = world.bounds[entry.shape_a()], &b = world.bounds[entry.shape_b()];
  const bool has_moved = ((a.flags | b.flags) & ShapeBounds::moved) != 0;
  if (has_moved && !fat_boxes_overlap(world, entry.shape_a(), entry.shape_b())) {
    destroy_contact(world, entry.index);
    entry.is_dead = true;
    entry.has_points = false;
    world.has_dead_entries = true;
    return;
  }
  const bool is_near = overlaps(a, b);
  if (!is_near && !entry.has_points) return;
  Contact& contact = world.contacts[entry.index];
  if (is_near) {
    update_manifold(world, entry.index);
  } else {
    contact.manifold = Manifold{};
    contact.more.clear();
  }
  note_touching(world, contact);
  entry.has_points = contact.manifold.point_count > 0;
}

/// The new contacts of what has been woken are among the next round's.
void update_round(WorldState& world, std::vector<ListedContact>& round) {
  for (ListedContact& entry : round)
    update_contact(world, entry);
  for (const ListedContact& entry : round) {
    if (!entry.has_points) continue;
    const std::uint32_t flags =
        world.bounds[entry.shape_a()].flags | world.bounds[entry.shape_b()].flags;
    if ((flags & ShapeBounds::sleeper) != 0) wake_by_contact(world, world.contacts[entry.index]);
  }
}

}  // namespace

void update_contacts(WorldState& world) {
  world.fast_pairs.clear();
  merge_listed_contacts(world);
  update_round(world, world.awake_contacts);
  // What wakes brings contacts of its own, which may wake more: until nothing new is listed.
  std::vector<ListedContact> woken;
  while (!world.new_awake_contacts.empty()) {
    std::vector<ListedContact> round;
    round.swap(world.new_awake_contacts);
    update_round(world, round);
    woken.insert(woken.end(), round.begin(), round.end());
  }
  world.new_awake_contacts.swap(woken);
  merge_listed_contacts(world);
  sort_awake_bodies(world);
}

}  // namespace jostle::physics
