#include "shared/physics/world/joint_coordinates.h"

#include "shared/math/trig.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"

#include <algorithm>
#include <cmath>

namespace jostle::physics {

using math::Quat;
using math::Vec3;

namespace {

/// Limit of the second angle of a six-DOF joint, because of gimbal lock.
constexpr float max_second_angle = 85.0f / 180.0f * math::pi;
constexpr float max_steer_angle = 80.0f / 180.0f * math::pi;

bool is_moderate(float x) {
  return math::abs_of(x) <= max_joint_value;  // false for NaN
}
bool is_moderate_magnitude(float x) {
  return x >= 0.0f && x <= max_joint_value;
}
bool is_moderate(Vec3 v) {
  return is_moderate(v.x) && is_moderate(v.y) && is_moderate(v.z);
}

bool is_valid(const JointAxisDef& axis, bool turns) {
  const float farthest = turns ? math::pi : max_joint_value;
  const bool is_limited = axis.freedom == JointFreedom::Limited;
  return static_cast<std::uint8_t>(axis.freedom) < joint_freedom_count &&
         math::abs_of(axis.lower) <= farthest && math::abs_of(axis.upper) <= farthest &&
         axis.lower <= axis.upper && math::abs_of(axis.rest) <= farthest &&
         (!is_limited || (axis.rest >= axis.lower && axis.rest <= axis.upper)) &&
         is_moderate_magnitude(axis.spring.hertz) &&
         is_moderate_magnitude(axis.spring.damping_ratio) && is_moderate(axis.motor.speed) &&
         is_moderate_magnitude(axis.motor.max_force) && is_moderate_magnitude(axis.friction);
}

float reach_of(const JointAxisDef& axis) {
  if (is_locked(axis)) return math::abs_of(locked_value(axis));
  if (axis.freedom == JointFreedom::Free) return math::pi;
  return math::max_of(math::abs_of(axis.lower), math::abs_of(axis.upper));
}

/// Returns the axis (0 to 2 for x, y, z) whose angle comes second: the first locked one in the
/// order y, z, x, or else the one with the narrowest limits.
std::uint32_t second_axis(const JointDetails& details) {
  constexpr std::array<std::uint32_t, 3> order{1, 2, 0};
  for (const std::uint32_t i : order)
    if (is_locked(details.axes[3 + i])) return i;
  std::uint32_t narrowest = 1;
  for (const std::uint32_t i : order)
    if (reach_of(details.axes[3 + i]) < reach_of(details.axes[3 + narrowest])) narrowest = i;
  return narrowest;
}

bool are_axes_valid(const JointDetails& details) {
  for (std::size_t i = 0; i < details.axes.size(); ++i)
    if (!is_valid(details.axes[i], i >= 3)) return false;
  const bool has_no_angle =
      std::all_of(details.axes.begin() + 3, details.axes.end(),
                  [](const JointAxisDef& axis) { return axis.freedom == JointFreedom::Free; });
  return has_no_angle || reach_of(details.axes[3 + second_axis(details)]) <= max_second_angle;
}

CoordinateRule locked_at(float place) {
  CoordinateRule rule;
  rule.is_locked = true;
  rule.rest = place;
  return rule;
}

CoordinateRule rule_of(const JointAxisDef& axis) {
  if (is_locked(axis)) return locked_at(locked_value(axis));
  CoordinateRule rule;
  rule.rest = axis.rest;
  if (axis.freedom == JointFreedom::Limited) {
    rule.lower = axis.lower;
    rule.upper = axis.upper;
  }
  rule.spring = axis.spring;
  rule.motor = axis.motor;
  rule.friction = axis.friction;
  return rule;
}

/// Returns the constraint that the limits, spring, motor and rest value of the joint itself define.
CoordinateRule rule_of(const JointDef& def) {
  CoordinateRule rule;
  rule.rest = def.rest;
  if (def.limits.is_enabled) {
    rule.lower = def.limits.lower;
    rule.upper = def.limits.upper;
  }
  rule.spring = def.spring;
  rule.motor = def.motor;
  return rule;
}

CoordinateRules wheel_rules(const JointDef& def) {
  CoordinateRules rules;
  rules[0] = rule_of(def);
  rules[0].motor = {};
  const float mass = def.details->sprung_mass;
  rules[0].spring_mass = mass > 0.0f ? mass : CoordinateRule::of_a_alone;
  rules[1] = rules[2] = rules[4] = locked_at(0);
  rules[3] = locked_at(def.details->steer_angle);
  rules[5].motor = def.motor;
  rules[5].friction = def.details->brake_torque;
  return rules;
}

CoordinateRules servo_rules(const JointDef& def) {
  CoordinateRules rules;
  const JointDetails& details = def.details.get();
  for (std::size_t i = 0; i < max_coordinates; ++i) {
    const bool turns = i >= 3;
    const Vec3 speed = turns ? details.target_angular_velocity : details.target_velocity;
    rules[i].spring = def.spring;
    rules[i].spring.is_enabled = (turns ? details.max_torque : details.max_force) > 0.0f;
    rules[i].motor.speed = i % 3 == 0 ? speed.x : i % 3 == 1 ? speed.y : speed.z;
  }
  return rules;
}

CoordinateRule rope_rule(const JointDef& def) {
  CoordinateRule rule = rule_of(def);
  rule.tension_only = true;
  if (!def.limits.is_enabled && !def.spring.is_enabled) rule.upper = def.rest;
  if (def.motor.is_enabled && !def.limits.is_enabled) rule.upper = unbounded_coordinate;
  // A rope cannot be shorter than zero, so a lower limit of zero or less has no effect.
  if (rule.lower <= 0.0f) rule.lower = -unbounded_coordinate;
  return rule;
}

Vec3 rotated_axis(Quat q, int i) {
  return rotate(q, i == 0 ? Vec3{1, 0, 0} : i == 1 ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
}

/// Returns the three Euler angles of `turned`, the rotation of b relative to a: about x of a, about
/// the rotated y, and about z of b.
Vec3 angles_between(Quat turned) {
  const Vec3 x = rotated_axis(turned, 0), y = rotated_axis(turned, 1), z = rotated_axis(turned, 2);
  return {math::atan2(-z.y, z.z), math::atan2(z.x, std::sqrt(x.x * x.x + y.x * y.x)),
          math::atan2(-y.x, x.x)};
}

/// The pose and motion of frame b relative to frame a, in the axes of frame a.
struct Relation {
  Vec3 apart, angles, velocity, angular_velocity;
  Quat turned;
};

Relation relation_of(const WorldState& world, const JointDef& def, Quat shift) {
  const Body &a = world.bodies[def.body_a.index], &b = world.bodies[def.body_b.index];
  math::Pose at_a = frame_pose(a) * def.frame_a, at_b = frame_pose(b) * def.frame_b;
  at_a.rotation = at_a.rotation * shift;
  at_b.rotation = at_b.rotation * shift;
  Relation relation;
  const Vec3 between = at_b.position - at_a.position;
  relation.turned = conjugate(at_a.rotation) * at_b.rotation;
  relation.apart = inverse_rotate(at_a.rotation, between);
  relation.angles = angles_between(relation.turned);
  // Velocity of b's anchor relative to the point of a at the same position.
  const Vec3 of_a = a.linear_velocity + cross(a.angular_velocity, at_b.position - a.position);
  const Vec3 of_b = b.linear_velocity + cross(b.angular_velocity, at_b.position - b.position);
  relation.velocity = inverse_rotate(at_a.rotation, of_b - of_a);
  relation.angular_velocity =
      inverse_rotate(at_a.rotation, b.angular_velocity - a.angular_velocity);
  return relation;
}

/// Returns the rates of the three angles, from ω = α̇·x + β̇·y' + γ̇·z; zero near gimbal lock.
Vec3 angle_rates(const Relation& relation) {
  const Vec3 x{1, 0, 0}, z = rotated_axis(relation.turned, 2);
  const Vec3 across = cross(z, x);
  const float cosine = length(across);
  if (!(cosine > 0.1f)) return {};
  const Vec3 y = across / cosine, w = relation.angular_velocity;
  return {dot(w, cross(y, z)) / cosine, dot(w, y), dot(w, cross(x, y)) / cosine};
}

/// Returns the error of a coordinate: its distance from the values that the rule allows.
float failure_of(const CoordinateRule& rule, float value) {
  if (rule.is_locked) return math::abs_of(value - rule.rest);
  return math::max_of(math::max_of(rule.lower - value, value - rule.upper), 0.0f);
}

JointState axes_state(const WorldState& world, const JointDef& def) {
  const std::uint32_t shift = axis_shift(def);
  const Relation relation = relation_of(world, def, shift_rotation(shift));
  const Vec3 rates = angle_rates(relation);
  const auto parts = [](Vec3 v, Vec3 w) {
    return std::array<float, 6>{v.x, v.y, v.z, w.x, w.y, w.z};
  };
  const std::array<float, 6> values = parts(relation.apart, relation.angles);
  const std::array<float, 6> speeds = parts(relation.velocity, rates);
  const CoordinateRules rules = coordinate_rules(def);
  JointState state;
  Vec3 gaps, leans;
  for (std::size_t i = 0; i < max_coordinates; ++i) {
    const std::size_t place = i / 3 * 3 + (i + shift) % 3;
    state.axes[place] = values[i];
    state.rates[place] = speeds[i];
    const float failure = failure_of(rules[i], values[i]);
    Vec3& sum = i < 3 ? gaps : leans;
    (i % 3 == 0 ? sum.x : i % 3 == 1 ? sum.y : sum.z) = failure;
  }
  state.gap = length(gaps);
  state.lean = length(leans);
  return state;
}

float rope_length(const WorldState& world, const JointDef& def) {
  const Body &a = world.bodies[def.body_a.index], &b = world.bodies[def.body_b.index];
  const math::Position at_a = transform_point(frame_pose(a), def.frame_a.offset);
  const math::Position at_b = transform_point(frame_pose(b), def.frame_b.offset);
  if (def.kind == JointKind::Distance) return length(at_b - at_a);
  const JointDetails& details = def.details.get();
  return length(at_a - details.ground_anchor_a) +
         details.ratio * length(at_b - details.ground_anchor_b);
}

}  // namespace

bool is_locked(const JointAxisDef& axis) {
  return axis.freedom == JointFreedom::Locked ||
         (axis.freedom == JointFreedom::Limited && axis.lower == axis.upper);
}

float locked_value(const JointAxisDef& axis) {
  return axis.freedom == JointFreedom::Locked ? axis.rest : axis.lower;
}

Quat locked_rotation(const JointDef& def) {
  const std::uint32_t first = axis_shift(def);
  const Quat shift = shift_rotation(first);
  const auto turn = [&](std::uint32_t i, Vec3 axis) {
    return math::from_axis_angle(axis, locked_value(def.details->axes[3 + (first + i) % 3]));
  };
  return shift * turn(0, {1, 0, 0}) * turn(1, {0, 1, 0}) * turn(2, {0, 0, 1}) * conjugate(shift);
}

std::uint32_t axis_shift(const JointDef& def) {
  if (def.kind != JointKind::SixDof) return 0;
  return (second_axis(def.details.get()) + 2) % 3;  // y comes second without a shift
}

Quat shift_rotation(std::uint32_t shift) {
  constexpr Quat once{0.5f, 0.5f, 0.5f, 0.5f};  // maps x to y, y to z, z to x
  return shift == 0 ? Quat{} : shift == 1 ? once : once * once;
}

CoordinateRules coordinate_rules(const JointDef& def) {
  CoordinateRules rules;
  switch (def.kind) {
    case JointKind::Wheel:
      return wheel_rules(def);
    case JointKind::Servo:
      return servo_rules(def);
    case JointKind::SixDof: {
      const std::uint32_t shift = axis_shift(def);
      for (std::size_t i = 0; i < max_coordinates; ++i)
        rules[i] = rule_of(def.details->axes[i / 3 * 3 + (i + shift) % 3]);
      return rules;
    }
    case JointKind::Gear:
    case JointKind::RackAndPinion:
      rules[0] = rule_of(def);
      rules[0].is_locked =
          !def.limits.is_enabled && !def.spring.is_enabled && !def.motor.is_enabled;
      return rules;
    default:
      rules[0] = rope_rule(def);
      return rules;
  }
}

bool are_valid(const JointDetails& details, JointKind kind) {
  const bool has_ratio = math::abs_of(details.ratio) >= 1e-6f && is_moderate(details.ratio) &&
                         (kind != JointKind::Pulley || details.ratio > 0.0f);
  const auto is_place = [](math::Position p) {
    return is_finite(p) && std::abs(p.x) <= max_coordinate && std::abs(p.y) <= max_coordinate &&
           std::abs(p.z) <= max_coordinate;
  };
  return has_ratio && are_axes_valid(details) && is_place(details.ground_anchor_a) &&
         is_place(details.ground_anchor_b) &&
         math::abs_of(details.steer_angle) <= max_steer_angle &&
         is_moderate_magnitude(details.brake_torque) &&
         is_moderate_magnitude(details.sprung_mass) &&
         length(details.target.offset) <= max_local_offset &&
         is_unit(details.target.rotation, call_unit_tolerance) &&
         is_moderate(details.target_velocity) && is_moderate(details.target_angular_velocity) &&
         is_moderate_magnitude(details.max_force) && is_moderate_magnitude(details.max_torque);
}

void fit_coordinates(JointRecord& joint) {
  if (!has_coordinates(joint.def)) {
    joint.coordinates.reset();
  } else if (!joint.coordinates) {
    joint.coordinates = std::make_unique<CoordinateState>();
  }
}

bool is_consistent(const CoordinateState& state) {
  const auto is_bounded = [](float x) { return math::abs_of(x) <= max_impulse; };
  for (const auto& phase : state.impulses) {
    for (const CoordinateState::Impulses& impulses : phase) {
      if (!is_bounded(impulses.lock) || !std::ranges::all_of(impulses.rows, is_bounded))
        return false;
    }
  }
  return is_moderate(state.track);
}

JointState coordinate_joint_state(const WorldState& world, const JointRecord& joint) {
  const JointDef& def = joint.def;
  if (def.kind == JointKind::Wheel || def.kind == JointKind::SixDof) {
    JointState state = axes_state(world, def);
    state.translation = state.axes[0];
    state.angle = state.axes[3];
    return state;
  }
  JointState state;
  const CoordinateRule rule = coordinate_rules(def)[0];
  if (def.kind == JointKind::Servo) {
    const Relation relation = relation_of(world, def, {});
    const math::Transform& target = def.details->target;
    state.gap = length(relation.apart - target.offset);
    state.lean = length(to_rotation_vector(conjugate(target.rotation) * relation.turned));
    return state;
  }
  if (def.kind == JointKind::Gear) {
    state.angle = joint.coordinates->track;
    state.lean = failure_of(rule, state.angle);
    return state;
  }
  state.translation =
      def.kind == JointKind::RackAndPinion ? joint.coordinates->track : rope_length(world, def);
  state.gap = failure_of(rule, state.translation);
  return state;
}

}  // namespace jostle::physics
