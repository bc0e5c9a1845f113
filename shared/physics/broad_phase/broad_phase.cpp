#include "shared/physics/broad_phase/broad_phase.h"

#include "shared/geometry/bounds.h"
#include "shared/physics/broad_phase/pair_list.h"
#include "shared/physics/broad_phase/shape_bounds.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/continuous/fast_pairs.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/memory.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/effects/sensors.h"

#include <algorithm>

namespace jostle::physics {

using math::Aabb;
using math::Vec3;

namespace {

bool is_plane(const ShapeRecord& shape) {
  return shape.def.shape.kind == state::ShapeKind::Plane;
}

AabbTree& tree_of(WorldState& world, const ShapeRecord& shape) {
  return world.bodies[shape.body.index].motion == MotionType::Static ? world.static_tree
                                                                     : world.moving_tree;
}

void mark_moved(WorldState& world, std::uint32_t index) {
  ShapeRecord& shape = world.shapes[index];
  if (shape.is_moved) return;
  shape.is_moved = true;
  world.bounds[index].flags |= ShapeBounds::moved;
  world.moved_shapes.push_back(index);
}

Aabb fresh_fat_box(const WorldState& world, const Body& body, const Aabb& needed) {
  const float margin = body.motion == MotionType::Static ? 0.0f : fat_margin;
  const Aabb box =
      stretched(expanded(needed, margin), expected_travel(world, body) * fat_ahead_steps);
  // An extreme acceleration makes the box infinite, but only finite boxes can be restored.
  constexpr double far = 4 * max_coordinate;
  constexpr Aabb everything{{-far, -far, -far}, {far, far, far}};
  return is_finite(box.lower) && is_finite(box.upper) ? box : everything;
}

/// Adds to `found` the pairs of a shape with the shapes of other bodies whose fat AABBs overlap its
/// fat AABB. Pairs of two static shapes are left out; planes are always static. Filters and joints,
/// which may prevent a collision, are checked later, once the shapes are near.
void find_partners(const WorldState& world, std::uint32_t index, std::vector<FoundPair>& found) {
  const ShapeRecord& shape = world.shapes[index];
  const bool has_siblings = world.bodies[shape.body.index].shapes.size() > 1;
  const auto add = [&](std::uint32_t other) {
    if (other == index) return;
    if (has_siblings && world.bounds[other].body == shape.body.index) return;
    found.push_back({other < index ? pair_key(other, index) : pair_key(index, other), no_index});
  };
  if (is_plane(shape)) {
    const math::Pose pose = shape_pose(world.bodies[shape.body.index], shape);
    world.moving_tree.query_if([&](const Aabb& box) { return geometry::reaches_plane(box, pose); },
                               add);
    return;
  }
  world.moving_tree.query(shape.fat_box, add);
  if (world.bodies[shape.body.index].motion == MotionType::Static) return;
  world.static_tree.query(shape.fat_box, add);
  for (const std::uint32_t plane : world.planes) {
    if (fat_boxes_overlap(world, index, plane)) add(plane);
  }
}

/// Adds the contacts that existed while the bodies slept to WorldState::found_pairs. The shapes
/// that must search for further pairs are added to `seekers`.
void find_pairs_of_woken(WorldState& world, std::vector<std::uint32_t>& seekers) {
  for (const std::uint32_t body : world.woken_bodies) {
    if (!is_active(world.bodies[body])) continue;
    for_each_contact(world, body, [&](std::uint32_t index) {
      const Contact& contact = world.contacts[index];
      world.found_pairs.push_back({pair_key(contact.shape_a, contact.shape_b), index});
    });
    for (const ShapeHandle shape : world.bodies[body].shapes) {
      const ShapeRecord& record = world.shapes[shape.index];
      if (!record.is_moved && !record.def.is_sensor) seekers.push_back(shape.index);
    }
  }
  world.woken_bodies.clear();
}

/// Ends those contacts of an inactive body whose shapes no longer have overlapping fat AABBs. For
/// active bodies list_near_pairs does this.
void drop_distant_contacts(WorldState& world, std::uint32_t body) {
  for_each_contact(world, body, [&](std::uint32_t index) {
    const Contact& contact = world.contacts[index];
    if (!fat_boxes_overlap(world, contact.shape_a, contact.shape_b)) destroy_contact(world, index);
  });
}

}  // namespace

void insert_proxy(WorldState& world, std::uint32_t index) {
  ShapeRecord& shape = world.shapes[index];
  const Body& body = world.bodies[shape.body.index];
  if (shape.def.is_sensor) {
    world.bounds[index].flags = ShapeBounds::gone;
    const Aabb box = geometry::bounds(shape.def.shape, shape_pose(body, shape));
    shape.proxy = world.sensor_tree.insert(box, index);
    return;
  }
  world.places[index].thickness = thickness_of(shape.def.shape);
  world.places[index].core_radius = core_radius_of(shape.def.shape);
  place_shape(world, index, expected_motion(world.options, body));
  if (is_plane(shape)) {
    world.planes.insert(std::lower_bound(world.planes.begin(), world.planes.end(), index), index);
  } else {
    shape.proxy = tree_of(world, shape).insert(shape.fat_box, index);
  }
}

void make_room_for_bounds(WorldState& world) {
  if (world.bounds.size() >= world.shapes.size()) return;
  make_room(world.bounds, world.shapes.size());
  make_room(world.places, world.shapes.size());
  world.bounds.resize(world.shapes.size());
  world.places.resize(world.shapes.size());
}

void add_proxy(WorldState& world, std::uint32_t index) {
  ShapeRecord& shape = world.shapes[index];
  const Body& body = world.bodies[shape.body.index];
  make_room_for_bounds(world);
  if (shape.def.is_sensor) {
    insert_proxy(world, index);
    return;
  }
  shape.fat_box = fresh_fat_box(world, body, needed_box(world, body, shape));
  insert_proxy(world, index);
  mark_moved(world, index);
}

void remove_proxy(WorldState& world, std::uint32_t index) {
  ShapeRecord& shape = world.shapes[index];
  if (shape.def.is_sensor) {
    if (shape.proxy != no_index) world.sensor_tree.remove(shape.proxy);
    shape.proxy = no_index;
  } else if (is_plane(shape)) {
    std::erase(world.planes, index);
  } else if (shape.proxy != no_index) {
    tree_of(world, shape).remove(shape.proxy);
    shape.proxy = no_index;
  }
  if (shape.is_moved) {
    shape.is_moved = false;
    std::erase(world.moved_shapes, index);
  }
  // A shape that was added to an absent body has no bounds.
  if (index < world.bounds.size()) world.bounds[index].flags = ShapeBounds::gone;
}

bool refresh_places(WorldState& world, std::uint32_t body_index) {
  Body& body = world.bodies[body_index];
  body.is_changed = false;
  if (!is_present(body)) return false;
  const Motion motion = expected_motion(world.options, body);
  bool has_left = false;
  for (const ShapeHandle handle : body.shapes) {
    ShapeRecord& shape = world.shapes[handle.index];
    if (shape.def.is_sensor) continue;
    const Aabb needed = place_shape(world, handle.index, motion);
    if (contains(shape.fat_box, needed)) continue;
    shape.fat_box = fresh_fat_box(world, body, needed);
    shape.has_left_box = true;
    has_left = true;
  }
  return has_left;
}

void refit_proxies(WorldState& world, std::uint32_t body_index) {
  const Body& body = world.bodies[body_index];
  for (const ShapeHandle handle : body.shapes) {
    ShapeRecord& shape = world.shapes[handle.index];
    if (!shape.has_left_box) continue;
    shape.has_left_box = false;
    if (!is_plane(shape)) tree_of(world, shape).move(shape.proxy, shape.fat_box);
    mark_moved(world, handle.index);
  }
  if (!is_active(body)) drop_distant_contacts(world, body_index);
}

void refresh_proxies(WorldState& world, std::uint32_t body_index) {
  if (refresh_places(world, body_index)) refit_proxies(world, body_index);
  note_moved_for_sensors(world, body_index);
}

void refresh_changed_proxies(WorldState& world) {
  for (const std::uint32_t index : world.changed_bodies) {
    if (world.bodies[index].is_changed || world.are_all_changed) refresh_proxies(world, index);
  }
  world.are_all_changed = false;
}

void mark_body_moved(WorldState& world, std::uint32_t body_index) {
  const Body& body = world.bodies[body_index];
  if (!is_present(body)) return;
  for (const ShapeHandle shape : body.shapes)
    if (!world.shapes[shape.index].def.is_sensor) mark_moved(world, shape.index);
}

bool fat_boxes_overlap(const WorldState& world, std::uint32_t shape_a, std::uint32_t shape_b) {
  const ShapeRecord &a = world.shapes[shape_a], &b = world.shapes[shape_b];
  if (is_plane(a)) {
    return geometry::reaches_plane(b.fat_box, shape_pose(world.bodies[a.body.index], a));
  }
  if (is_plane(b)) {
    return geometry::reaches_plane(a.fat_box, shape_pose(world.bodies[b.body.index], b));
  }
  return overlaps(a.fat_box, b.fat_box);
}

void find_new_pairs(WorldState& world) {
  world.found_pairs.clear();
  std::vector<std::uint32_t>& seekers = world.index_scratch;
  seekers.assign(world.moved_shapes.begin(), world.moved_shapes.end());
  find_pairs_of_woken(world, seekers);

  constexpr std::size_t seekers_per_piece = 32, pieces_per_batch = 128;
  world.found_pieces.resize(pieces_per_batch);
  const auto seek = [&](std::uint32_t piece, Range range) {
    world.found_pieces[piece].clear();
    for (std::size_t i = range.first; i < range.last; ++i)
      find_partners(world, seekers[i], world.found_pieces[piece]);
  };
  const auto take = [&](std::uint32_t piece, Range) {
    const std::vector<FoundPair>& found = world.found_pieces[piece];
    world.found_pairs.insert(world.found_pairs.end(), found.begin(), found.end());
  };
  for_each_piece(*world.runtime.workers, seekers.size(), seekers_per_piece, pieces_per_batch, seek,
                 take);
  add_pairs(world, world.found_pairs);
}

void forget_moved_shapes(WorldState& world) {
  for (const std::uint32_t shape : world.moved_shapes) {
    world.shapes[shape].is_moved = false;
    world.bounds[shape].flags &= ~ShapeBounds::moved;
  }
  world.moved_shapes.clear();
}

}  // namespace jostle::physics
