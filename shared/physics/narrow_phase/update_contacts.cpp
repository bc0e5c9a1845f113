#include "shared/physics/narrow_phase/update_contacts.h"

#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/contact_list.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/narrow_phase/collide.h"
#include "shared/physics/sleep.h"

namespace jostle::physics {

using math::Vec3;

namespace {

Vec3 velocity_of(const Body& body) {
  return is_active(body) ? body.linear_velocity : Vec3{};
}

/// How far the two surfaces can approach each other within a step.
float approach_reach(const WorldState& world, const Body& a, const Body& b) {
  const float speed = length(velocity_of(b) - velocity_of(a));
  const float spin = (is_active(a) ? length(a.angular_velocity) * a.extent : 0.0f) +
                     (is_active(b) ? length(b.angular_velocity) * b.extent : 0.0f);
  return (speed + spin) * world.options.step_seconds;
}

/// Takes impulses over by feature name; what found no namesake takes them from an old point at
/// the same place, which has changed its name only.
void match_points(const Manifold& old, Manifold& fresh) {
  std::array<bool, max_manifold_points> is_taken{}, is_matched{};
  const auto take = [&](std::uint32_t i, std::uint32_t k) {
    fresh.points[i].normal_impulse = old.points[k].normal_impulse;
    is_taken[k] = true;
    is_matched[i] = true;
  };
  for (std::uint32_t i = 0; i < fresh.point_count; ++i) {
    for (std::uint32_t k = 0; k < old.point_count; ++k) {
      if (!is_taken[k] && old.points[k].feature == fresh.points[i].feature) {
        take(i, k);
        break;
      }
    }
  }
  constexpr float same_place_squared = 0.02f * 0.02f;  // m²
  for (std::uint32_t i = 0; i < fresh.point_count; ++i) {
    if (is_matched[i]) continue;
    for (std::uint32_t k = 0; k < old.point_count; ++k) {
      const Vec3 apart = old.points[k].offset_a - fresh.points[i].offset_a;
      if (!is_taken[k] && length_squared(apart) < same_place_squared) {
        take(i, k);
        break;
      }
    }
  }
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

/// The two shapes of a contact as the collision functions want them.
struct Placing {
  PlacedShape a, b;
  Vec3 origin_a;  // of shape a from its body's centre of mass
  Vec3 between;   // the bodies' centres of mass
  Vec3 offset;    // the shapes' origins
};

Manifold manifold_from(const Collision& collision, const Placing& placing) {
  Manifold fresh;
  fresh.normal = collision.normal;
  fresh.point_count = collision.point_count;
  for (std::uint32_t i = 0; i < collision.point_count; ++i) {
    const CollisionPoint& point = collision.points[i];
    fresh.points[i].offset_a = placing.origin_a + point.position;
    fresh.points[i].offset_b = fresh.points[i].offset_a - placing.between;
    fresh.points[i].separation = point.separation;
    fresh.points[i].feature = point.feature;
  }
  return fresh;
}

void take_over(const Manifold& old, Manifold& fresh) {
  if (fresh.point_count == 0) return;
  fresh.friction_impulse = old.friction_impulse;
  fresh.twist_impulse = old.twist_impulse;
  fresh.reference_impulse = old.reference_impulse;
  match_points(old, fresh);
}

/// The old manifold whose direction is nearest to a new one's takes its place.
void take_over_by_direction(const Contact& old, Contact& fresh) {
  std::array<bool, max_manifolds> is_taken{};
  for (std::uint32_t i = 0; i < manifold_count(fresh); ++i) {
    Manifold& manifold = manifold_at(fresh, i);
    constexpr float one_direction = 0.9f;
    float best = one_direction;
    std::uint32_t match = no_index;
    for (std::uint32_t k = 0; k < manifold_count(old); ++k) {
      const float along = dot(manifold_at(old, k).normal, manifold.normal);
      if (!is_taken[k] && along > best) {
        best = along;
        match = k;
      }
    }
    if (match == no_index) continue;
    is_taken[match] = true;
    take_over(manifold_at(old, match), manifold);
  }
}

void update_surface_manifolds(Contact& contact, const Placing& placing, float margin,
                              SurfaceScratch& scratch) {
  CollisionSet set;
  collide_surface(placing.a, placing.b, placing.offset, margin, scratch, set);
  Contact old;
  old.manifold = contact.manifold;
  old.more.swap(contact.more);
  contact.manifold = {};
  for (std::uint32_t k = 0; k < set.count; ++k) {
    const Manifold fresh = manifold_from(set.collisions[k], placing);
    if (k == 0) {
      contact.manifold = fresh;
    } else {
      contact.more.push_back(fresh);
    }
  }
  take_over_by_direction(old, contact);
}

void update_manifold(WorldState& world, Contact& contact) {
  const ShapeRecord &shape_a = world.shapes[contact.shape_a],
                    &shape_b = world.shapes[contact.shape_b];
  const Body &a = world.bodies[contact.body_a], &b = world.bodies[contact.body_b];
  const Vec3 between = b.position - a.position;
  const Placing placing{{shape_a.def.shape, shape_a.axes},
                        {shape_b.def.shape, shape_b.axes},
                        shape_a.from_centre,
                        between,
                        between + shape_b.from_centre - shape_a.from_centre};
  const float margin = speculative_distance + approach_reach(world, a, b);
  if (is_surface(shape_a.def.shape.kind) || is_surface(shape_b.def.shape.kind)) {
    update_surface_manifolds(contact, placing, margin, world.surface_scratch);
    return;
  }
  const Collision collision =
      collide(placing.a, placing.b, placing.offset, margin, contact.manifold.normal);
  Manifold fresh = manifold_from(collision, placing);
  take_over(contact.manifold, fresh);
  contact.manifold = fresh;
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
bool wake_by_contact(WorldState& world, const Contact& contact) {
  const auto is_mover = [](const Body& body) {
    return is_active(body) &&
           (is_dynamic(body) || body.linear_velocity != Vec3{} || body.angular_velocity != Vec3{});
  };
  const auto is_sleeper = [](const Body& body) { return is_dynamic(body) && !body.is_awake; };
  const Body &a = world.bodies[contact.body_a], &b = world.bodies[contact.body_b];
  if (is_mover(a) && is_sleeper(b) && is_about_to_touch(world, contact)) {
    wake_island(world, contact.body_b);
    return true;
  }
  if (is_mover(b) && is_sleeper(a) && is_about_to_touch(world, contact)) {
    wake_island(world, contact.body_a);
    return true;
  }
  return false;
}

}  // namespace

void update_contacts(WorldState& world) {
  merge_listed_contacts(world);
  // What wakes brings contacts of its own, which may wake more: until nothing new is listed.
  std::vector<ListedContact> round = world.awake_contacts;
  while (!round.empty()) {
    for (const ListedContact& entry : round) {
      if (world.contacts[entry.index].is_dead) continue;
      if (!fat_boxes_overlap(world, world.contacts[entry.index].shape_a,
                             world.contacts[entry.index].shape_b)) {
        destroy_contact(world, entry.index);
        continue;
      }
      update_manifold(world, world.contacts[entry.index]);
      note_touching(world, world.contacts[entry.index]);
    }
    for (const ListedContact& entry : round) {
      if (!world.contacts[entry.index].is_dead) {
        wake_by_contact(world, world.contacts[entry.index]);
      }
    }
    round = world.new_awake_contacts;
    merge_listed_contacts(world);
  }
  sort_awake_bodies(world);
}

}  // namespace jostle::physics
