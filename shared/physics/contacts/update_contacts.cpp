#include "shared/physics/contacts/update_contacts.h"

#include "shared/physics/broad_phase/pair_list.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/contacts/manifold_update.h"
#include "shared/physics/continuous/fast_pairs.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/count_work.h"
#include "shared/physics/detail/prefetch.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/islands/sleep.h"

#include <algorithm>
#include <span>

namespace jostle::physics {

using math::Vec3;

namespace {

Vec3 velocity_of(const Body& body) {
  return is_active(body) ? body.linear_velocity : Vec3{};
}

FastPair start_of(const WorldState& world, const ListedContact& entry) {
  const std::uint32_t a = entry.shape_a(), b = entry.shape_b();
  return {a,
          b,
          {world.places[a].centre, world.bodies[world.shapes[a].body.index].rotation},
          {world.places[b].centre, world.bodies[world.shapes[b].body.index].rotation}};
}

/// Returns true if a body overlaps a mesh or height field by more than a quarter of the body's
/// thickness (half of its smallest extent). Its middle may then pass the surface within the step.
bool is_half_through(const WorldState& world, const ListedContact& entry, const Contact& fresh) {
  const std::uint32_t a = entry.shape_a(), b = entry.shape_b();
  if (!is_surface(world.shapes[a].def.shape.kind) && !is_surface(world.shapes[b].def.shape.kind))
    return false;
  constexpr float share = 0.25f;
  return is_near(fresh,
                 -share * math::min_of(world.places[a].thickness, world.places[b].thickness));
}

/// Computes the points in which the two shapes touch now, or will within the step, and stores them
/// in `fresh`. Adds the pair to `piece.fast_pairs` if it needs continuous collision. `axis` is as
/// for find_manifolds.
void find_points(const WorldState& world, const ListedContact& entry, Vec3 axis,
                 CollisionPiece& piece, Contact& fresh) {
  const ShapeRecord &shape_a = world.shapes[entry.shape_a()],
                    &shape_b = world.shapes[entry.shape_b()];
  const ShapePlace &a = world.places[entry.shape_a()], &b = world.places[entry.shape_b()];
  const Vec3 between = b.centre - a.centre;
  Placing placing{{shape_a.def.shape, a.axes},
                  {shape_b.def.shape, b.axes},
                  a.from_centre,
                  between,
                  between + b.from_centre - a.from_centre,
                  b.travel - a.travel};
  const float reach = approach_reach(a, b);
  // The points of slow shapes are kept for several steps (keeps_points). They then include the
  // facets of all these steps.
  if (!world.uses(Stabilizer::CurvedTracks)) placing.travel = {};
  if (reach <= keep_points_approach) placing.travel = placing.travel * (1.0f + keep_points_steps);
  const bool may_pass = reach > math::min_of(a.thickness, b.thickness) &&
                        shape_a.def.shape.kind != state::ShapeKind::Plane &&
                        shape_b.def.shape.kind != state::ShapeKind::Plane;
  if (may_pass) {
    piece.fast_pairs.push_back(start_of(world, entry));
    collide_fast(world, placing, axis, piece.surface, piece.fast_pairs.back(), fresh);
  } else {
    find_manifolds(placing, speculative_distance + reach, axis, piece.surface, fresh);
  }
  if (!is_half_through(world, entry, fresh)) return;
  if (!may_pass) piece.fast_pairs.push_back(start_of(world, entry));
  piece.fast_pairs.back().is_half_through = true;
}

/// Returns true if a point of the contact had a normal impulse in the previous step. A touching
/// contact then keeps touching in this step.
bool is_pressed(const Contact& contact) {
  for (std::uint32_t k = 0; k < manifold_count(contact); ++k) {
    const Manifold& manifold = manifold_at(contact, k);
    for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
      if (manifold.points[i].normal_impulse > 0.0f) return true;
    }
  }
  return false;
}

void note_touching(const WorldState& world, Contact& contact, CollisionPiece& piece) {
  const bool was_touching = contact.is_touching;
  contact.is_touching = was_touching ? is_near(contact, 2 * touch_distance) || is_pressed(contact)
                                     : is_near(contact, touch_distance);
  if (contact.is_touching == was_touching) return;
  const ShapeHandle a = world.shape_pool.at(contact.shape_a);
  const ShapeHandle b = world.shape_pool.at(contact.shape_b);
  if (contact.is_touching) {
    piece.begins.push_back({a, b});
  } else {
    piece.ends.push_back({a, b});
  }
}

/// Returns true if the two shapes touch, or would touch within this step at the present velocities
/// of their bodies.
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

/// Wakes the sleeping body of a contact if the other body is an awake dynamic one or a moving
/// kinematic one, and the two are about to touch.
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

std::uint8_t count_points(const Contact& contact) {
  std::uint32_t count = 0;
  for (std::uint32_t k = 0; k < manifold_count(contact); ++k)
    count += manifold_at(contact, k).point_count;
  return static_cast<std::uint8_t>(count);
}

/// Returns true if one shape is a ball or a plane and the other is no mesh or height field.
/// The points of such a pair cost so little to recompute that keeping them would gain nothing.
bool is_simple(state::ShapeKind a, state::ShapeKind b) {
  const auto is_ball_or_plane = [](state::ShapeKind kind) {
    return kind == state::ShapeKind::Sphere || kind == state::ShapeKind::Plane;
  };
  return (is_ball_or_plane(a) && !is_surface(b)) || (is_ball_or_plane(b) && !is_surface(a));
}

/// Returns true if the contact's points are still valid for this step, because its shapes have
/// hardly moved relative to each other since the points were computed, and cannot approach much
/// within the step. The points, and how far the shapes have moved since then, are part of the
/// state.
bool keeps_points(const WorldState& world, const ListedContact& entry, const Contact& contact) {
  const ShapePlace &a = world.places[entry.shape_a()], &b = world.places[entry.shape_b()];
  if (is_simple(world.shapes[entry.shape_a()].def.shape.kind,
                world.shapes[entry.shape_b()].def.shape.kind)) {
    return false;
  }
  if (approach_reach(a, b) > keep_points_approach) return false;
  const Body& body_a = world.bodies[contact.body_a];
  const Body& body_b = world.bodies[contact.body_b];
  const float motion =
      length(velocity_of(body_b) - velocity_of(body_a)) * world.options.step_seconds +
      a.turn_reach + b.turn_reach;
  const float least = math::min_of(keep_points_distance,
                                   keep_points_share * math::min_of(a.thickness, b.thickness));
  const float limit = math::clamp(keep_points_steps * motion, least, keep_points_range * least);
  for (std::uint32_t k = 0; k < manifold_count(contact); ++k) {
    const float moved = manifold_at(contact, k).moved;
    if (moved < 0.0f || moved > limit) return false;
  }
  return true;
}

template <typename Value>
void append(std::vector<Value>& to, const std::vector<Value>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

/// Records a pair that has points in this step.
void note_points(const WorldState& world, std::size_t i, Contact& contact, ListedContact& entry,
                 CollisionPiece& piece) {
  note_touching(world, contact, piece);
  entry.has_points = true;
  entry.is_touching = contact.is_touching;
  const std::uint32_t flags =
      world.bounds[entry.shape_a()].flags | world.bounds[entry.shape_b()].flags;
  if ((flags & ShapeBounds::sleeper) != 0) {
    piece.beside_sleepers.push_back(static_cast<std::uint32_t>(i));
  }
}

/// Returns true if a pair without points must not get a contact. A pair with a known separating
/// axis has been checked before.
bool is_refused(const WorldState& world, const ListedContact& entry) {
  if (entry.pair == no_index) return false;
  if (!entry.has_moved && world.pairs[entry.pair].axis != Vec3{}) return false;
  return !may_pair(world, entry.shape_a(), entry.shape_b());
}

/// Updates one near pair. If the pair gets a new contact, take_results stores it in a slot later.
void update_pair(WorldState& world, std::span<ListedContact> entries, std::size_t i,
                 CollisionPiece& piece) {
  ListedContact& entry = entries[i];
  Contact* const contact = entry.index == no_index ? nullptr : &world.contacts[entry.index];
  if (contact != nullptr && keeps_points(world, entry, *contact)) {
    entry.point_count = count_points(*contact);
    note_points(world, i, *contact, entry, piece);
    return;
  }
  if (contact == nullptr && is_refused(world, entry)) {
    world.pairs[entry.pair].axis = {};
    world.pairs[entry.pair].contact = ListedPair::refused;
    return;
  }
  ++piece.updates;
  Contact& fresh = piece.fresh;
  fresh.is_touching = false;
  fresh.manifold.normal = {};
  fresh.manifold.point_count = 0;
  fresh.more.clear();
  fresh.shape_a = entry.shape_a();
  fresh.shape_b = entry.shape_b();
  find_points(world, entry,
              contact != nullptr ? contact->manifold.normal : world.pairs[entry.pair].axis, piece,
              fresh);
  entry.point_count = count_points(fresh);
  if (entry.point_count == 0) {
    if (contact != nullptr) piece.ended.push_back(entry.index);
    if (entry.pair != no_index) {
      world.pairs[entry.pair].axis = fresh.manifold.normal;
      world.pairs[entry.pair].contact = no_index;
    }
    return;
  }
  if (contact != nullptr) {
    take_over_impulses(*contact, fresh);
    contact->manifold = fresh.manifold;
    contact->more.swap(fresh.more);
  }
  note_points(world, i, contact != nullptr ? *contact : fresh, entry, piece);
  if (contact == nullptr) {
    piece.begun.push_back({static_cast<std::uint32_t>(i), fresh});
  }
}

/// Applies the results of a piece in the order of the list: ends contacts, stores new ones, and
/// collects events and fast pairs.
void take_results(WorldState& world, std::span<ListedContact> entries, CollisionPiece& piece,
                  std::vector<std::uint32_t>& beside_sleepers) {
  for (const std::uint32_t contact : piece.ended)
    end_contact(world, contact);
  for (const CollisionPiece::Begun& begun : piece.begun) {
    ListedContact& entry = entries[begun.entry];
    entry.index = add_contact(world, begun.contact);
    world.pairs[entry.pair].axis = {};
    world.pairs[entry.pair].contact = entry.index;
  }
  append(beside_sleepers, piece.beside_sleepers);
  append(world.fast_pairs, piece.fast_pairs);
  append(world.begins, piece.begins);
  append(world.pending_ends, piece.ends);
}

/// Prefetches a contact and its shapes a few iterations early, because they are scattered in
/// memory.
void fetch_early(const WorldState& world, const ListedContact& entry) {
  if (entry.index != no_index) prefetch(world.contacts[entry.index]);
  prefetch(world.places[entry.shape_b()]);
  prefetch(world.shapes[entry.shape_b()].def.shape);
}

/// Updates near pairs, and removes those without points from the list.
void update_listed(WorldState& world, std::vector<ListedContact>& entries) {
  constexpr std::size_t ahead = 3, pairs_per_piece = 32, pieces_per_batch = 128;
  world.collision_pieces.resize(pieces_per_batch);
  std::vector<std::uint32_t> beside_sleepers;
  const auto look = [&](std::uint32_t i, Range range) {
    CollisionPiece& piece = world.collision_pieces[i];
    piece.surface.kernels = &world.runtime.kernels->surfaces;
    piece.begun.clear();
    piece.ended.clear();
    piece.beside_sleepers.clear();
    piece.fast_pairs.clear();
    piece.begins.clear();
    piece.ends.clear();
    piece.updates = piece.surface.impact_searches = piece.surface.examined_triangles = 0;
    for (std::size_t k = range.first; k < range.last; ++k) {
      if (k + ahead < range.last) fetch_early(world, entries[k + ahead]);
      update_pair(world, entries, k, piece);
    }
    count_work(world.stats.work.contact_updates, piece.updates);
    count_work(world.stats.work.impact_searches, piece.surface.impact_searches);
    count_work(world.stats.work.triangles, piece.surface.examined_triangles);
  };
  const auto take = [&](std::uint32_t i, Range) {
    take_results(world, entries, world.collision_pieces[i], beside_sleepers);
  };
  for_each_piece(*world.runtime.workers, entries.size(), pairs_per_piece, pieces_per_batch, look,
                 take);
  for (const std::uint32_t entry : beside_sleepers)
    wake_by_contact(world, world.contacts[entries[entry].index]);
  std::erase_if(entries, [](const ListedContact& entry) { return !entry.has_points; });
}

bool is_key_less(const ListedContact& a, const ListedContact& b) {
  return a.key < b.key;
}

/// Returns the contacts of world.woken_bodies from index `first` on, sorted by key, except those
/// that are listed already. Destroys contacts whose shapes are not near each other any more.
std::vector<ListedContact> contacts_of_woken(WorldState& world, std::size_t first) {
  std::vector<ListedContact> found;
  for (std::size_t i = first; i < world.woken_bodies.size(); ++i) {
    for_each_contact(world, world.woken_bodies[i], [&](std::uint32_t index) {
      const Contact& contact = world.contacts[index];
      const ListedContact entry{pair_key(contact.shape_a, contact.shape_b), index, no_index};
      const std::vector<ListedContact>& listed = world.awake_contacts;
      if (std::binary_search(listed.begin(), listed.end(), entry, is_key_less)) return;
      if (overlaps(world.bounds[contact.shape_a], world.bounds[contact.shape_b])) {
        found.push_back(entry);
      } else {
        destroy_contact(world, index);
      }
    });
  }
  std::sort(found.begin(), found.end(), is_key_less);
  const auto is_same = [](const ListedContact& a, const ListedContact& b) {
    return a.key == b.key;
  };
  found.erase(std::unique(found.begin(), found.end(), is_same), found.end());
  return found;
}

}  // namespace

void update_contacts(WorldState& world) {
  world.fast_pairs.clear();
  list_near_pairs(world);
  std::size_t woken = world.woken_bodies.size();
  update_listed(world, world.awake_contacts);
  // Woken bodies bring further contacts, which may wake more bodies. Repeat until no more bodies
  // wake.
  while (woken < world.woken_bodies.size()) {
    std::vector<ListedContact> round = contacts_of_woken(world, woken);
    woken = world.woken_bodies.size();
    update_listed(world, round);
    const auto middle = static_cast<std::ptrdiff_t>(world.awake_contacts.size());
    append(world.awake_contacts, round);
    std::inplace_merge(world.awake_contacts.begin(), world.awake_contacts.begin() + middle,
                       world.awake_contacts.end(), is_key_less);
  }
  sort_awake_bodies(world);
}

}  // namespace jostle::physics
