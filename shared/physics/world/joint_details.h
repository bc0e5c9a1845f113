#pragma once

#include "shared/math/transform.h"
#include "shared/math/vec3.h"

#include <array>
#include <cstdint>

namespace jostle::physics {

/// Limits of the joint's coordinate: an angle in rad (within ±π for ball joints and hinges), a
/// translation in m or a distance in m. A distance joint whose lower limit is 0 is a rope. The axes
/// of a six-DOF joint have separate limits (JointAxisDef).
struct JointLimits {
  bool is_enabled = false;
  float lower = 0, upper = 0;

  bool operator==(const JointLimits&) const = default;
};

/// A damped spring towards JointDef::rest, on the free degree of freedom of the joint. Ball and
/// fixed joints ignore it. Springs above 0.08 oscillations per substep (19 Hz by default) are
/// integrated implicitly. Implicit integration damps such a spring more than its damping ratio
/// says; the excess grows with the frequency.
struct JointSpring {
  bool is_enabled = false;
  float hertz = 0;  // undamped natural frequency with the joined bodies
  float damping_ratio = 0;
  /// True for a spring that acts only when longer than its rest length (a bungee). Only distance
  /// joints may set it; the spring of a pulley always pulls only.
  bool tension_only = false;

  bool operator==(const JointSpring&) const = default;
};

/// A motor that drives the joint's coordinate at the target `speed` with at most `max_force`. The
/// units are rad/s and N·m for a hinge, and m/s and N for a slider or distance joint. The kinds
/// from JointKind::Wheel on use the unit of their coordinate. The motor of a ball joint is
/// friction: its speed is 0, and its torque of at most `max_force`, in N·m, opposes any relative
/// rotation.
struct JointMotor {
  bool is_enabled = false;
  float speed = 0;
  float max_force = 0;

  bool operator==(const JointMotor&) const = default;
};

enum class JointFreedom : std::uint8_t { Locked, Limited, Free };
inline constexpr std::uint8_t joint_freedom_count = 3;

/// One axis of a six-DOF joint: translation along it (m, N) or rotation about it (rad, N·m).
struct JointAxisDef {
  JointFreedom freedom = JointFreedom::Locked;
  float lower = 0, upper = 0;  // limits, if the axis is limited
  float rest = 0;              // value at which it is locked, or to which the spring pulls
  JointSpring spring;          // spring of an axis that is not locked
  JointMotor motor;            // motor of an axis that is not locked
  float friction = 0;          // N or N·m, maximum friction

  bool operator==(const JointAxisDef&) const = default;
};

/// Parameters of the joint kinds Wheel, SixDof, Servo, Gear, RackAndPinion and Pulley. Each kind
/// uses some of them.
struct JointDetails {
  /// The axes of a six-DOF joint: translations along x, y, z of frame a, then three Euler angles of
  /// b relative to a. The angles are about x of a, then about the rotated y, then about z of b.
  ///
  /// The second angle is the first locked one in the order y, z, x, or else the one with the
  /// narrowest limits. If it is not y, the order of the angles is shifted cyclically. Near ±90° of
  /// the second angle the other two are degenerate (gimbal lock). The second angle must therefore
  /// be locked or limited to ±85°, unless all three angles are free. The `rest` of a limited axis
  /// must lie within its limits.
  std::array<JointAxisDef, 6> axes;

  /// Gear: factor of b's angle. Rack and pinion: travel in m per rad. Pulley: factor of b's rope
  /// length. Not 0; positive for a pulley.
  float ratio = 1;
  math::Position ground_anchor_a, ground_anchor_b;  // pulley: fixed points of the world

  // Wheel.
  // steering angle about x of a, rad; the joint corrects a change of it like a position error
  float steer_angle = 0;
  float brake_torque = 0;  // N·m
  /// Mass, in kg, to which hertz and damping ratio of the spring refer: under this mass the spring
  /// sags by g/ω², with ω = 2π·hertz. 0: the effective mass of body a alone at the wheel.
  float sprung_mass = 0;

  // Servo: target pose of frame b relative to frame a, and the velocity of the target.
  math::Transform target;
  math::Vec3 target_velocity;          // m/s, frame a
  math::Vec3 target_angular_velocity;  // rad/s, frame a
  float max_force = 0;                 // N
  float max_torque = 0;                // N·m

  bool operator==(const JointDetails&) const = default;
};

}  // namespace jostle::physics
