#include "shared/physics/broad_phase/broad_phase.h"

#include "shared/geometry/bounds.h"
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

/// Where a body's points may get within a step by what is known before it.
Vec3 expected_travel(const WorldState& world, const Body& body) {
  if (!is_active(body)) return {};
  const float dt = world.options.step_seconds;
  Vec3 travel = body.linear_velocity * dt;
  if (is_dynamic(body)) travel += world.options.gravity * (body.gravity_scale * dt * dt);
  return travel;
}

/// How far rotation may carry the corners of a body within a step.
float rotation_reach(const WorldState& world, const Body& body) {
  if (!is_active(body)) return 0.0f;
  const float angle = length(body.angular_velocity) * world.options.step_seconds;
  return math::min_of(angle, 1.0f) * body.extent;
}

AabbTree& tree_of(WorldState& world, const ShapeRecord& shape) {
  return world.bodies[shape.body.index].motion == MotionType::Static ? world.static_tree
                                                                     : world.moving_tree;
}

void mark_moved(WorldState& world, std::uint32_t index) {
  ShapeRecord& shape = world.shapes[index];
  if (shape.is_moved) return;
  shape.is_moved = true;
  world.moved_shapes.push_back(index);
}

/// The box that must lie within the fat box for no contact to be missed in the next step. Half of
/// the speculative distance on either side covers it for the pair.
Aabb needed_box(const WorldState& world, const Body& body, const ShapeRecord& shape) {
  const Aabb tight = geometry::bounds(shape.def.shape, shape_pose(body, shape));
  const float margin = 0.5f * speculative_distance + rotation_reach(world, body);
  return stretched(expanded(tight, margin), expected_travel(world, body));
}

Aabb fresh_fat_box(const WorldState& world, const Body& body, const ShapeRecord& shape) {
  const float margin = body.motion == MotionType::Static ? 0.0f : fat_margin;
  return stretched(expanded(needed_box(world, body, shape), margin),
                   expected_travel(world, body) * fat_ahead_steps);
}

void find_partners(WorldState& world, std::uint32_t index) {
  const ShapeRecord& shape = world.shapes[index];
  const bool is_static = world.bodies[shape.body.index].motion == MotionType::Static;
  const auto add = [&](std::uint32_t other) {
    if (other == index) return;
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

bool may_pair(const WorldState& world, std::uint32_t shape_a, std::uint32_t shape_b) {
  const ShapeRecord &a = world.shapes[shape_a], &b = world.shapes[shape_b];
  if (a.body == b.body || !may_collide(a.def.filter, b.def.filter)) return false;
  if (is_collision_disabled(world, a.body.index, b.body.index)) return false;
  return is_dynamic(world.bodies[a.body.index]) || is_dynamic(world.bodies[b.body.index]);
}

}  // namespace

void insert_proxy(WorldState& world, std::uint32_t index) {
  ShapeRecord& shape = world.shapes[index];
  place_shape(world.bodies[shape.body.index], shape);
  if (is_plane(shape)) {
    world.planes.insert(std::lower_bound(world.planes.begin(), world.planes.end(), index), index);
  } else {
    shape.proxy = tree_of(world, shape).insert(shape.fat_box, index);
  }
}

void add_proxy(WorldState& world, std::uint32_t index) {
  ShapeRecord& shape = world.shapes[index];
  place_shape(world.bodies[shape.body.index], shape);
  shape.fat_box = fresh_fat_box(world, world.bodies[shape.body.index], shape);
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
  const Body& body = world.bodies[body_index];
  if (body.is_quarantined) return;
  for (const ShapeHandle handle : body.shapes) {
    ShapeRecord& shape = world.shapes[handle.index];
    place_shape(body, shape);
    if (contains(shape.fat_box, needed_box(world, body, shape))) continue;
    shape.fat_box = fresh_fat_box(world, body, shape);
    if (!is_plane(shape)) {
      AabbTree& tree = tree_of(world, shape);
      tree.remove(shape.proxy);
      shape.proxy = tree.insert(shape.fat_box, handle.index);
    }
    mark_moved(world, handle.index);
  }
}

void mark_body_moved(WorldState& world, std::uint32_t body_index) {
  const Body& body = world.bodies[body_index];
  if (body.is_quarantined) return;
  for (const ShapeHandle shape : body.shapes)
    mark_moved(world, shape.index);
}

void refresh_awake_proxies(WorldState& world) {
  for (const std::uint32_t body : world.awake_bodies)
    refresh_proxies(world, body);
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
  world.pair_scratch.clear();
  for (const std::uint32_t shape : world.moved_shapes)
    find_partners(world, shape);
  for (const std::uint32_t shape : world.moved_shapes)
    world.shapes[shape].is_moved = false;
  world.moved_shapes.clear();

  std::sort(world.pair_scratch.begin(), world.pair_scratch.end());
  const auto last = std::unique(world.pair_scratch.begin(), world.pair_scratch.end());
  for (auto key = world.pair_scratch.begin(); key != last; ++key) {
    const auto shape_a = static_cast<std::uint32_t>(*key >> 32);
    const auto shape_b = static_cast<std::uint32_t>(*key);
    if (may_pair(world, shape_a, shape_b) && !find_contact(world, shape_a, shape_b)) {
      create_contact(world, shape_a, shape_b);
    }
  }
}

}  // namespace jostle::physics
