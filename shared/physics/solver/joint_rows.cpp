#include "shared/physics/solver/joint_rows.h"

#include "shared/math/trig.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/body_lanes.h"

#include <cmath>

namespace jostle::physics {

using math::Quat;
using math::Vec3;

namespace {

constexpr Vec3 axis_x{1, 0, 0};

/// Bodies are not driven back from behind a limit faster than this.
constexpr float max_limit_push_speed = 4.0f;  // m/s or rad/s

/// The two joint frames in the world, and what limits need of them.
struct Frames {
  Quat a, b;
  Vec3 axis_a, axis_b;
};

Frames find_frames(const JointConstraint& joint, const SolverArrays& bodies) {
  Frames frames;
  frames.a = rotation_of(bodies, joint.a) * joint.frame_a;
  frames.b = rotation_of(bodies, joint.b) * joint.frame_b;
  frames.axis_a = rotate(frames.a, axis_x);
  frames.axis_b = rotate(frames.b, axis_x);
  return frames;
}

/// The angle of b against a about x, the turn among those of a full circle that is nearest to
/// `near`.
float twist_angle(const Frames& frames, float near) {
  const Quat turned = conjugate(frames.a) * frames.b;
  const float sign = turned.w < 0.0f ? -1.0f : 1.0f;
  float angle = 2.0f * math::atan2(sign * turned.x, sign * turned.w);
  if (angle - near > math::pi) angle -= 2.0f * math::pi;
  if (near - angle > math::pi) angle += 2.0f * math::pi;
  return angle;
}

/// The rate of the twist of a swing-twist pair is ω·(x_a + x_b) / (1 + x_a·x_b). Where the axes are
/// nearly opposite there is no twist to speak of, and nothing acts.
Vec3 twist_direction(const Frames& frames) {
  constexpr float nearly_opposite = 0.25f;
  const float share = 1.0f + dot(frames.axis_a, frames.axis_b);
  return share > nearly_opposite ? (frames.axis_a + frames.axis_b) / share : Vec3{};
}

/// A direction, the value that changes along it, and its second-order part.
struct Coordinate {
  Vec3 linear, arm_a, arm_b;
  float value = 0;
};

Coordinate find_coordinate(const JointConstraint& joint, const Frames& frames, float near) {
  Coordinate c;
  switch (joint.kind) {
    case JointKind::Ball:
    case JointKind::Hinge:
      c.arm_a = c.arm_b = twist_direction(frames);
      c.value = twist_angle(frames, near);
      break;
    case JointKind::Slider:
    case JointKind::Distance: {
      c.linear = joint.kind == JointKind::Slider ? frames.axis_a
                                                 : normalized_or(joint.apart, frames.axis_a);
      c.value = dot(c.linear, joint.apart);
      c.arm_a = cross(joint.arm_a, c.linear);
      c.arm_b = cross(joint.arm_b, c.linear);
      break;
    }
    case JointKind::Fixed:
      break;
  }
  return c;
}

Coordinate find_cone(const Frames& frames) {
  Coordinate c;
  const Vec3 across = cross(frames.axis_a, frames.axis_b);
  const float sine = length(across);
  c.arm_a = c.arm_b = normalized_or(across, perpendicular(frames.axis_a));
  c.value = math::atan2(sine, dot(frames.axis_a, frames.axis_b));
  return c;
}

void turn_around(Coordinate& c) {
  c.linear = -c.linear;
  c.arm_a = -c.arm_a;
  c.arm_b = -c.arm_b;
}

/// The mass that a row meets when the block holds all that it holds.
float projected_mass(const JointArrays& arrays, const JointConstraint& joint, const Coordinate& c) {
  const Vec3 turn_a = arrays.inverse_inertia[joint.a] * c.arm_a;
  const Vec3 turn_b = arrays.inverse_inertia[joint.b] * c.arm_b;
  const float inverse_mass = joint.inverse_mass_a + joint.inverse_mass_b;
  const float alone =
      inverse_mass * dot(c.linear, c.linear) + dot(c.arm_a, turn_a) + dot(c.arm_b, turn_b);
  const Vec3 anchors =
      c.linear * inverse_mass + cross(turn_b, joint.arm_b) + cross(turn_a, joint.arm_a);
  const Vec3 turns = turn_b + turn_a;
  const BlockImpulse answer = block_answer(joint, anchors, turns);
  const float together = alone + dot(anchors, answer.linear) + dot(turns, answer.angular);
  // What is left of a direction that the block holds itself is rounding.
  constexpr float least_share = 1e-4f;
  return together > least_share * alone ? 1.0f / together : 0.0f;
}

float row_speed(const JointRow& row, const SolverVelocity& a, const SolverVelocity& b) {
  return dot(row.linear, b.linear - a.linear) + dot(row.arm_b, b.angular) -
         dot(row.arm_a, a.angular);
}

/// The change of impulse that the row asks for in the hold phase, before it is bounded.
float hold_change(const JointRow& row, const JointRecord& record, const Softness& softness,
                  float speed, float h) {
  const float total = row.impulse[HoldPhase];
  switch (row.kind) {
    case JointRowKind::Motor:
      return -row.mass * (speed - record.def.motor.speed);
    case JointRowKind::Spring: {
      if (is_implicit_spring(record.def.spring.hertz, h)) {
        const float omega = 2.0f * math::pi * record.def.spring.hertz;
        const float rate = omega / (2.0f * record.def.spring.damping_ratio + h * omega);
        const float c = h * omega * (2.0f * record.def.spring.damping_ratio + h * omega);
        return (-row.mass * c * (speed + rate * row.error) - total) / (1.0f + c);
      }
      const float wanted = -row.mass * (row.spring_damping * speed + row.spring_rate * row.error);
      return (wanted - total) / (1.0f + row.spring_damping);
    }
    case JointRowKind::Lower:
    case JointRowKind::Upper:
    case JointRowKind::Cone:
      break;
  }
  if (row.error > 0.0f) return -row.mass * (speed + row.error / h);
  const float bias = math::max_of(row.error * softness.bias_rate, -max_limit_push_speed);
  return -row.mass * softness.mass_scale * (speed + bias) - softness.impulse_scale * total;
}

float relax_change(const JointRow& row, const JointRecord& record, float speed, float h) {
  const float total = row.impulse[RelaxPhase];
  switch (row.kind) {
    case JointRowKind::Motor:
      return -row.mass * (speed - record.def.motor.speed);
    case JointRowKind::Spring: {
      if (is_implicit_spring(record.def.spring.hertz, h)) return -total;
      const float speed_between = (row.error - row.error_before) / h;
      return -row.mass * (row.spring_damping * speed_between + row.spring_rate * row.error) - total;
    }
    case JointRowKind::Lower:
    case JointRowKind::Upper:
    case JointRowKind::Cone:
      break;
  }
  return -row.mass * (speed + (row.error > 0.0f ? row.error / h : 0.0f));
}

/// Bounds hold for the impulse of both phases together.
float bounded(const JointRow& row, const JointRecord& record, float h, JointPhase phase,
              float total) {
  const float other = phase == RelaxPhase ? row.impulse[HoldPhase] : 0.0f;
  if (row.kind == JointRowKind::Spring) return total;
  if (row.kind == JointRowKind::Motor) {
    const float most = record.def.motor.max_force * h;
    return math::clamp(total, -most - other, most - other);
  }
  return math::max_of(total, -other);
}

}  // namespace

bool is_implicit_spring(float hertz, float h) {
  constexpr float largest_angle = 0.5f;  // rad per substep
  return 2.0f * math::pi * hertz * h > largest_angle;
}

SpringCoefficients spring_coefficients(float hertz, float damping_ratio, float h) {
  const float angle = 2.0f * math::pi * hertz * h;
  const float kept_root = math::exp(-damping_ratio * angle);  // √E
  const float kept = kept_root * kept_root;
  // 2√E·cos(θ√(1−ζ²)), with the hyperbolic cosine above critical damping.
  const float squared = 1.0f - damping_ratio * damping_ratio;
  float twice = 0;
  if (squared >= 0.0f) {
    twice = 2.0f * kept_root * math::sin_cos(angle * std::sqrt(squared)).cos;
  } else {
    const float grown = angle * std::sqrt(-squared);
    twice = math::exp(grown - damping_ratio * angle) + math::exp(-grown - damping_ratio * angle);
  }
  const float damping = (1.0f - kept) / (1.0f + kept);  // D/2
  const float kappa = 2.0f * (1.0f + kept - twice) / (1.0f + kept);
  return {damping, 0.5f * kappa / h};
}

void add_joint_rows(JointArrays& arrays, JointConstraint& joint, const JointRecord& record,
                    float h) {
  joint.first_row = static_cast<std::uint32_t>(arrays.rows.size());
  const JointDef& def = record.def;
  const auto add = [&](JointRowKind kind) {
    JointRow& row = arrays.rows.emplace_back();
    row.kind = kind;
    for (std::size_t phase = 0; phase < joint_phase_count; ++phase) {
      row.impulse[phase] = record.impulses[phase].rows[static_cast<std::size_t>(kind)];
    }
    if (kind == JointRowKind::Spring && !is_implicit_spring(def.spring.hertz, h)) {
      const SpringCoefficients c =
          spring_coefficients(def.spring.hertz, def.spring.damping_ratio, h);
      row.spring_damping = c.damping;
      row.spring_rate = c.rate;
    }
  };
  const bool has_axis = def.kind != JointKind::Ball && def.kind != JointKind::Fixed;
  if (has_axis && def.spring.is_enabled && def.spring.hertz > 0.0f) add(JointRowKind::Spring);
  if (has_axis && def.motor.is_enabled) add(JointRowKind::Motor);
  if (def.kind != JointKind::Fixed && def.limits.is_enabled) {
    add(JointRowKind::Lower);
    add(JointRowKind::Upper);
  }
  if (def.kind == JointKind::Ball && def.cone.is_enabled) add(JointRowKind::Cone);
  joint.row_count = static_cast<std::uint32_t>(arrays.rows.size()) - joint.first_row;
}

void update_joint_rows(JointArrays& arrays, JointConstraint& joint, const JointRecord& record,
                       const SolverArrays& bodies) {
  if (joint.row_count == 0) return;
  const JointDef& def = record.def;
  const Frames frames = find_frames(joint, bodies);
  const float near =
      def.limits.is_enabled ? 0.5f * (def.limits.lower + def.limits.upper) : def.rest;
  const Coordinate along = find_coordinate(joint, frames, near);
  for (std::uint32_t i = joint.first_row; i < joint.first_row + joint.row_count; ++i) {
    JointRow& row = arrays.rows[i];
    Coordinate c = along;
    float error = 0;
    switch (row.kind) {
      case JointRowKind::Motor:
        break;
      case JointRowKind::Spring:
        error = c.value - def.rest;
        break;
      case JointRowKind::Lower:
        error = c.value - def.limits.lower;
        break;
      case JointRowKind::Upper:
        error = def.limits.upper - c.value;
        turn_around(c);
        break;
      case JointRowKind::Cone:
        c = find_cone(frames);
        error = def.cone.angle - c.value;
        turn_around(c);
        break;
    }
    row.linear = c.linear;
    row.arm_a = c.arm_a;
    row.arm_b = c.arm_b;
    row.error_before = row.error;
    row.error = error;
    row.mass = projected_mass(arrays, joint, c);
  }
}

void solve_joint_rows(JointArrays& arrays, JointConstraint& joint, const JointRecord& record,
                      float h, JointPhase phase, SolverVelocity& a, SolverVelocity& b) {
  for (std::uint32_t i = joint.first_row; i < joint.first_row + joint.row_count; ++i) {
    JointRow& row = arrays.rows[i];
    float speed = row_speed(row, a, b);
    if (phase == HoldPhase) speed += dot(row.linear, joint.drift + joint.ahead);
    const float change = phase == HoldPhase ? hold_change(row, record, arrays.softness, speed, h)
                                            : relax_change(row, record, speed, h);
    const float total = bounded(row, record, h, phase, row.impulse[phase] + change);
    const float impulse = total - row.impulse[phase];
    row.impulse[phase] = total;
    apply_wrench(arrays, joint, {row.linear * impulse, row.arm_a * impulse, row.arm_b * impulse}, a,
                 b);
  }
}

void add_row_wrench(const JointArrays& arrays, const JointConstraint& joint, JointPhase phase,
                    Wrench& wrench) {
  for (std::uint32_t i = joint.first_row; i < joint.first_row + joint.row_count; ++i) {
    const JointRow& row = arrays.rows[i];
    wrench.linear += row.linear * row.impulse[phase];
    wrench.angular_a += row.arm_a * row.impulse[phase];
    wrench.angular_b += row.arm_b * row.impulse[phase];
  }
}

BlockImpulse block_answer(const JointConstraint& joint, Vec3 linear_error, Vec3 angular_error) {
  BlockImpulse block;
  block.linear =
      -(joint.linear_mass * (linear_error - joint.coupling * (joint.angular_mass * angular_error)));
  block.angular =
      -(joint.angular_mass * (angular_error + transpose_multiply(joint.coupling, block.linear)));
  return block;
}

void apply_wrench(const JointArrays& arrays, const JointConstraint& joint, const Wrench& wrench,
                  SolverVelocity& a, SolverVelocity& b) {
  a.linear -= wrench.linear * joint.inverse_mass_a;
  a.angular -= arrays.inverse_inertia[joint.a] * wrench.angular_a;
  b.linear += wrench.linear * joint.inverse_mass_b;
  b.angular += arrays.inverse_inertia[joint.b] * wrench.angular_b;
}

}  // namespace jostle::physics
