#include "shared/base/hash.h"
#include "shared/forces/field_parts.h"
#include "shared/scene/scene.h"

namespace jostle::scene {
namespace {

using base::Hasher;

void add(Hasher& hasher, math::Vec3 v) {
  hasher.add(v.x);
  hasher.add(v.y);
  hasher.add(v.z);
}

void add(Hasher& hasher, math::Position p) {
  hasher.add(p.x);
  hasher.add(p.y);
  hasher.add(p.z);
}

void add(Hasher& hasher, math::Quat q) {
  hasher.add(q.x);
  hasher.add(q.y);
  hasher.add(q.z);
  hasher.add(q.w);
}

void add(Hasher& hasher, const math::Pose& pose) {
  add(hasher, pose.position);
  add(hasher, pose.rotation);
}

/// Hashes newer fields only if they are set, so that older materials keep the hashes stored in
/// recordings.
void add_rare_values(Hasher& hasher, const SceneMaterial& material) {
  const SceneMaterial usual;
  if (material.static_friction != 0.0f) {
    hasher.add_text("static_friction");
    hasher.add(material.static_friction);
  }
  if (material.friction_rule != usual.friction_rule) {
    hasher.add_text("friction_rule");
    hasher.add(static_cast<std::uint8_t>(material.friction_rule));
  }
  if (material.restitution_rule != usual.restitution_rule) {
    hasher.add_text("restitution_rule");
    hasher.add(static_cast<std::uint8_t>(material.restitution_rule));
  }
  if (material.id != 0) {
    hasher.add_text("material");
    hasher.add(material.id);
  }
}

void add(Hasher& hasher, const SceneShape& shape) {
  hasher.add(static_cast<std::uint8_t>(shape.shape.kind));
  hasher.add(shape.shape.radius);
  hasher.add(shape.shape.half_segment);
  add(hasher, shape.shape.half_extents);
  if (shape.shape.solid) hasher.add(shape.shape.solid->content_hash);
  add(hasher, shape.local.offset);
  add(hasher, shape.local.rotation);
  hasher.add(shape.density);
  hasher.add(shape.material.friction);
  hasher.add(shape.material.restitution);
  hasher.add(shape.material.rolling_resistance);
  hasher.add(shape.material.spinning_resistance);
  add_rare_values(hasher, shape.material);
  hasher.add(shape.filter.category);
  hasher.add(shape.filter.mask);
  hasher.add(shape.filter.group);
  if (shape.is_sensor) hasher.add_text("sensor");
  if (shape.surface_velocity != math::Vec3{}) {
    hasher.add_text("surface_velocity");
    add(hasher, shape.surface_velocity);
  }
}

void add(Hasher& hasher, const state::KinematicMotion& kinematic_motion) {
  add(hasher, kinematic_motion.amplitude);
  hasher.add(kinematic_motion.period);
  hasher.add(kinematic_motion.phase);
  add(hasher, kinematic_motion.spin);
}

void add(Hasher& hasher, const SceneBody& body) {
  hasher.add_text(body.name);
  hasher.add(static_cast<std::uint8_t>(body.motion));
  add(hasher, body.pose);
  add(hasher, body.linear_velocity);
  add(hasher, body.angular_velocity);
  hasher.add(static_cast<std::uint64_t>(body.shapes.size()));
  for (const SceneShape& shape : body.shapes)
    add(hasher, shape);
  hasher.add(body.mass);
  hasher.add(body.linear_damping);
  hasher.add(body.angular_damping);
  hasher.add(body.gravity_scale);
  hasher.add(body.is_sleep_allowed);
  hasher.add(body.is_awake);
  // Newer fields are hashed only if they are set, so that older bodies keep the hashes stored in
  // recordings.
  const bool is_rotation_locked = (body.locks & state::lock_rotation) == state::lock_rotation;
  hasher.add(is_rotation_locked);
  if (body.locks != 0 && body.locks != state::lock_rotation) {
    hasher.add_text("locks");
    hasher.add(body.locks);
  }
  if (body.inertia) {
    hasher.add_text("inertia");
    for (const math::Vec3 column : {body.inertia->cx, body.inertia->cy, body.inertia->cz})
      add(hasher, column);
  }
  if (body.centre_of_mass) {
    hasher.add_text("centre_of_mass");
    add(hasher, *body.centre_of_mass);
  }
  hasher.add(body.is_grabbable);
  hasher.add(body.colour.red);
  hasher.add(body.colour.green);
  hasher.add(body.colour.blue);
  hasher.add(body.kinematic_motion.has_value());
  if (body.kinematic_motion) add(hasher, *body.kinematic_motion);
  if (!body.is_enabled) hasher.add_text("switched_off");
  if (body.on_enter) hasher.add_text("on_enter");
  if (body.on_enter && body.on_enter->move_to) {
    hasher.add_text("move_to");
    const math::Position to = *body.on_enter->move_to;
    for (const double coordinate : {to.x, to.y, to.z})
      hasher.add(coordinate);
  }
}

void add(Hasher& hasher, const SceneJointAxis& axis) {
  hasher.add(axis.is_locked);
  hasher.add(axis.has_limits);
  hasher.add(axis.lower);
  hasher.add(axis.upper);
  hasher.add(axis.rest);
  hasher.add(axis.spring_hertz);
  hasher.add(axis.spring_damping_ratio);
  hasher.add(axis.motor_speed);
  hasher.add(axis.max_motor_force);
  hasher.add(axis.friction);
}

void add(Hasher& hasher, const SceneJointDetails& details) {
  add(hasher, details.axle);
  hasher.add(details.steer_angle);
  hasher.add(details.brake_torque);
  hasher.add(details.sprung_mass);
  add(hasher, math::Pose{{}, details.rotation});
  for (const SceneJointAxis& axis : details.axes)
    add(hasher, axis);
  add(hasher, details.target);
  hasher.add(details.max_force);
  hasher.add(details.max_torque);
  add(hasher, details.axis_b);
  hasher.add(details.ratio);
  add(hasher, details.ground_anchor_a);
  add(hasher, details.ground_anchor_b);
}

void add(Hasher& hasher, const SceneJoint& joint) {
  hasher.add(static_cast<std::uint8_t>(joint.kind));
  hasher.add(joint.body_a);
  hasher.add(joint.body_b);
  add(hasher, joint.anchor);
  add(hasher, joint.anchor_b);
  add(hasher, joint.axis);
  hasher.add(joint.has_limits);
  hasher.add(joint.lower);
  hasher.add(joint.upper);
  hasher.add(joint.has_cone);
  hasher.add(joint.cone);
  hasher.add(joint.rest);
  hasher.add(joint.spring_hertz);
  hasher.add(joint.spring_damping_ratio);
  hasher.add(joint.motor_speed);
  hasher.add(joint.max_motor_force);
  hasher.add(joint.collide_connected);
  hasher.add(joint.break_force);
  hasher.add(joint.break_torque);
  // Older joint kinds have no details and keep the hashes stored in recordings.
  if (joint.tension_only) hasher.add_text("only_pulls");
  if (joint.kind > JointKind::Distance) add(hasher, joint.details.get());
}

void add(Hasher& hasher, const state::Swing& swing) {
  add(hasher, swing.amplitude);
  add(hasher, swing.period);
  add(hasher, swing.phase);
}

void add(Hasher& hasher, const state::ImpulsePush& push) {
  add(hasher, push.impulse);
  add(hasher, push.point);
  hasher.add(push.every);
  hasher.add(push.count);
}

void add(Hasher& hasher, const state::VelocityPush& push) {
  add(hasher, push.swing);
}

void add(Hasher& hasher, const state::FollowPush& push) {
  add(hasher, push.centre);
  add(hasher, push.swing);
  hasher.add(push.stiffness);
  hasher.add(push.damping);
  hasher.add(push.max_acceleration);
  for (const bool acts : push.axes)
    hasher.add(acts);
}

void add(Hasher& hasher, const state::Push& push) {
  hasher.add(static_cast<std::uint64_t>(push.bodies.size()));
  for (const std::uint32_t body : push.bodies)
    hasher.add(body);
  hasher.add(push.start);
  hasher.add(push.end);
  hasher.add(static_cast<std::uint64_t>(push.kind.index()));
  std::visit([&hasher](const auto& kind) { add(hasher, kind); }, push.kind);
}

/// A visitor that hashes the members of a force field.
struct FieldHasher {
  Hasher& hasher;
  template <typename Value>
  void operator()(base::FieldName, Value value) {
    hasher.add(value);
  }
  template <typename Enum>
  void enumerator(const char*, Enum value, std::uint8_t) {
    hasher.add(static_cast<std::uint8_t>(value));
  }
};

void add(Hasher& hasher, const SceneForce& force) {
  hasher.add(static_cast<std::uint64_t>(force.field.index()));
  FieldHasher parts{hasher};
  std::visit([&](const auto& field) { forces::visit_parts(parts, field); }, force.field);
  hasher.add(force.body.has_value());
  hasher.add(force.body.value_or(0));
}

void add(Hasher& hasher, const SceneExplosion& blast) {
  add(hasher, blast.explosion.centre);
  hasher.add(blast.explosion.radius);
  hasher.add(blast.explosion.impulse);
  hasher.add(blast.moments.start);
  hasher.add(blast.moments.every);
  hasher.add(blast.moments.count);
}

/// Adds nothing for scenes without force fields, explosions and charges, so that they keep the
/// hashes stored in recordings.
void add_forces(Hasher& hasher, const SceneDef& scene) {
  if (!scene.fields.empty()) hasher.add_text("fields");
  for (const SceneForce& force : scene.fields)
    add(hasher, force);
  if (!scene.explosions.empty()) hasher.add_text("explosions");
  for (const SceneExplosion& blast : scene.explosions)
    add(hasher, blast);
  for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
    const SceneBody& body = scene.bodies[i];
    if (body.charge == 0.0f && !body.ignores_force_fields) continue;
    hasher.add_text("charge");
    hasher.add(i);
    hasher.add(body.charge);
    hasher.add(body.ignores_force_fields);
  }
}

void add(Hasher& hasher, const SceneEmitter& emitter) {
  hasher.add(static_cast<std::uint8_t>(emitter.region.kind));
  add(hasher, emitter.region.centre);
  add(hasher, emitter.region.half_extents);
  hasher.add(emitter.region.radius);
  hasher.add(emitter.rate);
  add(hasher, emitter.velocity);
  for (const float value : {emitter.spread, emitter.lifetime, emitter.min_lifetime_fraction,
                            emitter.start, emitter.end})
    hasher.add(value);
  hasher.add(emitter.seed);
}

void add(Hasher& hasher, const SceneParticles& set) {
  hasher.add_text(set.name);
  hasher.add(set.max_count);
  hasher.add(static_cast<std::uint8_t>(set.integrator));
  for (const float value :
       {set.mass, set.radius, set.charge, set.gravity_scale, set.friction, set.restitution})
    hasher.add(value);
  hasher.add(set.ignores_force_fields);
  hasher.add(set.collides);
  hasher.add(set.mask);
  hasher.add(set.colour.red);
  hasher.add(set.colour.green);
  hasher.add(set.colour.blue);
  hasher.add(static_cast<std::uint64_t>(set.emitters.size()));
  for (const SceneEmitter& emitter : set.emitters)
    add(hasher, emitter);
}

/// Adds nothing for scenes without particles, labels and integrators of bodies, so that they keep
/// the hashes stored in recordings.
void add_particles(Hasher& hasher, const SceneDef& scene) {
  if (!scene.particles.empty()) hasher.add_text("particles");
  for (const SceneParticles& set : scene.particles)
    add(hasher, set);
  if (!scene.labels.empty()) hasher.add_text("readouts");
  for (const SceneLabel& label : scene.labels) {
    hasher.add_text(label.name);
    hasher.add(label.body);
    hasher.add(static_cast<std::uint8_t>(label.kind));
  }
  for (std::uint32_t i = 0; i < scene.bodies.size(); ++i) {
    if (!scene.bodies[i].integrator) continue;
    hasher.add_text("integrator");
    hasher.add(i);
    hasher.add(static_cast<std::uint8_t>(*scene.bodies[i].integrator));
  }
}

/// Adds nothing for scenes without material pairs, so that they keep the hashes stored in
/// recordings.
void add_material_pairs(Hasher& hasher, const SceneDef& scene) {
  for (const SceneMaterialPair& pair : scene.material_pairs) {
    hasher.add_text("material_pair");
    hasher.add(pair.a);
    hasher.add(pair.b);
    for (const std::optional<float>& value : {pair.friction, pair.static_friction, pair.restitution,
                                              pair.rolling_resistance, pair.spinning_resistance}) {
      hasher.add(value.has_value());
      if (value) hasher.add(*value);
    }
  }
  for (std::uint32_t i = 0; i < scene.particles.size(); ++i) {
    if (scene.particles[i].material == 0) continue;
    hasher.add_text("particle_material");
    hasher.add(i);
    hasher.add(scene.particles[i].material);
  }
}

void add(Hasher& hasher, const SceneWorld& world) {
  add(hasher, world.gravity);
  hasher.add(world.substeps);
  hasher.add(world.is_sleeping_enabled);
  hasher.add(world.sleep_linear_speed);
  hasher.add(world.sleep_angular_speed);
  hasher.add(world.sleep_seconds);
  hasher.add(world.restitution_threshold);
  hasher.add(world.max_linear_speed);
  hasher.add(world.max_angular_speed);
  if (world.time_percent != 100) {
    hasher.add_text("time_scale");
    hasher.add(world.time_percent);
  }
  if (world.is_planar) hasher.add_text("planar");
}

void add(Hasher& hasher, const SceneField& field) {
  hasher.add(field.inner);
  hasher.add(field.outer);
  hasher.add(field.strength);
  hasher.add(field.limit);
}

void add(Hasher& hasher, const CarDef& car) {
  add(hasher, car.size);
  for (const float value :
       {car.mass, car.wheelbase, car.track, car.wheel_radius, car.wheel_width, car.wheel_mass,
        car.wheel_friction, car.suspension_hertz, car.suspension_damping_ratio,
        car.suspension_travel, car.drive_torque, car.brake_torque, car.max_speed, car.max_steer})
    hasher.add(value);
  hasher.add(static_cast<std::uint8_t>(car.drive));
}

void add(Hasher& hasher, const ScenePlayer& player) {
  add(hasher, player.shape);
  hasher.add(player.mass);
  hasher.add(player.linear_damping);
  hasher.add(player.angular_damping);
  hasher.add(player.is_rotation_locked);
  hasher.add(player.move_force);
  hasher.add(player.max_speed);
  hasher.add(player.turn_factor);
  hasher.add(player.jump_speed);
  hasher.add(player.may_push);
  hasher.add(player.may_shoot);
  hasher.add(player.may_grab);
  hasher.add(player.max_push_impulse);
  hasher.add(player.shot_radius);
  hasher.add(player.shot_mass);
  hasher.add(player.max_shot_speed);
  hasher.add(player.max_shots_alive);
  hasher.add(player.grab_hertz);
  hasher.add(player.max_grab_force);
  add(hasher, player.push_field);
  add(hasher, player.pull_field);
  // Hashed only if set, so that older scenes keep the hashes stored in recordings.
  if (player.shoot_on_click) hasher.add(player.shoot_on_click);
  // Players of kind Body keep the hashes stored in recordings.
  if (player.kind == PlayerKind::Body) return;
  hasher.add(static_cast<std::uint8_t>(player.kind));
  if (player.kind == PlayerKind::Car) add(hasher, player.car);
  hasher.add(player.walk.max_slope);
  hasher.add(player.walk.step_height);
  hasher.add(player.walk.step_down);
  hasher.add(player.walk.skin);
  hasher.add(player.walk.air_acceleration);
  hasher.add(player.walk.push_force);
}

}  // namespace

std::uint64_t hash(const SceneDef& scene) {
  Hasher hasher;
  hasher.add_text(scene.name);
  hasher.add_text(scene.description);
  add(hasher, scene.world);
  add(hasher, scene.player);
  hasher.add(static_cast<std::uint64_t>(scene.spawns.size()));
  for (const math::Pose& spawn : scene.spawns)
    add(hasher, spawn);
  add(hasher, scene.camera.eye);
  add(hasher, scene.camera.target);
  hasher.add(static_cast<std::uint64_t>(scene.bodies.size()));
  for (const SceneBody& body : scene.bodies)
    add(hasher, body);
  // Scenes without joints and pushes keep the hashes stored in recordings.
  for (const SceneJoint& joint : scene.joints)
    add(hasher, joint);
  if (!scene.pushes.empty()) hasher.add_text("pushes");
  for (const state::Push& push : scene.pushes)
    add(hasher, push);
  add_forces(hasher, scene);
  add_particles(hasher, scene);
  add_material_pairs(hasher, scene);
  return hasher.finish();
}

}  // namespace jostle::scene
