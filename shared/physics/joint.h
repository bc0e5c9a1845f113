#pragma once

#include "shared/base/boxed.h"
#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/physics/handles.h"
#include "shared/physics/joint_details.h"

#include <array>
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
  Wheel,     // b on a: travel along x of a, steering about it, spin about z of b
  SixAxis,   // what JointDetails::axes says
  Servo,     // all: a damped spring of limited strength drives b to a target against a
  Gear,      // all but the turning of a about x of its frame against that of b about x of its own
  Rack,      // all but the turning of a, a pinion, against b's way along x of frame b
  Pulley,    // all but the length of a rope over two points of the world
};
inline constexpr std::uint8_t joint_kind_count = 11;

/// How far the x axis of frame b may lean away from that of frame a. Balls only.
struct JointCone {
  bool is_enabled = false;
  float angle = 0;  // rad, 0..π

  bool operator==(const JointCone&) const = default;
};

// What limits, spring and motor act on:
//
//   hinge    the angle of b against a about x        slider    the way of b against a along x
//   distance that of the anchors                     wheel     limits and spring: its travel along
//   gear     angle a + ratio · angle b                         x of a; motor: its spin about z of b
//   rack     way of b − ratio · angle a              servo     the spring drives, see there
//   pulley   length at a + ratio · length at b
//
// Gears and racks that have limits are held by these alone: that is their play. A pulley without
// limits is a rope of the length `rest`, or with a spring a bungee of that length; its motor is a
// winch. Ropes only pull, whatever acts on them.

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
  /// Of the kinds from Wheel on.
  base::Boxed<JointDetails> details;

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
  /// Of wheels and six-axis joints: along x, y, z and about x, y, z (JointDetails::axes), in m and
  /// rad, and their rates in m/s and rad/s. A wheel travels along x, steers about x, spins about z.
  std::array<float, 6> axes{}, rates{};
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
/// A six-axis joint whose axes are those of `rotation` in the world; all are locked as they stand.
JointDef six_axis_at(const World& world, BodyHandle a, BodyHandle b, math::Position anchor,
                     math::Quat rotation);
/// The wheel's middle is `centre`; unit vectors: it travels along `up` and is steered about it, and
/// it spins about `axle`, which is to be at right angles to `up`.
JointDef wheel_at(const World& world, BodyHandle chassis, BodyHandle wheel, math::Position centre,
                  math::Vec3 up, math::Vec3 axle);
/// Where a turns about `axis_a` by an angle, b turns by −1/ratio of it about `axis_b`: of gears
/// that mesh, ratio is the radius of b by that of a; negative where they turn the same way.
JointDef gear_between(const World& world, BodyHandle a, BodyHandle b, math::Vec3 axis_a,
                      math::Vec3 axis_b, float ratio);
/// Where the pinion turns about `axis` by 1 rad, the rack moves along `direction` by `ratio` m
/// against it.
JointDef rack_and_pinion(const World& world, BodyHandle pinion, BodyHandle rack, math::Vec3 axis,
                         math::Vec3 direction, float ratio);
/// A rope from a point of a over two points of the world to a point of b, as long as it is now.
/// Where a goes down by 1 m, b comes up by 1/ratio.
JointDef pulley_between(const World& world, BodyHandle a, BodyHandle b, math::Position anchor_a,
                        math::Position anchor_b, math::Position over_a, math::Position over_b,
                        float ratio);
/// Drives the point `anchor` of b, and b about it, to where they are now. The target is told in the
/// frame of body a itself: of a body that stands in the world's origin, in the world. With
/// `max_torque` 0 the point is dragged and b turns as it likes.
JointDef servo_at(const World& world, BodyHandle a, BodyHandle b, math::Position anchor,
                  const JointSpring& spring, float max_force, float max_torque);

}  // namespace jostle::physics
