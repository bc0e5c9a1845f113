#include "api/physics/joint_def.h"

#include "api/base/definition.h"
#include "api/physics/convert.h"
#include "shared/math/trig.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/world/joint_list.h"

#include <array>
#include <cstdio>

namespace jostle::api {

static_assert(JOSTLE_JOINT_PULLEY == static_cast<int>(physics::JointKind::Pulley));
static_assert(JOSTLE_JOINT_PULLEY + 1 == physics::joint_kind_count);
static_assert(JOSTLE_FREEDOM_FREE == static_cast<int>(physics::JointFreedom::Free));

using physics::max_joint_value;

template <>
jostle_joint_def default_of() {
  return joint_def_of(physics::JointDef{});
}

namespace {

constexpr float max_steering = 80.0f / 180.0f * math::pi;

jostle_joint_spring spring_of(const physics::JointSpring& spring) {
  return {to_c(spring.is_enabled), spring.hertz, spring.damping_ratio, to_c(spring.tension_only)};
}
jostle_joint_motor motor_of(const physics::JointMotor& motor) {
  return {to_c(motor.is_enabled), motor.speed, motor.max_force};
}

void require_magnitude(float value, const char* name, const char* unit) {
  require_range(value, 0, max_joint_value, name, unit);
}
void require_moderate(float value, const char* name, const char* unit) {
  require_range(value, -max_joint_value, max_joint_value, name, unit);
}

math::Transform checked_frame(const jostle_transform& frame, const char* name) {
  require_range(frame.offset, -physics::max_local_offset, physics::max_local_offset, name, "m");
  require_unit(frame.rotation, name);
  return to_engine(frame);
}

/// Sets the fields of a definition from `ratio` on.
void write_details(const physics::JointDetails& details, jostle_joint_def& def) {
  def.ratio = details.ratio;
  for (std::size_t i = 0; i < details.axes.size(); ++i) {
    const physics::JointAxisDef& axis = details.axes[i];
    def.axes[i] = {static_cast<jostle_joint_freedom>(axis.freedom),
                   axis.lower,
                   axis.upper,
                   axis.rest,
                   axis.friction,
                   spring_of(axis.spring),
                   motor_of(axis.motor)};
  }
  def.ground_anchor_a = to_c(details.ground_anchor_a);
  def.ground_anchor_b = to_c(details.ground_anchor_b);
  def.steer_angle = details.steer_angle;
  def.brake_torque = details.brake_torque;
  def.sprung_mass = details.sprung_mass;
  def.target = to_c(details.target);
  def.target_velocity = to_c(details.target_velocity);
  def.target_angular_velocity = to_c(details.target_angular_velocity);
  def.max_force = details.max_force;
  def.max_torque = details.max_torque;
}

}  // namespace

physics::JointLimits checked_limits(const jostle_joint_limits& limits) {
  require_moderate(limits.lower, "limits.lower", "rad or m");
  require_range(limits.upper, limits.lower, max_joint_value, "limits.upper",
                "(from limits.lower on)");
  return {require_bool(limits.is_enabled, "limits.is_enabled"), limits.lower, limits.upper};
}
physics::JointCone checked_cone(const jostle_joint_cone& cone) {
  if (!(cone.angle >= 0.0f && cone.angle <= math::pi))
    refuse_number("cone.angle", cone.angle, "0 to π rad");
  return {require_bool(cone.is_enabled, "cone.is_enabled"), cone.angle};
}
physics::JointSpring checked_spring(const jostle_joint_spring& spring) {
  require_magnitude(spring.hertz, "spring.hertz", "Hz");
  require_magnitude(spring.damping_ratio, "spring.damping_ratio", "");
  return {require_bool(spring.is_enabled, "spring.is_enabled"), spring.hertz, spring.damping_ratio,
          require_bool(spring.tension_only, "spring.tension_only")};
}
physics::JointMotor checked_motor(const jostle_joint_motor& motor, physics::JointKind kind) {
  require_moderate(motor.speed, "motor.speed", "rad/s or m/s");
  if (kind == physics::JointKind::Ball && motor.is_enabled != 0 && motor.speed != 0.0f)
    refuse_number("motor.speed", motor.speed, "0, because the motor of a ball joint is friction");
  require_magnitude(motor.max_force, "motor.max_force", "N·m or N");
  return {require_bool(motor.is_enabled, "motor.is_enabled"), motor.speed, motor.max_force};
}

physics::JointAxisDef checked_axis(const jostle_joint_axis& axis, std::size_t index) {
  std::array<char, 64> name{};
  const auto named = [&](const char* part) {
    std::snprintf(name.data(), name.size(), "axes[%zu].%s", index, part);
    return name.data();
  };
  const float farthest = index < 3 ? max_joint_value : math::pi;
  require_enumerator(axis.freedom, physics::joint_freedom_count, named("freedom"));
  require_range(axis.lower, -farthest, farthest, named("lower"), "m or rad");
  require_range(axis.upper, axis.lower, farthest, named("upper"), "(from the lower limit on)");
  const bool is_limited = axis.freedom == JOSTLE_FREEDOM_LIMITED;
  require_range(axis.rest, is_limited ? axis.lower : -farthest, is_limited ? axis.upper : farthest,
                named("rest"), "m or rad");
  require_magnitude(axis.friction, named("friction"), "N or N·m");
  physics::JointAxisDef checked;
  checked.freedom = static_cast<physics::JointFreedom>(axis.freedom);
  checked.lower = axis.lower;
  checked.upper = axis.upper;
  checked.rest = axis.rest;
  checked.friction = axis.friction;
  checked.spring = checked_spring(axis.spring);
  checked.motor = checked_motor(axis.motor, physics::JointKind::SixDof);
  return checked;
}

physics::JointDetails checked_details(const jostle_joint_def& def, physics::JointKind kind) {
  require_moderate(def.ratio, "def->ratio", "");
  if (!(math::abs_of(def.ratio) >= 1e-6f))
    refuse_number("def->ratio", def.ratio, "a magnitude of at least 1e-6");
  if (kind == physics::JointKind::Pulley && def.ratio < 0.0f)
    refuse_number("def->ratio", def.ratio, "positive numbers for a pulley");
  for (const jostle_position& anchor : {def.ground_anchor_a, def.ground_anchor_b}) {
    for (const double x : {anchor.x, anchor.y, anchor.z})
      require_range(x, -physics::max_coordinate, physics::max_coordinate,
                    "a coordinate of def->ground_anchor_a or _b", "m");
  }
  require_range(def.steer_angle, -max_steering, max_steering, "def->steer_angle", "rad");
  require_magnitude(def.brake_torque, "def->brake_torque", "N·m");
  require_magnitude(def.sprung_mass, "def->sprung_mass", "kg");
  require_range(def.target_velocity, -max_joint_value, max_joint_value, "def->target_velocity",
                "m/s");
  require_range(def.target_angular_velocity, -max_joint_value, max_joint_value,
                "def->target_angular_velocity", "rad/s");
  require_magnitude(def.max_force, "def->max_force", "N");
  require_magnitude(def.max_torque, "def->max_torque", "N·m");
  physics::JointDetails details;
  for (std::size_t i = 0; i < details.axes.size(); ++i)
    details.axes[i] = checked_axis(def.axes[i], i);
  details.ratio = def.ratio;
  details.ground_anchor_a = to_engine(def.ground_anchor_a);
  details.ground_anchor_b = to_engine(def.ground_anchor_b);
  details.steer_angle = def.steer_angle;
  details.brake_torque = def.brake_torque;
  details.sprung_mass = def.sprung_mass;
  details.target = checked_frame(def.target, "def->target");
  details.target_velocity = to_engine(def.target_velocity);
  details.target_angular_velocity = to_engine(def.target_angular_velocity);
  details.max_force = def.max_force;
  details.max_torque = def.max_torque;
  return details;
}

physics::JointDef checked_joint(const jostle_joint_def& def) {
  require_enumerator(def.kind, physics::joint_kind_count, "def->kind");
  physics::JointDef joint;
  joint.kind = static_cast<physics::JointKind>(def.kind);
  joint.body_a = to_engine(def.body_a);
  joint.body_b = to_engine(def.body_b);
  joint.frame_a = checked_frame(def.frame_a, "def->frame_a");
  joint.frame_b = checked_frame(def.frame_b, "def->frame_b");
  require_moderate(def.rest, "def->rest", "rad or m");
  joint.rest = def.rest;
  joint.limits = checked_limits(def.limits);
  joint.cone = checked_cone(def.cone);
  joint.spring = checked_spring(def.spring);
  joint.motor = checked_motor(def.motor, joint.kind);
  joint.collide_connected = require_bool(def.collide_connected, "def->collide_connected");
  require_magnitude(def.break_force, "def->break_force", "N");
  require_magnitude(def.break_torque, "def->break_torque", "N·m");
  joint.break_force = def.break_force;
  joint.break_torque = def.break_torque;
  const physics::JointDetails details = checked_details(def, joint.kind);
  // A joint without details takes less memory.
  if (!(details == physics::JointDetails{}) || joint.kind >= physics::JointKind::Wheel)
    joint.details.edit() = details;
  require_valid(joint);
  return joint;
}

void require_valid(const physics::JointDef& joint) {
  using physics::JointKind;
  if (physics::is_valid(joint)) return;
  if (joint.spring.tension_only && joint.kind != JointKind::Distance)
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "spring.tension_only is 1; only distance joints may set it");
  if (joint.kind == JointKind::Ball || joint.kind == JointKind::Hinge)
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "rest and limits of balls and hinges must be within ±π, and frames within 1e6 m");
  if (joint.kind == JointKind::Distance || joint.kind == JointKind::Pulley)
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "rest and limits of distance joints and pulleys must not be negative, and frames "
                "must be within 1e6 m");
  refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
              "the joint is invalid; the second angle of a six-DOF joint must be locked or limited "
              "to ±85° unless all angles are free, and frames must be within 1e6 m");
}

jostle_joint_def joint_def_of(const physics::JointDef& joint) {
  jostle_joint_def def{};
  def.size = sizeof def;
  def.kind = static_cast<jostle_joint_kind>(joint.kind);
  def.body_a = to_c(joint.body_a);
  def.body_b = to_c(joint.body_b);
  def.frame_a = to_c(joint.frame_a);
  def.frame_b = to_c(joint.frame_b);
  def.rest = joint.rest;
  def.limits = {to_c(joint.limits.is_enabled), joint.limits.lower, joint.limits.upper};
  def.cone = {to_c(joint.cone.is_enabled), joint.cone.angle};
  def.spring = spring_of(joint.spring);
  def.motor = motor_of(joint.motor);
  def.collide_connected = to_c(joint.collide_connected);
  def.break_force = joint.break_force;
  def.break_torque = joint.break_torque;
  write_details(joint.details.get(), def);
  return def;
}

}  // namespace jostle::api
