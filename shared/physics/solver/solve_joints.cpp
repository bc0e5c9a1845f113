#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/solver/body_lanes.h"
#include "shared/physics/solver/joint_rows.h"
#include "shared/physics/solver/joint_solver.h"

#include <cmath>

namespace jostle::physics {

using math::Mat3;
using math::Quat;
using math::Vec3;

namespace {

constexpr Vec3 axis_x{1, 0, 0}, axis_y{0, 1, 0}, axis_z{0, 0, 1};

Mat3 minus(const Mat3& a, const Mat3& b) {
  return {a.cx - b.cx, a.cy - b.cy, a.cz - b.cz};
}

/// u·vᵀ
Mat3 outer(Vec3 u, Vec3 v) {
  return {u * v.x, u * v.y, u * v.z};
}

float trace(const Mat3& m) {
  return m.cx.x + m.cy.y + m.cz.z;
}

/// The inverse of a symmetric, positive matrix, whose entries may be small or large.
Mat3 inverse_of(const Mat3& m) {
  const float sum = trace(m);
  if (!(sum > 0.0f)) return math::zero_matrix();
  return inverse(m * (1.0f / sum)) * (1.0f / sum);
}

/// The inverse of m within the plane of u and v, and zero across it.
Mat3 inverse_within(const Mat3& m, Vec3 u, Vec3 v) {
  const Vec3 mu = m * u, mv = m * v;
  const float uu = dot(u, mu), uv = dot(u, mv), vv = dot(v, mv);
  const float sum = uu + vv;
  if (!(sum > 0.0f)) return math::zero_matrix();
  const float scale = 1.0f / sum;
  const float determinant = (uu * scale) * (vv * scale) - (uv * scale) * (uv * scale);
  if (!(determinant > 0.0f)) return math::zero_matrix();
  const float factor = scale / determinant;
  const float a = vv * scale * factor, b = -uv * scale * factor, c = uu * scale * factor;
  return outer(u * a + v * b, u) + outer(u * b + v * c, v);
}

/// The inverse of m along the unit vector n, and zero across it.
Mat3 inverse_along(const Mat3& m, Vec3 n) {
  const float response = dot(n, m * n);
  return response > 0.0f ? outer(n * (1.0f / response), n) : math::zero_matrix();
}

/// Twice the vector part of the rotation from frame a to frame b: the angle, for small ones.
Vec3 rotation_between(Quat a, Quat b) {
  const Quat turned = b * conjugate(a);
  const float twice = turned.w < 0.0f ? -2.0f : 2.0f;
  return {twice * turned.x, twice * turned.y, twice * turned.z};
}

void measure_rotation(JointConstraint& joint, Quat a, Quat b, const Mat3& turning) {
  switch (joint.kind) {
    case JointKind::Fixed:
    case JointKind::Slider:
      joint.angular_error = rotation_between(a, b);
      joint.angular_mass = inverse_of(turning);
      break;
    case JointKind::Hinge:
      joint.angular_error = cross(rotate(a, axis_x), rotate(b, axis_x));
      joint.angular_mass = inverse_within(turning, rotate(a, axis_y), rotate(a, axis_z));
      break;
    case JointKind::Ball:
    case JointKind::Distance:
      joint.angular_mass = math::zero_matrix();
      break;
  }
}

void measure_anchors(JointConstraint& joint, Quat a, const Mat3& moving) {
  switch (joint.kind) {
    case JointKind::Ball:
    case JointKind::Hinge:
    case JointKind::Fixed:
      joint.linear_mass = inverse_of(moving);
      break;
    case JointKind::Slider:
      joint.linear_mass = inverse_within(moving, rotate(a, axis_y), rotate(a, axis_z));
      break;
    case JointKind::Distance: {
      joint.linear_mass = math::zero_matrix();
      if (!joint.is_rigid_distance) break;
      const Vec3 n = normalized_or(joint.apart, rotate(a, axis_x));
      joint.linear_mass = inverse_along(moving, n);
      joint.linear_error = joint.apart - n * joint.rest;
      break;
    }
  }
}

/// What turned out of the directions that the joint holds would do work: it is left out.
void drop_strays(JointConstraint& joint, Quat frame_a) {
  const Vec3 axis = rotate(frame_a, axis_x);
  const Vec3 n = normalized_or(joint.apart, axis);
  for (std::size_t phase = 0; phase < joint_phase_count; ++phase) {
    Vec3 &linear = joint.linear[phase], &angular = joint.angular[phase];
    if (joint.kind == JointKind::Distance) linear = n * dot(n, linear);
    if (joint.kind == JointKind::Slider) linear -= axis * dot(axis, linear);
    if (joint.kind == JointKind::Hinge) angular -= axis * dot(axis, angular);
  }
}

/// Arms, errors and masses as the bodies stand now.
void measure(const JointArrays& arrays, JointConstraint& joint, const SolverArrays& solver) {
  const Quat rotation_a = rotation_of(solver, joint.a), rotation_b = rotation_of(solver, joint.b);
  joint.arm_a = rotate(rotation_a, joint.local_a);
  joint.arm_b = rotate(rotation_b, joint.local_b);
  joint.apart = joint.between + (solver.motions[joint.b].offset - solver.motions[joint.a].offset) +
                (joint.arm_b - joint.arm_a);
  joint.linear_error = joint.apart;
  // The force of a slider acts at b's anchor, wherever that is along the axis of a.
  if (joint.kind == JointKind::Slider) joint.arm_a += joint.apart;

  const Mat3 &inverse_a = arrays.inverse_inertia[joint.a],
             &inverse_b = arrays.inverse_inertia[joint.b];
  const Mat3 skew_a = math::skew(joint.arm_a), skew_b = math::skew(joint.arm_b);
  const Mat3 turn_a = skew_a * inverse_a, turn_b = skew_b * inverse_b;
  const float inverse_mass = joint.inverse_mass_a + joint.inverse_mass_b;
  joint.coupling = (turn_a + turn_b) * -1.0f;
  Mat3 moving = minus(math::diagonal({inverse_mass, inverse_mass, inverse_mass}),
                      turn_a * skew_a + turn_b * skew_b);
  const Quat frame_a = rotation_a * joint.frame_a, frame_b = rotation_b * joint.frame_b;
  measure_rotation(joint, frame_a, frame_b, inverse_a + inverse_b);
  if (joint.kind != JointKind::Ball && joint.kind != JointKind::Distance) {
    // The difference of long arms may round below zero; a trace of softness keeps it positive.
    constexpr float softness = 1e-6f;
    const float least = softness * trace(moving);
    moving = minus(moving + math::diagonal({least, least, least}),
                   joint.coupling * joint.angular_mass * transpose(joint.coupling));
  }
  measure_anchors(joint, frame_a, moving);
  drop_strays(joint, frame_a);
}

/// Anchors turn with their bodies: Cayley's rotation (body_solver.cpp) by h·ω, s = h·ω/2, moves the
/// end of an arm r by 2/(1+s²)·(s×r + s×(s×r)). Per second, that is ω×r and this.
Vec3 turning(Vec3 angular, Vec3 arm, float h) {
  const Vec3 half = angular * (0.5f * h);
  const float squared = dot(half, half);
  const Vec3 straight = cross(angular, arm);
  return (cross(half, straight) - straight * squared) / (1.0f + squared);
}

/// Angular velocity half way through the substep: that of a free body changes by −I⁻¹(ω × L).
Vec3 angular_between(const JointArrays& arrays, const SolverArrays& solver, std::uint32_t index,
                     float h) {
  const Vec3 angular = solver.velocities[index].angular;
  if (is_isotropic(solver, index)) return angular;
  const Vec3 momentum = vector_of(block_of(solver, index).angular_momentum, index % lane_count);
  const Vec3 gyration = arrays.inverse_inertia[index] * cross(angular, momentum);
  return angular - gyration * (0.5f * h);
}

/// What the turning of arms and axes adds to the error within the substep, per second.
void look_ahead(const JointArrays& arrays, JointConstraint& joint, const SolverArrays& solver) {
  const float h = solver.substep_seconds;
  const SolverVelocity &a = solver.velocities[joint.a], &b = solver.velocities[joint.b];
  // Among other rows the impulses to come would change the gyration more than it tells.
  const bool is_alone = joint.softness.impulse_scale == 0.0f;
  const Vec3 angular_a = is_alone ? angular_between(arrays, solver, joint.a, h) : a.angular;
  const Vec3 angular_b = is_alone ? angular_between(arrays, solver, joint.b, h) : b.angular;
  joint.ahead = turning(angular_b, joint.arm_b, h) - turning(angular_a, joint.arm_a, h) +
                cross(angular_b - b.angular, joint.arm_b) -
                cross(angular_a - a.angular, joint.arm_a);
  if (joint.kind != JointKind::Slider && joint.kind != JointKind::Distance) return;
  const Vec3 speed =
      b.linear + cross(b.angular, joint.arm_b) - a.linear - cross(a.angular, joint.arm_a);
  // What slides along a turning axis: half of Coriolis' 2ω×v came with the turning of the arm.
  if (joint.kind == JointKind::Slider) {
    joint.ahead -= cross(a.angular, speed) * h;
    return;
  }
  // |p + h·v| − |p| − h·n·v, by the difference of squares; v⊥ moves anchors apart, too.
  const float distance = length(joint.apart);
  const Vec3 n = normalized_or(joint.apart, {});
  const Vec3 across = speed - n * dot(n, speed);
  const float sum = length(joint.apart + speed * h) + distance + h * dot(n, speed);
  if (sum > tiny) joint.ahead += n * (h * length_squared(across) / sum);
}

Wrench block_wrench(const JointConstraint& joint, Vec3 linear, Vec3 angular) {
  return {linear, cross(joint.arm_a, linear) + angular, cross(joint.arm_b, linear) + angular};
}

Wrench phase_wrench(const JointArrays& arrays, const JointConstraint& joint, JointPhase phase) {
  Wrench wrench = block_wrench(joint, joint.linear[phase], joint.angular[phase]);
  add_row_wrench(arrays, joint, phase, wrench);
  return wrench;
}

void solve_block(const JointArrays& arrays, JointConstraint& joint, JointPhase phase,
                 SolverVelocity& a, SolverVelocity& b) {
  Vec3 linear_error =
      b.linear + cross(b.angular, joint.arm_b) - a.linear - cross(a.angular, joint.arm_a);
  Vec3 angular_error = b.angular - a.angular;
  if (phase == HoldPhase) {
    linear_error += joint.drift + joint.ahead + joint.linear_error * joint.softness.bias_rate;
    angular_error += joint.angular_error * joint.softness.bias_rate;
  }
  BlockImpulse block = block_answer(joint, linear_error, angular_error);
  if (phase == HoldPhase) {
    const float keep = joint.softness.impulse_scale, change = joint.softness.mass_scale;
    block.linear = block.linear * change - joint.linear[phase] * keep;
    block.angular = block.angular * change - joint.angular[phase] * keep;
  }
  joint.linear[phase] += block.linear;
  joint.angular[phase] += block.angular;
  apply_wrench(arrays, joint, block_wrench(joint, block.linear, block.angular), a, b);
}

void solve_joint(WorldState& world, JointConstraint& joint, JointPhase phase) {
  SolverArrays& solver = world.solver;
  JointArrays& arrays = world.joint_solver;
  SolverVelocity a = solver.velocities[joint.a], b = solver.velocities[joint.b];
  solve_block(arrays, joint, phase, a, b);
  if (joint.row_count > 0) {
    solve_joint_rows(arrays, joint, world.joints[joint.joint], solver.substep_seconds, phase, a, b);
    solve_block(arrays, joint, phase, a, b);
  }
  solver.velocities[joint.a] = a;
  solver.velocities[joint.b] = b;
}

/// Applies the impulses that a phase begins with.
void warm_start(WorldState& world, JointPhase phase) {
  SolverArrays& solver = world.solver;
  const JointArrays& arrays = world.joint_solver;
  for (const JointConstraint& joint : arrays.joints) {
    apply_wrench(arrays, joint, phase_wrench(arrays, joint, phase), solver.velocities[joint.a],
                 solver.velocities[joint.b]);
  }
}

/// Momentum follows what contacts and torques have changed until now (turn_freely).
void begin_phase(WorldState& world) {
  SolverArrays& solver = world.solver;
  for (JointedBody& jointed : world.joint_solver.bodies) {
    const SolverVelocity& velocity = solver.velocities[jointed.index];
    jointed.linear_before = velocity.linear;
    jointed.angular_before = velocity.angular;
    if (is_isotropic(solver, jointed.index)) continue;
    BodyBlock& block = block_of(solver, jointed.index);
    const std::size_t lane = jointed.index % lane_count;
    const Vec3 turned = velocity.angular - vector_of(block.reference_angular, lane);
    set(block.angular_momentum, lane,
        vector_of(block.angular_momentum, lane) + matrix_of(block.inertia, lane) * turned);
    set(block.reference_angular, lane, velocity.angular);
  }
}

/// What joints have changed belongs to their own impulses, and is not carried into the next substep
/// (integrate_velocities). Momentum follows by the inertia as it is now.
void end_phase(WorldState& world) {
  SolverArrays& solver = world.solver;
  for (const JointedBody& jointed : world.joint_solver.bodies) {
    BodyBlock& block = block_of(solver, jointed.index);
    const std::size_t lane = jointed.index % lane_count;
    const SolverVelocity& velocity = solver.velocities[jointed.index];
    const Vec3 turned = velocity.angular - jointed.angular_before;
    set(block.base_linear, lane,
        vector_of(block.base_linear, lane) + (velocity.linear - jointed.linear_before));
    set(block.base_angular, lane, vector_of(block.base_angular, lane) + turned);
    if (is_isotropic(solver, jointed.index)) continue;
    set(block.angular_momentum, lane,
        vector_of(block.angular_momentum, lane) + jointed.inertia * turned);
    set(block.reference_angular, lane, velocity.angular);
  }
}

void turn_inertia(WorldState& world) {
  const SolverArrays& solver = world.solver;
  JointArrays& arrays = world.joint_solver;
  for (JointedBody& jointed : arrays.bodies) {
    if (is_isotropic(solver, jointed.index)) continue;
    const Body& source = world.bodies[solver.bodies[jointed.index].body];
    const Quat rotation = rotation_of(solver, jointed.index);
    jointed.inertia = world_tensor(source.inertia_local, rotation);
    arrays.inverse_inertia[jointed.index] = world_tensor(source.inverse_inertia_local, rotation);
  }
}

/// What callers read: the impulse on b at the anchor, and about it.
void add_to_step(JointConstraint& joint, const Wrench& wrench) {
  joint.step_linear += wrench.linear;
  joint.step_angular += wrench.angular_b - cross(joint.arm_b, wrench.linear);
}

}  // namespace

void measure_joints(WorldState& world) {
  turn_inertia(world);
  JointArrays& arrays = world.joint_solver;
  for (JointConstraint& joint : arrays.joints) {
    measure(arrays, joint, world.solver);
    update_joint_rows(arrays, joint, world.joints[joint.joint], world.solver);
  }
}

void hold_joints(WorldState& world) {
  const SolverArrays& solver = world.solver;
  JointArrays& arrays = world.joint_solver;
  begin_phase(world);
  warm_start(world, HoldPhase);
  for (JointConstraint& joint : arrays.joints) {
    look_ahead(arrays, joint, solver);
  }
  for (JointConstraint& joint : arrays.joints)
    solve_joint(world, joint, HoldPhase);
  end_phase(world);
  for (JointConstraint& joint : arrays.joints)
    add_to_step(joint, phase_wrench(arrays, joint, HoldPhase));
}

void relax_joints(WorldState& world) {
  JointArrays& arrays = world.joint_solver;
  measure_joints(world);
  for (JointConstraint& joint : arrays.joints) {
    // An impulse that nothing asks for any more fades, as it does in the hold phase.
    joint.linear[RelaxPhase] *= 1.0f - joint.softness.impulse_scale;
    joint.angular[RelaxPhase] *= 1.0f - joint.softness.impulse_scale;
  }
  begin_phase(world);
  warm_start(world, RelaxPhase);
  for (std::size_t i = arrays.joints.size(); i > 0; --i)
    solve_joint(world, arrays.joints[i - 1], RelaxPhase);
  end_phase(world);
  for (JointConstraint& joint : arrays.joints)
    add_to_step(joint, phase_wrench(arrays, joint, RelaxPhase));
}

}  // namespace jostle::physics
