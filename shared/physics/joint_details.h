#pragma once

#include "shared/math/transform.h"
#include "shared/math/vec3.h"

#include <array>
#include <cstdint>

namespace jostle::physics {

/// Bounds of an angle (rad, within ±π: ball, hinge and six-axis), a translation or a distance (m).
/// A distance of which only `upper` matters is a rope.
struct JointLimits {
  bool is_enabled = false;
  float lower = 0, upper = 0;

  bool operator==(const JointLimits&) const = default;
};

/// A damped spring towards JointDef::rest, for what moves freely along or about it. Not for balls
/// and fixed joints.
/// Above 0.08 swings a substep (19 Hz by default) it is integrated implicitly, which damps it more
/// than the damping ratio says, the more the faster it is.
struct JointSpring {
  bool is_enabled = false;
  float hertz = 0;  // of the bodies that hang on it, undamped
  float damping_ratio = 0;
  /// A bungee: acts where longer than its rest. Distance joints only; a pulley's always is one.
  bool only_pulls = false;

  bool operator==(const JointSpring&) const = default;
};

/// Drives hinge (rad/s, N·m), slider and distance (m/s, N) and the kinds after them towards a
/// speed.
struct JointMotor {
  bool is_enabled = false;
  float speed = 0;
  float max_force = 0;

  bool operator==(const JointMotor&) const = default;
};

enum class JointFreedom : std::uint8_t { Locked, Limited, Free };
inline constexpr std::uint8_t joint_freedom_count = 3;

/// One axis of a six-axis joint, to move along (m, N) or about (rad, N·m).
struct JointAxisDef {
  JointFreedom freedom = JointFreedom::Locked;
  float lower = 0, upper = 0;  // where limited
  float rest = 0;              // where it is locked, or where the spring pulls to
  JointSpring spring;          // not where locked
  JointMotor motor;            // not where locked
  float friction = 0;          // N or N·m: what resists motion at most

  bool operator==(const JointAxisDef&) const = default;
};

/// Of the joint kinds from Wheel on: what only some of them have.
struct JointDetails {
  /// Six-axis: along x, y, z of frame a, then the angles by which b is turned against a: about x of
  /// a, then about y as it stands after that, then about z of b. Where z or x is the first of y, z,
  /// x that is locked, or none is and it has the narrowest limits, the order begins after it, so
  /// that it comes second. Near ±90° of the second angle the other two mean nothing: it must be
  /// locked, or limited to ±85°, unless no angle is locked or limited. A rest is in its limits.
  std::array<JointAxisDef, 6> axes;

  /// Gear: of b's angle; rack: m per rad; pulley: of b's length. Not 0; of a pulley above it.
  float ratio = 1;
  math::Position over_a, over_b;  // pulley: points of the world

  // Wheel.
  float steer_angle = 0;   // rad, about x of a; the wheel follows at once, but not with a jolt
  float brake_torque = 0;  // N·m
  /// kg: what the spring's hertz and damping ratio are of, so that it sinks by g/ω² under it; 0:
  /// what a weighs there by itself.
  float sprung_mass = 0;

  // Servo: where frame b is driven to, as seen from frame a, and how fast that moves and turns.
  math::Transform target;
  math::Vec3 target_velocity;          // m/s, frame a
  math::Vec3 target_angular_velocity;  // rad/s, frame a
  float max_force = 0;                 // N
  float max_torque = 0;                // N·m

  bool operator==(const JointDetails&) const = default;
};

}  // namespace jostle::physics
