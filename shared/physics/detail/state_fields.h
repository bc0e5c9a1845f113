#pragma once

#include "shared/base/field_name.h"
#include "shared/forces/field_parts.h"
#include "shared/physics/detail/joint_record.h"
#include "shared/physics/detail/records.h"
#include "shared/physics/effects/particle_set.h"
#include "shared/physics/force_field.h"
#include "shared/physics/world.h"

#include <array>
#include <cstddef>
#include <memory>
#include <type_traits>

namespace jostle::physics {

// These functions visit the fields that are state, each field once. The archive that they call
// writes, reads, hashes or lists the fields. `Record` is the const or the mutable form of the
// struct. Names are used only for listings (state_listing.h).

template <typename Archive, typename Record>
void visit_vector(Archive& archive, const char* name, Record& v) {
  archive({name, "x"}, v.x);
  archive({name, "y"}, v.y);
  archive({name, "z"}, v.z);
}

template <typename Archive, typename Record>
void visit_quaternion(Archive& archive, const char* name, Record& q) {
  visit_vector(archive, name, q);
  archive({name, "w"}, q.w);
}

template <typename Archive, typename Record>
void visit_options(Archive& archive, Record& options) {
  visit_vector(archive, "gravity", options.gravity);
  archive("step_seconds", options.step_seconds);
  archive("substeps", options.substeps);
  archive("is_sleeping_enabled", options.is_sleeping_enabled);
  archive("sleep_linear_speed", options.sleep_linear_speed);
  archive("sleep_angular_speed", options.sleep_angular_speed);
  archive("sleep_seconds", options.sleep_seconds);
  archive("restitution_threshold", options.restitution_threshold);
  archive("contact_hertz", options.contact_hertz);
  archive("contact_damping_ratio", options.contact_damping_ratio);
  archive("max_contact_push_speed", options.max_contact_push_speed);
  archive("joint_hertz", options.joint_hertz);
  archive("joint_damping_ratio", options.joint_damping_ratio);
  archive("max_linear_speed", options.max_linear_speed);
  archive("max_angular_speed", options.max_angular_speed);
  archive("stabilizers", options.stabilizers.bits);
}

/// Visits the locks, and two flags that state whether explicit values of the centre of mass and the
/// inertia follow.
template <typename Archive, typename Record>
void visit_body_flags(Archive& archive, Record& body) {
  constexpr std::uint8_t has_centre = 64, has_inertia = 128;
  std::uint8_t flags = body.locks;
  if (body.rare && body.rare->has_centre) flags |= has_centre;
  if (body.rare && body.rare->has_inertia) flags |= has_inertia;
  archive.flags("flags", flags, state::lock_all | has_centre | has_inertia);
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
  if (body.rare->has_centre) visit_vector(archive, "centre_of_mass", body.rare->centre);
  if (!body.rare->has_inertia) return;
  visit_vector(archive, "inertia.x", body.rare->inertia.cx);
  visit_vector(archive, "inertia.y", body.rare->inertia.cy);
  visit_vector(archive, "inertia.z", body.rare->inertia.cz);
}

template <typename Archive, typename Record>
void visit_body(Archive& archive, Record& body) {
  archive.enumerator("motion", body.motion, state::motion_type_count);
  archive("is_sleep_allowed", body.is_sleep_allowed);
  visit_body_flags(archive, body);
  archive.flags("absence", body.absence, quarantined | disabled);
  archive.enumerator("target_state", body.target_state, target_state_count);
  visit_vector(archive, "position", body.position);
  visit_quaternion(archive, "rotation", body.rotation);
  visit_vector(archive, "linear_velocity", body.linear_velocity);
  visit_vector(archive, "angular_velocity", body.angular_velocity);
  visit_vector(archive, "angular_momentum", body.angular_momentum);
  visit_vector(archive, "linear_rest", body.linear_rest);
  archive("turn_ratio", body.turn_ratio);
  visit_vector(archive, "force", body.force);
  visit_vector(archive, "torque", body.torque);
  archive("linear_damping", body.linear_damping);
  archive("angular_damping", body.angular_damping);
  archive("gravity_scale", body.gravity_scale);
  archive("mass_override", body.mass_override);
  archive("taut_factor", body.taut_factor);
  math::Pose target = target_of(body);
  visit_vector(archive, "target.position", target.position);
  visit_quaternion(archive, "target.rotation", target.rotation);
  if constexpr (!std::is_const_v<Record>) set_target(body, target);
  visit_mass_properties(archive, body);
  archive("user_data", body.user_data);
}

/// Visits the sleep state. Together with the touching contacts, the joints and the fields, the
/// sleep state defines the islands.
template <typename Archive, typename Record>
void visit_sleep(Archive& archive, Record& body) {
  archive("is_awake", body.is_awake);
  archive("is_reported_awake", body.is_reported_awake);
  archive("sleep_time", body.sleep_time);
  visit_vector(archive, "mean_linear", body.mean_linear);
  visit_vector(archive, "mean_angular", body.mean_angular);
}

template <typename Archive, typename Record>
void visit_shape(Archive& archive, Record& shape) {
  archive.enumerator("shape.kind", shape.def.shape.kind, state::shape_kind_count);
  archive("shape.radius", shape.def.shape.radius);
  archive("shape.half_segment", shape.def.shape.half_segment);
  visit_vector(archive, "shape.half_extents", shape.def.shape.half_extents);
  if (state::has_solid(shape.def.shape.kind)) archive.solid("shape.solid", shape.def.shape.solid);
  visit_vector(archive, "local.offset", shape.def.local.offset);
  visit_quaternion(archive, "local.rotation", shape.def.local.rotation);
  archive("material.friction", shape.def.material.friction);
  archive("material.restitution", shape.def.material.restitution);
  archive("material.rolling_resistance", shape.def.material.rolling_resistance);
  archive("material.spinning_resistance", shape.def.material.spinning_resistance);
  archive("density", shape.def.density);
  archive("filter.category", shape.def.filter.category);
  archive("filter.mask", shape.def.filter.mask);
  archive("filter.group", shape.def.filter.group);
  visit_vector(archive, "fat_box.lower", shape.fat_box.lower);
  visit_vector(archive, "fat_box.upper", shape.fat_box.upper);
  constexpr std::uint8_t is_moved = 1, is_sensor = 2, has_belt = 4;
  auto flags = static_cast<std::uint8_t>(
      (shape.is_moved ? is_moved : 0) | (shape.def.is_sensor ? is_sensor : 0) |
      (shape.def.surface_velocity != math::Vec3{} ? has_belt : 0));
  archive.flags("flags", flags, is_moved | is_sensor | has_belt);
  if constexpr (!std::is_const_v<Record>) {
    shape.is_moved = (flags & is_moved) != 0;
    shape.def.is_sensor = (flags & is_sensor) != 0;
  }
  if ((flags & has_belt) != 0)
    visit_vector(archive, "surface_velocity", shape.def.surface_velocity);
}

template <typename Archive, typename Record>
void visit_manifold(Archive& archive, Record& manifold) {
  archive("point_count", manifold.point_count);
  visit_vector(archive, "normal", manifold.normal);
  if (manifold.point_count == 0 || manifold.point_count > max_manifold_points) return;
  visit_vector(archive, "friction_impulse", manifold.friction_impulse);
  archive("twist_impulse", manifold.twist_impulse);
  archive("moved", manifold.moved);
  visit_vector(archive, "resistance_impulse", manifold.resistance_impulse);
  archive("is_held", manifold.is_held);
  for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
    auto& point = manifold.points[i];
    visit_vector(archive, "offset_a", point.offset_a);
    visit_vector(archive, "offset_b", point.offset_b);
    archive("separation", point.separation);
    archive("normal_impulse", point.normal_impulse);
    archive("step_impulse", point.step_impulse);
    archive("feature", point.feature);
  }
}

/// Visits the fields of a contact and the number of its manifolds, but not the manifolds.
template <typename Archive, typename Record, typename Count>
void visit_contact(Archive& archive, Record& contact, Count& manifolds) {
  archive("shape_a", contact.shape_a);
  archive("shape_b", contact.shape_b);
  archive("is_touching", contact.is_touching);
  archive("manifolds", manifolds);
}

/// Visits the separating axis of a pair that has no contact.
template <typename Archive, typename Record>
void visit_axis(Archive& archive, Record& pair) {
  archive("key", pair.key);
  visit_vector(archive, "axis", pair.axis);
}

template <typename Archive, typename Record>
void visit_handle(Archive& archive, const char* name, Record& handle) {
  archive({name, "index"}, handle.index);
  archive({name, "generation"}, handle.generation);
}

template <typename Archive, typename Record>
void visit_axis_def(Archive& archive, Record& axis) {
  archive.enumerator("freedom", axis.freedom, joint_freedom_count);
  archive("lower", axis.lower);
  archive("upper", axis.upper);
  archive("rest", axis.rest);
  archive("spring.is_enabled", axis.spring.is_enabled);
  archive("spring.hertz", axis.spring.hertz);
  archive("spring.damping_ratio", axis.spring.damping_ratio);
  archive("motor.is_enabled", axis.motor.is_enabled);
  archive("motor.speed", axis.motor.speed);
  archive("motor.max_force", axis.motor.max_force);
  archive("friction", axis.friction);
}

template <typename Archive, typename Record>
void visit_details(Archive& archive, Record& details) {
  for (auto& axis : details.axes)
    visit_axis_def(archive, axis);
  archive("ratio", details.ratio);
  visit_vector(archive, "ground_anchor_a", details.ground_anchor_a);
  visit_vector(archive, "ground_anchor_b", details.ground_anchor_b);
  archive("steer_angle", details.steer_angle);
  archive("brake_torque", details.brake_torque);
  archive("sprung_mass", details.sprung_mass);
  visit_vector(archive, "target.offset", details.target.offset);
  visit_quaternion(archive, "target.rotation", details.target.rotation);
  visit_vector(archive, "target_velocity", details.target_velocity);
  visit_vector(archive, "target_angular_velocity", details.target_angular_velocity);
  archive("max_force", details.max_force);
  archive("max_torque", details.max_torque);
}

/// Visits the state that only joints solved by coordinates have. A reader recognises such a joint
/// by its kind. A distance joint with a pull-only spring (bungee) is recognised by the spring use
/// TensionOnly.
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
      archive("coordinates.lock", impulses.lock);
      for (auto& impulse : impulses.rows)
        archive("impulses.row", impulse);
    }
  }
  archive("track", joint.coordinates->track);
}

enum class SpringUse : std::uint8_t { None, BothWays, TensionOnly };
inline constexpr std::uint8_t spring_use_count = 3;

template <typename Archive, typename Record>
void visit_spring_use(Archive& archive, Record& spring) {
  SpringUse use = !spring.is_enabled    ? SpringUse::None
                  : spring.tension_only ? SpringUse::TensionOnly
                                        : SpringUse::BothWays;
  archive.enumerator("spring.use", use, spring_use_count);
  if constexpr (!std::is_const_v<Record>) {
    spring.is_enabled = use != SpringUse::None;
    spring.tension_only = use == SpringUse::TensionOnly;
  }
}

template <typename Archive, typename Record>
void visit_joint(Archive& archive, Record& joint) {
  auto& def = joint.def;
  archive.enumerator("kind", def.kind, joint_kind_count);
  visit_handle(archive, "body_a", def.body_a);
  visit_handle(archive, "body_b", def.body_b);
  visit_vector(archive, "frame_a.offset", def.frame_a.offset);
  visit_quaternion(archive, "frame_a.rotation", def.frame_a.rotation);
  visit_vector(archive, "frame_b.offset", def.frame_b.offset);
  visit_quaternion(archive, "frame_b.rotation", def.frame_b.rotation);
  archive("rest", def.rest);
  archive("limits.is_enabled", def.limits.is_enabled);
  archive("limits.lower", def.limits.lower);
  archive("limits.upper", def.limits.upper);
  archive("cone.is_enabled", def.cone.is_enabled);
  archive("cone.angle", def.cone.angle);
  visit_spring_use(archive, def.spring);
  archive("spring.hertz", def.spring.hertz);
  archive("spring.damping_ratio", def.spring.damping_ratio);
  archive("motor.is_enabled", def.motor.is_enabled);
  archive("motor.speed", def.motor.speed);
  archive("motor.max_force", def.motor.max_force);
  archive("collide_connected", def.collide_connected);
  archive("break_force", def.break_force);
  archive("break_torque", def.break_torque);
  for (auto& impulses : joint.impulses) {
    visit_vector(archive, "impulses.linear", impulses.linear);
    visit_vector(archive, "impulses.angular", impulses.angular);
    for (auto& impulse : impulses.rows)
      archive("impulses.row", impulse);
  }
  visit_vector(archive, "step_linear", joint.step_linear);
  visit_vector(archive, "step_angular", joint.step_angular);
  archive("energy_credit", joint.energy_credit);
  if (has_coordinates(def)) visit_coordinates(archive, joint);
}

template <typename Archive, typename Record>
void visit_field(Archive& archive, Record& def) {
  auto kind = static_cast<std::uint8_t>(def.field.index());
  archive.enumerator("kind", kind, forces::field_kind_count);
  if constexpr (!std::is_const_v<Record>) def.field = forces::field_of_kind(kind);
  std::visit([&](auto& field) { forces::visit_parts(archive, field); }, def.field);
  visit_handle(archive, "body", def.body);
}

/// Visits the field-related properties of a body. They are saved only for bodies in which they
/// differ from the defaults.
template <typename Archive, typename Record>
void visit_field_traits(Archive& archive, Record& body) {
  archive("charge", body.charge);
  archive("ignores_force_fields", body.ignores_force_fields);
}
inline bool has_field_traits(const Body& body) {
  return body.charge != 0.0f || body.ignores_force_fields;
}

/// Visits the rarely used values of a material.
template <typename Archive, typename Record>
void visit_rare_material(Archive& archive, Record& material) {
  archive("material.static_friction", material.static_friction);
  archive.enumerator("material.friction_rule", material.friction_rule, combine_rule_count);
  archive.enumerator("material.restitution_rule", material.restitution_rule, combine_rule_count);
  archive("material.id", material.id.value);
}

/// Visits an entry of the table of material pairs. Flags state which values follow.
template <typename Archive, typename Record>
void visit_material_pair(Archive& archive, Record& pair) {
  archive("pair.a", pair.a.value);
  archive("pair.b", pair.b.value);
  auto& values = pair.values;
  const std::array fields{&values.friction, &values.static_friction, &values.restitution,
                          &values.rolling_resistance, &values.spinning_resistance};
  std::uint8_t flags = 0;
  for (std::size_t i = 0; i < fields.size(); ++i)
    if (fields[i]->has_value()) flags = static_cast<std::uint8_t>(flags | 1U << i);
  archive.flags("pair.flags", flags, (1U << fields.size()) - 1);
  for (std::size_t i = 0; i < fields.size(); ++i) {
    if ((flags >> i & 1U) == 0) continue;
    if constexpr (!std::is_const_v<Record>) fields[i]->emplace();
    archive("pair.value", **fields[i]);
  }
}

template <typename Archive, typename Record>
void visit_emitter(Archive& archive, Record& emitter) {
  archive.enumerator("kind", emitter.kind, emitter_kind_count);
  visit_vector(archive, "centre", emitter.centre);
  visit_vector(archive, "half_extents", emitter.half_extents);
  archive("radius", emitter.radius);
  archive("rate", emitter.rate);
  visit_vector(archive, "velocity", emitter.velocity);
  archive("spread", emitter.spread);
  archive("lifetime", emitter.lifetime);
  archive("min_lifetime_fraction", emitter.min_lifetime_fraction);
  archive("mass", emitter.mass);
  archive("particle_radius", emitter.particle_radius);
  archive("charge", emitter.charge);
  archive("start", emitter.start);
  archive("end", emitter.end);
  archive("seed", emitter.seed);
}

/// Visits a particle set without its emitters and particles.
template <typename Archive, typename Record>
void visit_particle_set(Archive& archive, Record& set) {
  auto& def = set.def;
  archive("max_count", def.max_count);
  archive.enumerator("integrator", def.integrator, forces::integrator_count);
  archive("gravity_scale", def.gravity_scale);
  archive("ignores_force_fields", def.ignores_force_fields);
  archive("collides", def.collides);
  archive("mask", def.mask);
  archive("friction", def.friction);
  archive("restitution", def.restitution);
  archive("steps", set.steps);
}

/// Visits the progress of an emitter.
template <typename Archive, typename Record>
void visit_emitter_state(Archive& archive, Record& state) {
  std::uint64_t random = state.random.state();
  archive("random", random);
  archive("owed", state.owed);
  if constexpr (!std::is_const_v<Record>) state.random = base::Random(random);
}

template <typename Archive, typename Set>
void visit_particle(Archive& archive, Set& set, std::size_t i) {
  visit_vector(archive, "position", set.positions[i]);
  visit_vector(archive, "velocity", set.velocities[i]);
  archive("mass", set.masses[i]);
  archive("radius", set.radii[i]);
  archive("charge", set.charges[i]);
  archive("steps_left", set.steps_left[i]);
}

/// The format of a save: magic, version, length of the payload, hash of the payload
/// (base::hash_bytes), payload. The payload consists of these parts:
///
/// - Options, bodies with the slots of their shapes, shapes, sleep states and joints. The objects
///   of each kind follow their handle pool.
/// - Contacts by key, separating axes of other pairs by key, and pending contact ends.
/// - Fields, charges by body slot, sensors and particles.
/// - Integrators by body slot, rarely used material values by slot, and the table of material
///   pairs.
///
/// Solids are stored as the hash of their content, never embedded. They must be registered before a
/// restore.
inline constexpr std::uint32_t save_magic = 0x5750534AU;  // "JSPW"
inline constexpr std::uint32_t save_version = 15;

}  // namespace jostle::physics
