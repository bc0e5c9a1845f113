#include "shared/physics/debug_draw.h"

#include "shared/base/assert.h"
#include "shared/geometry/bounds.h"
#include "shared/physics/broad_phase/shape_bounds.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/detail/disjoint_sets.h"
#include "shared/physics/detail/drawing.h"
#include "shared/physics/effects/force_field_effects.h"
#include "shared/physics/world/joint_list.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jostle::physics {

using math::Aabb;
using math::Position;
using math::Vec3;

namespace {

bool are_valid(const DebugDrawOptions& o) {
  const bool is_box_finite = !o.box || (is_finite(o.box->lower) && is_finite(o.box->upper));
  return is_box_finite && std::isfinite(o.impulse_scale) && std::isfinite(o.velocity_scale) &&
         std::isfinite(o.angular_velocity_scale) && std::isfinite(o.normal_length) &&
         std::isfinite(o.axis_length) && std::isfinite(o.plane_half_size);
}

void sort_out(std::vector<std::uint32_t>& slots) {
  std::sort(slots.begin(), slots.end());
  slots.erase(std::unique(slots.begin(), slots.end()), slots.end());
}

bool reaches(const WorldState& world, std::uint32_t index, const Aabb& box) {
  const ShapeRecord& shape = world.shapes[index];
  if (shape.def.shape.kind != state::ShapeKind::Plane)
    return overlaps(box_of_shape(world, index), box);
  return geometry::reaches_plane(box, shape_pose(world.bodies[shape.body.index], shape));
}

std::vector<std::uint32_t> visited_shapes(const Drawing& drawing) {
  const WorldState& world = drawing.world;
  std::vector<std::uint32_t> slots;
  if (!drawing.options.box) {
    for (std::uint32_t i = 0; i < world.shape_pool.slot_count(); ++i) {
      if (!world.shape_pool.is_alive_index(i)) continue;
      if (is_present(world.bodies[world.shapes[i].body.index])) slots.push_back(i);
    }
    return slots;
  }
  const Aabb& box = *drawing.options.box;
  const auto add = [&](std::uint32_t index) {
    if (reaches(world, index, box)) slots.push_back(index);
  };
  world.static_tree.query(box, add);
  world.moving_tree.query(box, add);
  world.sensor_tree.query(box, add);
  for (const std::uint32_t plane : world.planes)
    add(plane);
  sort_out(slots);
  return slots;
}

/// Returns the bodies of the visited shapes, and the bodies without shapes within the box.
std::vector<std::uint32_t> visited_bodies(const Drawing& drawing,
                                          const std::vector<std::uint32_t>& shapes) {
  const WorldState& world = drawing.world;
  std::vector<std::uint32_t> slots;
  slots.reserve(shapes.size());
  for (const std::uint32_t shape : shapes)
    slots.push_back(world.shapes[shape].body.index);
  for (std::uint32_t i = 0; i < world.body_pool.slot_count(); ++i) {
    if (!world.body_pool.is_alive_index(i) || !world.bodies[i].shapes.empty()) continue;
    if (is_present(world.bodies[i]) && drawing.is_in_box(world.bodies[i].position))
      slots.push_back(i);
  }
  sort_out(slots);
  return slots;
}

/// Returns the island number of each body slot; `no_island` for bodies that are in no island.
std::vector<std::uint32_t> number_islands(const WorldState& world) {
  std::vector<std::uint32_t> parents;
  DisjointSets sets(parents, static_cast<std::uint32_t>(world.bodies.size()));
  const auto is_member = [&](std::uint32_t body) {
    return world.body_pool.is_alive_index(body) && is_dynamic(world.bodies[body]) &&
           is_present(world.bodies[body]);
  };
  const auto unite = [&](std::uint32_t a, std::uint32_t b) {
    if (is_member(a) && is_member(b)) sets.unite(a, b);
  };
  for (const Contact& contact : world.contacts)
    if (!contact.is_dead && contact.is_touching) unite(contact.body_a, contact.body_b);
  for (const JointRecord& joint : world.joints)
    if (joint.is_linked) unite(joint.def.body_a.index, joint.def.body_b.index);
  std::uint32_t bonded = no_index;
  for (const std::uint32_t body : world.bonded_bodies) {
    if (!is_member(body) || !is_bonded(world, world.bodies[body])) continue;
    if (bonded != no_index) unite(bonded, body);
    bonded = body;
  }
  std::vector<std::uint32_t> numbers(world.bodies.size(), DrawLabel::no_island);
  std::uint32_t count = 0;
  for (std::uint32_t i = 0; i < numbers.size(); ++i) {
    if (!is_member(i)) continue;
    // The smallest slot represents a set and comes first.
    const std::uint32_t first = sets.find(i);
    numbers[i] = first == i ? count++ : numbers[first];
  }
  return numbers;
}

DrawKind kind_of(const WorldState& world, const ShapeRecord& shape) {
  const Body& body = world.bodies[shape.body.index];
  if (shape.def.is_sensor) return DrawKind::SensorShape;
  if (body.motion == MotionType::Static) return DrawKind::StaticShape;
  if (body.motion == MotionType::Kinematic) return DrawKind::KinematicShape;
  return body.is_awake ? DrawKind::AwakeShape : DrawKind::SleepingShape;
}

void draw_box(const Drawing& drawing, const Aabb& box, const DrawLabel& label) {
  const Vec3 half = (box.upper - box.lower) * 0.5f;
  drawing.receiver.box({box.lower + half, {}}, half, label);
}

void draw_shapes(const Drawing& drawing, const std::vector<std::uint32_t>& shapes) {
  for (const std::uint32_t index : shapes) {
    const ShapeRecord& shape = drawing.world.shapes[index];
    const DrawKind kind = kind_of(drawing.world, shape);
    if (drawing.wants(kind)) draw_shape(drawing, index, drawing.label(kind, shape.body.index));
  }
}

void draw_boxes(const Drawing& drawing, const std::vector<std::uint32_t>& shapes) {
  const bool wants_tight = drawing.wants(DrawKind::Aabb),
             wants_fat = drawing.wants(DrawKind::FatAabb);
  if (!wants_tight && !wants_fat) return;
  for (const std::uint32_t index : shapes) {
    const ShapeRecord& shape = drawing.world.shapes[index];
    const std::uint32_t body = shape.body.index;
    if (shape.def.shape.kind == state::ShapeKind::Plane) continue;
    if (wants_tight)
      draw_box(drawing, box_of_shape(drawing.world, index), drawing.label(DrawKind::Aabb, body));
    // Sensors have no fat AABB.
    if (wants_fat && !shape.def.is_sensor)
      draw_box(drawing, shape.fat_box, drawing.label(DrawKind::FatAabb, body));
  }
}

void draw_bodies(const Drawing& drawing, const std::vector<std::uint32_t>& bodies) {
  const DebugDrawOptions& options = drawing.options;
  for (const std::uint32_t index : bodies) {
    const Body& body = drawing.world.bodies[index];
    if (drawing.wants(DrawKind::CentreOfMass) && is_dynamic(body))
      drawing.receiver.point(body.position, drawing.label(DrawKind::CentreOfMass, index));
    if (drawing.wants(DrawKind::LinearVelocity)) {
      drawing.arrow(body.position, body.linear_velocity * options.velocity_scale,
                    drawing.label(DrawKind::LinearVelocity, index));
    }
    if (drawing.wants(DrawKind::AngularVelocity)) {
      drawing.arrow(body.position, body.angular_velocity * options.angular_velocity_scale,
                    drawing.label(DrawKind::AngularVelocity, index));
    }
  }
}

void draw_manifold(const Drawing& drawing, const Contact& contact, const Manifold& manifold) {
  const DebugDrawOptions& options = drawing.options;
  const Position origin = drawing.world.bodies[contact.body_a].position;
  const auto label = [&](DrawKind kind) { return drawing.label(kind, contact.body_b); };
  Vec3 middle;
  for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
    const ManifoldPoint& point = manifold.points[i];
    const Position at = origin + point.offset_a;
    middle += point.offset_a * (1.0f / static_cast<float>(manifold.point_count));
    if (!drawing.is_in_box(at)) continue;
    if (drawing.wants(DrawKind::ContactPoint))
      drawing.receiver.point(at, label(DrawKind::ContactPoint));
    if (drawing.wants(DrawKind::ContactNormal))
      drawing.arrow(at, manifold.normal * options.normal_length, label(DrawKind::ContactNormal));
    if (drawing.wants(DrawKind::ContactImpulse)) {
      drawing.arrow(at, manifold.normal * (point.step_impulse * options.impulse_scale),
                    label(DrawKind::ContactImpulse));
    }
  }
  if (!drawing.wants(DrawKind::FrictionImpulse) || !drawing.is_in_box(origin + middle)) return;
  const auto substeps = static_cast<float>(drawing.world.options.substeps);
  drawing.arrow(origin + middle, manifold.friction_impulse * (substeps * options.impulse_scale),
                label(DrawKind::FrictionImpulse));
}

void draw_contacts(const Drawing& drawing, const std::vector<std::uint32_t>& bodies) {
  constexpr DrawKinds kinds = bit_of(DrawKind::ContactPoint) | bit_of(DrawKind::ContactNormal) |
                              bit_of(DrawKind::ContactImpulse) | bit_of(DrawKind::FrictionImpulse);
  if ((drawing.options.kinds & kinds) == 0) return;
  const WorldState& world = drawing.world;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;
  for (const std::uint32_t body : bodies) {
    if (!is_dynamic(world.bodies[body])) continue;  // at least one body of each contact is dynamic
    for_each_contact(world, body, [&](std::uint32_t index) {
      const Contact& contact = world.contacts[index];
      if (contact.is_touching)
        order.emplace_back(pair_key(contact.shape_a, contact.shape_b), index);
    });
  }
  std::sort(order.begin(), order.end());
  order.erase(std::unique(order.begin(), order.end()), order.end());
  for (const auto& [key, index] : order) {
    const Contact& contact = world.contacts[index];
    for (std::uint32_t k = 0; k < manifold_count(contact); ++k)
      draw_manifold(drawing, contact, manifold_at(contact, k));
  }
}

void draw_joints(const Drawing& drawing, const std::vector<std::uint32_t>& bodies) {
  constexpr DrawKinds kinds = bit_of(DrawKind::JointFrame) | bit_of(DrawKind::JointArm) |
                              bit_of(DrawKind::JointLink) | bit_of(DrawKind::JointLimit) |
                              bit_of(DrawKind::JointImpulse);
  if ((drawing.options.kinds & kinds) == 0) return;
  std::vector<std::uint32_t> joints;
  for (const std::uint32_t body : bodies)
    for_each_joint(drawing.world, body, [&](std::uint32_t joint) { joints.push_back(joint); });
  sort_out(joints);
  for (const std::uint32_t joint : joints)
    draw_joint(drawing, joint);
}

void draw_islands(const Drawing& drawing, const std::vector<std::uint32_t>& bodies) {
  if (!drawing.wants(DrawKind::Island)) return;
  const WorldState& world = drawing.world;
  std::vector<bool> is_shown(world.bodies.size(), false);  // indexed by island number
  for (const std::uint32_t body : bodies)
    if (drawing.islands[body] != DrawLabel::no_island) is_shown[drawing.islands[body]] = true;
  std::vector<std::optional<Aabb>> boxes(world.bodies.size());
  for (std::uint32_t i = 0; i < world.bodies.size(); ++i) {
    if (drawing.islands[i] == DrawLabel::no_island || !is_shown[drawing.islands[i]]) continue;
    std::optional<Aabb>& box = boxes[drawing.islands[i]];
    const Position centre = world.bodies[i].position;
    box = box ? united(*box, {centre, centre}) : Aabb{centre, centre};
    for (const ShapeHandle shape : world.bodies[i].shapes)
      if (!world.shapes[shape.index].def.is_sensor)
        box = united(*box, box_of_shape(world, shape.index));
  }
  for (std::uint32_t number = 0; number < boxes.size(); ++number) {
    if (!boxes[number]) continue;
    DrawLabel label;
    label.kind = DrawKind::Island;
    label.island = number;
    draw_box(drawing, *boxes[number], label);
  }
}

}  // namespace

void debug_draw(const World& world, const DebugDrawOptions& options, DebugDrawReceiver& receiver) {
  JOSTLE_ASSERT(are_valid(options));
  Drawing drawing{*world.state_, options, receiver, {}};
  if (drawing.wants(DrawKind::Island)) drawing.islands = number_islands(drawing.world);
  const std::vector<std::uint32_t> shapes = visited_shapes(drawing);
  const std::vector<std::uint32_t> bodies = visited_bodies(drawing, shapes);
  draw_shapes(drawing, shapes);
  draw_boxes(drawing, shapes);
  draw_bodies(drawing, bodies);
  draw_contacts(drawing, bodies);
  draw_joints(drawing, bodies);
  draw_islands(drawing, bodies);
}

}  // namespace jostle::physics
