#pragma once

#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/physics/handles.h"

#include <cstdint>

namespace jostle::physics {

class World;

/// What a joint leaves free, in the frame that stands at its anchor. The x axis of that frame is
/// the axis of the joint.
enum class JointKind : std::uint8_t {
  Ball,      // all rotation; its limits are those of the twist about x, its cone those of x itself
  Hinge,     // rotation about x
  Slider,    // translation along x
  Fixed,     // nothing
  Distance,  // all but the distance of the two anchors
};
inline constexpr std::uint8_t joint_kind_count = 5;

/// Bounds of the angle (rad, within ±π: ball and hinge), the translation or the distance (m).
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

  bool operator==(const JointSpring&) const = default;
};

/// Drives hinge (rad/s, N·m), slider and distance (m/s, N) towards a speed.
struct JointMotor {
  bool is_enabled = false;
  float speed = 0;
  float max_force = 0;

  bool operator==(const JointMotor&) const = default;
};

/// How far the x axis of frame b may lean away from that of frame a. Balls only.
struct JointCone {
  bool is_enabled = false;
  float angle = 0;  // rad, 0..π

  bool operator==(const JointCone&) const = default;
};

/// Two different bodies, at least one of them dynamic, and frames in theirs that the joint holds
/// together. Everything must be finite, lower limits not above upper ones, rotations of unit
/// length, distances, hertz, ratios and forces not negative.
struct JointDef {
  JointKind kind = JointKind::Ball;
  BodyHandle body_a, body_b;
  math::Transform frame_a, frame_b;
  /// The angle or translation that the spring pulls to; of a distance joint also the length that
  /// it keeps where it has neither spring, limits nor motor.
  float rest = 0;
  JointLimits limits;
  JointCone cone;
  JointSpring spring;
  JointMotor motor;
  bool collides_connected = false;
  /// A joint that had to pull or twist harder than this in a step is gone after it. 0: never.
  float break_force = 0;   // N
  float break_torque = 0;  // N·m

  bool operator==(const JointDef&) const = default;
};

/// Where a joint stands. Angles are in (−π, π].
struct JointState {
  float angle = 0;        // rad: of a hinge, or the twist of a ball; b relative to a about x
  float swing = 0;        // rad: between the x axes of the two frames, ≥ 0
  float translation = 0;  // m: along x of a slider, or the distance of the anchors
  float gap = 0;          // m: by which the anchors fail what the joint holds, ≥ 0
  float lean = 0;         // rad: by which the frames fail what the joint holds, ≥ 0
  math::Vec3 force;       // N: on b at the anchor, mean of the last step
  math::Vec3 torque;      // N·m: on b about the anchor, likewise
};

/// A joint was torn. Its handle is dead.
struct JointBreak {
  JointHandle joint;
  BodyHandle body_a, body_b;

  bool operator==(const JointBreak&) const = default;
};

/// A joint of two bodies as they stand now, at a point of the world and with x along the unit
/// vector `axis`: its angle and translation are 0.
JointDef joint_at(const World& world, JointKind kind, BodyHandle a, BodyHandle b,
                  math::Position anchor, math::Vec3 axis);
/// A distance joint between two points of the world; `rest` is their distance now.
JointDef distance_between(const World& world, BodyHandle a, BodyHandle b, math::Position anchor_a,
                          math::Position anchor_b);

}  // namespace jostle::physics
