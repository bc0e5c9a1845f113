#pragma once

#include "shared/forces/field_parts.h"
#include "shared/physics/detail/joint_record.h"
#include "shared/physics/detail/records.h"
#include "shared/physics/field.h"
#include "shared/physics/particles/particle_set.h"
#include "shared/physics/world.h"

#include <memory>
#include <type_traits>

namespace jostle::physics {

// The fields that are state, each listed once: the archive that visits them writes, reads or
// hashes. `Record` is the const or the mutable form of the struct.

template <typename Archive, typename Record>
void visit_vector(Archive& archive, Record& v) {
  archive(v.x);
  archive(v.y);
  archive(v.z);
}

template <typename Archive, typename Record>
void visit_quaternion(Archive& archive, Record& q) {
  visit_vector(archive, q);
  archive(q.w);
}

template <typename Archive, typename Record>
void visit_options(Archive& archive, Record& options) {
  visit_vector(archive, options.gravity);
  archive(options.step_seconds);
  archive(options.substeps);
  archive(options.is_sleeping_enabled);
  archive(options.sleep_linear_speed);
  archive(options.sleep_angular_speed);
  archive(options.sleep_seconds);
  archive(options.restitution_threshold);
  archive(options.contact_hertz);
  archive(options.contact_damping_ratio);
  archive(options.max_contact_push_speed);
  archive(options.joint_hertz);
  archive(options.joint_damping_ratio);
  archive(options.max_linear_speed);
  archive(options.max_angular_speed);
}

/// Locks, and whether mass properties follow that stand in place of those of the shapes.
template <typename Archive, typename Record>
void visit_body_flags(Archive& archive, Record& body) {
  constexpr std::uint8_t has_centre = 64, has_inertia = 128;
  std::uint8_t flags = body.locks;
  if (body.rare && body.rare->has_centre) flags |= has_centre;
  if (body.rare && body.rare->has_inertia) flags |= has_inertia;
  archive.flags(flags, state::lock_all | has_centre | has_inertia);
  if constexpr (!std::is_const_v<Record>) {
    body.locks = flags & state::lock_all;
    if ((flags & (has_centre | has_inertia)) == 0) return;
    rare_state(body).has_centre = (flags & has_centre) != 0;
    rare_state(body).has_inertia = (flags & has_inertia) != 0;
  }
}

template <typename Archive, typename Record>
void visit_mass_properties(Archive& archive, Record& body) {
  if (!body.rare) return;
  if (body.rare->has_centre) visit_vector(archive, body.rare->centre);
  if (!body.rare->has_inertia) return;
  visit_vector(archive, body.rare->inertia.cx);
  visit_vector(archive, body.rare->inertia.cy);
  visit_vector(archive, body.rare->inertia.cz);
}

template <typename Archive, typename Record>
void visit_body(Archive& archive, Record& body) {
  archive.enumerator(body.motion, state::motion_type_count);
  archive(body.is_sleep_allowed);
  visit_body_flags(archive, body);
  archive(body.is_quarantined);
  archive.enumerator(body.target_state, target_state_count);
  visit_vector(archive, body.position);
  visit_quaternion(archive, body.rotation);
  visit_vector(archive, body.linear_velocity);
  visit_vector(archive, body.angular_velocity);
  visit_vector(archive, body.angular_momentum);
  visit_vector(archive, body.force);
  visit_vector(archive, body.torque);
  archive(body.linear_damping);
  archive(body.angular_damping);
  archive(body.gravity_scale);
  archive(body.mass_override);
  archive(body.taut_factor);
  math::Pose target = target_of(body);
  visit_vector(archive, target.position);
  visit_quaternion(archive, target.rotation);
  if constexpr (!std::is_const_v<Record>) set_target(body, target);
  visit_mass_properties(archive, body);
  archive(body.user_data);
}

/// The state of sleep; with the touching contacts, all there is to islands.
template <typename Archive, typename Record>
void visit_sleep(Archive& archive, Record& body) {
  archive(body.is_awake);
  archive(body.is_reported_awake);
  archive(body.sleep_time);
}

template <typename Archive, typename Record>
void visit_shape(Archive& archive, Record& shape) {
  archive.enumerator(shape.def.shape.kind, state::shape_kind_count);
  archive(shape.def.shape.radius);
  archive(shape.def.shape.half_segment);
  visit_vector(archive, shape.def.shape.half_extents);
  if (state::has_solid(shape.def.shape.kind)) archive.solid(shape.def.shape.solid);
  visit_vector(archive, shape.def.local.offset);
  visit_quaternion(archive, shape.def.local.rotation);
  archive(shape.def.material.friction);
  archive(shape.def.material.restitution);
  archive(shape.def.material.rolling_resistance);
  archive(shape.def.material.spinning_resistance);
  archive(shape.def.density);
  archive(shape.def.filter.category);
  archive(shape.def.filter.mask);
  archive(shape.def.filter.group);
  visit_vector(archive, shape.fat_box.lower);
  visit_vector(archive, shape.fat_box.upper);
  constexpr std::uint8_t is_moved = 1, is_sensor = 2, has_belt = 4;
  auto flags = static_cast<std::uint8_t>(
      (shape.is_moved ? is_moved : 0) | (shape.def.is_sensor ? is_sensor : 0) |
      (shape.def.surface_velocity != math::Vec3{} ? has_belt : 0));
  archive.flags(flags, is_moved | is_sensor | has_belt);
  if constexpr (!std::is_const_v<Record>) {
    shape.is_moved = (flags & is_moved) != 0;
    shape.def.is_sensor = (flags & is_sensor) != 0;
  }
  if ((flags & has_belt) != 0) visit_vector(archive, shape.def.surface_velocity);
}

template <typename Archive, typename Record>
void visit_manifold(Archive& archive, Record& manifold) {
  archive(manifold.point_count);
  visit_vector(archive, manifold.normal);
  if (manifold.point_count == 0 || manifold.point_count > max_manifold_points) return;
  visit_vector(archive, manifold.friction_impulse);
  archive(manifold.twist_impulse);
  archive(manifold.moved);
  visit_vector(archive, manifold.resistance_impulse);
  archive(manifold.is_held);
  for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
    auto& point = manifold.points[i];
    visit_vector(archive, point.offset_a);
    visit_vector(archive, point.offset_b);
    archive(point.separation);
    archive(point.normal_impulse);
    archive(point.step_impulse);
    archive(point.feature);
  }
}

/// A contact without its manifolds, and how many it has.
template <typename Archive, typename Record, typename Count>
void visit_contact(Archive& archive, Record& contact, Count& manifolds) {
  archive(contact.shape_a);
  archive(contact.shape_b);
  archive(contact.is_touching);
  archive(manifolds);
}

/// A pair without a contact that knows an axis.
template <typename Archive, typename Record>
void visit_axis(Archive& archive, Record& pair) {
  archive(pair.key);
  visit_vector(archive, pair.axis);
}

template <typename Archive, typename Record>
void visit_handle(Archive& archive, Record& handle) {
  archive(handle.index);
  archive(handle.generation);
}

template <typename Archive, typename Record>
void visit_axis_def(Archive& archive, Record& axis) {
  archive.enumerator(axis.freedom, joint_freedom_count);
  archive(axis.lower);
  archive(axis.upper);
  archive(axis.rest);
  archive(axis.spring.is_enabled);
  archive(axis.spring.hertz);
  archive(axis.spring.damping_ratio);
  archive(axis.motor.is_enabled);
  archive(axis.motor.speed);
  archive(axis.motor.max_force);
  archive(axis.friction);
}

template <typename Archive, typename Record>
void visit_details(Archive& archive, Record& details) {
  for (auto& axis : details.axes)
    visit_axis_def(archive, axis);
  archive(details.ratio);
  visit_vector(archive, details.over_a);
  visit_vector(archive, details.over_b);
  archive(details.steer_angle);
  archive(details.brake_torque);
  archive(details.sprung_mass);
  visit_vector(archive, details.target.offset);
  visit_quaternion(archive, details.target.rotation);
  visit_vector(archive, details.target_velocity);
  visit_vector(archive, details.target_angular_velocity);
  archive(details.max_force);
  archive(details.max_torque);
}

/// What only joints that are solved by coordinates have. A new kind is known by itself; a bungee is
/// a distance joint whose enabled spring is told as 2.
template <typename Archive, typename Record>
void visit_coordinates(Archive& archive, Record& joint) {
  if constexpr (!std::is_const_v<Record>) {
    joint.coordinates = std::make_unique<CoordinateState>();
    visit_details(archive, joint.def.details.edit());
  } else {
    visit_details(archive, joint.def.details.get());
  }
  for (auto& phase : joint.coordinates->impulses) {
    for (auto& impulses : phase) {
      archive(impulses.lock);
      for (auto& impulse : impulses.rows)
        archive(impulse);
    }
  }
  archive(joint.coordinates->track);
}

enum class SpringUse : std::uint8_t { None, BothWays, OnlyPulls };
inline constexpr std::uint8_t spring_use_count = 3;

template <typename Archive, typename Record>
void visit_spring_use(Archive& archive, Record& spring) {
  SpringUse use = !spring.is_enabled  ? SpringUse::None
                  : spring.only_pulls ? SpringUse::OnlyPulls
                                      : SpringUse::BothWays;
  archive.enumerator(use, spring_use_count);
  if constexpr (!std::is_const_v<Record>) {
    spring.is_enabled = use != SpringUse::None;
    spring.only_pulls = use == SpringUse::OnlyPulls;
  }
}

template <typename Archive, typename Record>
void visit_joint(Archive& archive, Record& joint) {
  auto& def = joint.def;
  archive.enumerator(def.kind, joint_kind_count);
  visit_handle(archive, def.body_a);
  visit_handle(archive, def.body_b);
  visit_vector(archive, def.frame_a.offset);
  visit_quaternion(archive, def.frame_a.rotation);
  visit_vector(archive, def.frame_b.offset);
  visit_quaternion(archive, def.frame_b.rotation);
  archive(def.rest);
  archive(def.limits.is_enabled);
  archive(def.limits.lower);
  archive(def.limits.upper);
  archive(def.cone.is_enabled);
  archive(def.cone.angle);
  visit_spring_use(archive, def.spring);
  archive(def.spring.hertz);
  archive(def.spring.damping_ratio);
  archive(def.motor.is_enabled);
  archive(def.motor.speed);
  archive(def.motor.max_force);
  archive(def.collides_connected);
  archive(def.break_force);
  archive(def.break_torque);
  for (auto& impulses : joint.impulses) {
    visit_vector(archive, impulses.linear);
    visit_vector(archive, impulses.angular);
    for (auto& impulse : impulses.rows)
      archive(impulse);
  }
  visit_vector(archive, joint.step_linear);
  visit_vector(archive, joint.step_angular);
  if (has_coordinates(def)) visit_coordinates(archive, joint);
}

template <typename Archive, typename Record>
void visit_field(Archive& archive, Record& def) {
  auto kind = static_cast<std::uint8_t>(def.field.index());
  archive.enumerator(kind, forces::field_kind_count);
  if constexpr (!std::is_const_v<Record>) def.field = forces::field_of_kind(kind);
  std::visit([&](auto& field) { forces::visit_parts(archive, field); }, def.field);
  visit_handle(archive, def.body);
}

/// What fields need to know of a body, of those of which it is not the default.
template <typename Archive, typename Record>
void visit_field_traits(Archive& archive, Record& body) {
  archive(body.charge);
  archive(body.ignores_fields);
}
inline bool has_field_traits(const Body& body) {
  return body.charge != 0.0f || body.ignores_fields;
}

template <typename Archive, typename Record>
void visit_emitter(Archive& archive, Record& emitter) {
  archive.enumerator(emitter.kind, emitter_kind_count);
  visit_vector(archive, emitter.centre);
  visit_vector(archive, emitter.half_extents);
  archive(emitter.radius);
  archive(emitter.rate);
  visit_vector(archive, emitter.velocity);
  archive(emitter.spread);
  archive(emitter.lifetime);
  archive(emitter.lifetime_share);
  archive(emitter.mass);
  archive(emitter.particle_radius);
  archive(emitter.charge);
  archive(emitter.start);
  archive(emitter.end);
  archive(emitter.seed);
}

/// All of a set but its emitters and its particles.
template <typename Archive, typename Record>
void visit_particle_set(Archive& archive, Record& set) {
  auto& def = set.def;
  archive(def.max_count);
  archive.enumerator(def.integrator, forces::integrator_count);
  archive(def.gravity_scale);
  archive(def.ignores_fields);
  archive(def.collides);
  archive(def.mask);
  archive(def.friction);
  archive(def.restitution);
  archive(set.steps);
}

/// What an emitter has done.
template <typename Archive, typename Record>
void visit_emitter_state(Archive& archive, Record& state) {
  std::uint64_t random = state.random.state();
  archive(random);
  archive(state.owed);
  if constexpr (!std::is_const_v<Record>) state.random = base::Random(random);
}

template <typename Archive, typename Set>
void visit_particle(Archive& archive, Set& set, std::size_t i) {
  visit_vector(archive, set.positions[i]);
  visit_vector(archive, set.velocities[i]);
  archive(set.masses[i]);
  archive(set.radii[i]);
  archive(set.charges[i]);
  archive(set.steps_left[i]);
}

/// Solids are referred to by their content's hash, never embedded: whoever restores knows them.
///
/// A save is: magic, version, the length of the payload and its hash (base::hash_bytes), and the
/// payload: options, handle pools, bodies with their shapes' slots, shapes, joints, contacts by
/// key, axes of other pairs by key, pending events, fields, charges by slot, sensors, particles,
/// integrators of bodies by slot.
inline constexpr std::uint32_t save_magic = 0x5750534AU;  // "JSPW"
inline constexpr std::uint32_t save_version = 10;

}  // namespace jostle::physics
