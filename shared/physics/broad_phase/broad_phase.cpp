#include "shared/physics/broad_phase/broad_phase.h"

#include "shared/geometry/bounds.h"
#include "shared/physics/broad_phase/shape_bounds.h"
#include "shared/physics/contact_list.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/joint_list.h"

#include <algorithm>

namespace jostle::physics {

using math::Aabb;
using math::Vec3;

namespace {

bool is_plane(const ShapeRecord& shape) {
  return shape.def.shape.kind == state::ShapeKind::Plane;
}

Aabb stretched(const Aabb& box, Vec3 by) {
  return united(box, {box.lower + by, box.upper + by});
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
  return stretched(expanded(needed, margin), expected_travel(world, body) * fat_ahead_steps);
}

bool may_pair(const WorldState& world, std::uint32_t shape_a, std::uint32_t shape_b) {
  const std::uint32_t body_a = world.bounds[shape_a].body, body_b = world.bounds[shape_b].body;
  if (body_a == body_b || is_collision_disabled(world, body_a, body_b)) return false;
  if (!is_dynamic(world.bodies[body_a]) && !is_dynamic(world.bodies[body_b])) return false;
  return may_collide(world.shapes[shape_a].def.filter, world.shapes[shape_b].def.filter);
}

/// Makes the pair a contact unless it is one. Contacts with an active side are all in the list.
void add_pair(WorldState& world, std::uint64_t key) {
  const auto shape_a = static_cast<std::uint32_t>(key >> 32);
  const auto shape_b = static_cast<std::uint32_t>(key);
  const std::uint32_t flags = world.bounds[shape_a].flags | world.bounds[shape_b].flags;
  const bool is_known = (flags & ShapeBounds::active) != 0
                            ? find_listed_contact(world, key).has_value()
                            : find_contact(world, shape_a, shape_b).has_value();
  if (!is_known) create_contact(world, shape_a, shape_b);
}

void find_partners(WorldState& world, std::uint32_t index) {
  const ShapeRecord& shape = world.shapes[index];
  const bool is_static = world.bodies[shape.body.index].motion == MotionType::Static;
  const auto add = [&](std::uint32_t other) {
    // Of two that moved, the one with the smaller slot finds the pair.
    const bool is_left_to_other =
        other < index && (world.bounds[other].flags & ShapeBounds::moved) != 0;
    if (other == index || is_left_to_other || !may_pair(world, index, other)) return;
    world.pair_scratch.push_back(other < index ? pair_key(other, index) : pair_key(index, other));
  };
  if (is_plane(shape)) {
    const math::Pose pose = shape_pose(world.bodies[shape.body.index], shape);
    world.moving_tree.query_if([&](const Aabb& box) { return geometry::reaches_plane(box, pose); },
                               add);
    return;
  }
  world.moving_tree.query(shape.fat_box, add);
  if (is_static) return;
  world.static_tree.query(shape.fat_box, add);
  for (const std::uint32_t plane : world.planes) {
    if (fat_boxes_overlap(world, index, plane)) add(plane);
  }
}

/// Active bodies' contacts are looked at in the step; those of others would stay.
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
  place_shape(body, shape);
  set_bounds(world, index, needed_box(world, body, shape));
  if (is_plane(shape)) {
    world.planes.insert(std::lower_bound(world.planes.begin(), world.planes.end(), index), index);
  } else {
    shape.proxy = tree_of(world, shape).insert(shape.fat_box, index);
  }
}

void add_proxy(WorldState& world, std::uint32_t index) {
  ShapeRecord& shape = world.shapes[index];
  const Body& body = world.bodies[shape.body.index];
  if (world.bounds.size() < world.shapes.size()) world.bounds.resize(world.shapes.size());
  shape.fat_box = fresh_fat_box(world, body, needed_box(world, body, shape));
  insert_proxy(world, index);
  mark_moved(world, index);
}

void remove_proxy(WorldState& world, std::uint32_t index) {
  ShapeRecord& shape = world.shapes[index];
  if (is_plane(shape)) {
    std::erase(world.planes, index);
  } else if (shape.proxy != no_index) {
    tree_of(world, shape).remove(shape.proxy);
    shape.proxy = no_index;
  }
  if (shape.is_moved) {
    shape.is_moved = false;
    std::erase(world.moved_shapes, index);
  }
}

void refresh_proxies(WorldState& world, std::uint32_t body_index) {
  Body& body = world.bodies[body_index];
  body.is_changed = false;
  if (body.is_quarantined) return;
  for (const ShapeHandle handle : body.shapes) {
    ShapeRecord& shape = world.shapes[handle.index];
    place_shape(body, shape);
    const Aabb needed = needed_box(world, body, shape);
    set_bounds(world, handle.index, needed);
    if (contains(shape.fat_box, needed)) continue;
    shape.fat_box = fresh_fat_box(world, body, needed);
    if (!is_plane(shape)) {
      AabbTree& tree = tree_of(world, shape);
      tree.remove(shape.proxy);
      shape.proxy = tree.insert(shape.fat_box, handle.index);
    }
    mark_moved(world, handle.index);
    if (!is_active(body)) drop_distant_contacts(world, body_index);
  }
}

void refresh_changed_proxies(WorldState& world) {
  for (const std::uint32_t index : world.awake_bodies) {
    Body& body = world.bodies[index];
    if (body.is_changed || world.are_all_changed) refresh_proxies(world, index);
  }
  world.are_all_changed = false;
}

void mark_body_moved(WorldState& world, std::uint32_t body_index) {
  const Body& body = world.bodies[body_index];
  if (body.is_quarantined) return;
  for (const ShapeHandle shape : body.shapes)
    mark_moved(world, shape.index);
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
  merge_listed_contacts(world);
  world.pair_scratch.clear();
  for (const std::uint32_t shape : world.moved_shapes)
    find_partners(world, shape);
  std::sort(world.pair_scratch.begin(), world.pair_scratch.end());
  for (const std::uint64_t key : world.pair_scratch)
    add_pair(world, key);
}

void forget_moved_shapes(WorldState& world) {
  for (const std::uint32_t shape : world.moved_shapes) {
    world.shapes[shape].is_moved = false;
    world.bounds[shape].flags &= ~ShapeBounds::moved;
  }
  world.moved_shapes.clear();
}

}  // namespace jostle::physics
