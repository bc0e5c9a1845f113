#pragma once

#include "shared/math/mat3.h"
#include "shared/math/quat.h"
#include "shared/math/vec3.h"

#include <array>
#include <cstdint>
#include <vector>

namespace jostle::physics {

/// What the contact kernels read and write of a body, 32 bytes: eight of them are one gather.
struct alignas(32) SolverVelocity {
  math::Vec3 linear;  // m/s
  float inverse_mass = 0;
  math::Vec3 angular;  // rad/s
  float unused = 0;
};

/// How far a body has moved since the start of the step.
struct alignas(32) SolverMotion {
  math::Vec3 offset;  // m
  float unused_a = 0;
  math::Vec3 turn;  // rad, summed angular velocity
  float unused_b = 0;
};

/// What integration needs of a body, and contact kernels do not.
struct SolverBody {
  std::uint32_t body = 0;
  bool is_dynamic = false;
  bool is_isotropic = true;
  /// No contact: flies on the exact parabola (see integrate_positions).
  bool is_free = true;
  math::Quat rotation;
  math::Mat3 inverse_inertia = math::zero_matrix();  // world frame at the start of the step
  math::Mat3 inertia = math::zero_matrix();          // likewise; unused where isotropic
  math::Vec3 angular_momentum;                       // at reference_angular
  math::Vec3 reference_angular;
  math::Vec3 linear_gain;                   // m/s per substep: gravity and force
  math::Vec3 angular_gain;                  // rad/s per substep: torque
  float linear_keep = 1, angular_keep = 1;  // what damping leaves per substep
  // Velocities after integration, before contacts acted.
  math::Vec3 base_linear, base_angular;
};

/// How a constraint answers position error: a damped spring, integrated implicitly.
struct Softness {
  float bias_rate = 0;      // 1/s
  float mass_scale = 1;     // 0..1
  float impulse_scale = 0;  // 0..1; mass_scale + impulse_scale == 1
};

/// The Jacobian of one row and its product with the inverse inertias.
struct AngularRow {
  math::Vec3 arm_a, arm_b;    // r × direction
  math::Vec3 turn_a, turn_b;  // I⁻¹ · arm: change of angular velocity per impulse
};

struct ContactPointRow {
  AngularRow row;
  float separation = 0;      // m, at the start of the step
  float separation_now = 0;  // m, at the start of the substep
  float mass = 0;            // effective, kg
  float impulse = 0;         // N·s per substep, ≥ 0
  float max_impulse = 0;     // of the substeps
  float step_impulse = 0;    // summed over the substeps
  float approach_speed = 0;  // m/s when the surfaces meet, negative when closing
  float lever = 0;           // m, from the friction centre, for twist
};

/// One manifold. Its points stand together in SolverArrays::points.
struct ContactConstraint {
  std::uint32_t a = 0, b = 0;  // solver indices; 0 is the immovable body
  std::uint32_t contact = 0;   // slot
  std::uint32_t manifold = 0;  // of the contact
  std::uint32_t first_point = 0, point_count = 0;
  float inverse_mass_a = 0, inverse_mass_b = 0;
  float friction = 0, restitution = 0;
  Softness softness;
  math::Vec3 normal;  // from a to b

  // Friction of the whole manifold, at the centre of its points: two tangents and the twist.
  std::array<math::Vec3, 2> tangents;
  std::array<AngularRow, 2> tangent_rows;
  float mass_00 = 0, mass_01 = 0, mass_11 = 0;  // inverse of the 2×2 tangent matrix
  std::array<float, 2> tangent_impulse{};
  math::Vec3 twist_turn_a, twist_turn_b;
  float twist_mass = 0;
  float twist_impulse = 0;
  float reference_impulse = 0;  // N·s per substep and point
};

/// Scratch of one step. Nothing here outlives it but the memory.
struct SolverArrays {
  std::vector<SolverBody> bodies;  // [0] is the immovable body
  std::vector<SolverVelocity> velocities;
  std::vector<SolverMotion> motions;
  std::vector<ContactConstraint> contacts;
  std::vector<ContactPointRow> points;
  std::vector<float> island_rest;
  float substep_seconds = 0;
};

}  // namespace jostle::physics
