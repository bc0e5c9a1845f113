#pragma once

#include "shared/base/boxed.h"
#include "shared/math/transform.h"
#include "shared/math/vec3.h"
#include "shared/physics/handles.h"
#include "shared/physics/world/joint_details.h"

#include <array>
#include <cstdint>

namespace jostle::physics {

class World;

/// The kinds of joints. The comments name the free degrees of freedom of each kind, or the quantity
/// that it couples. Axes are those of the joint frames at the anchors, whose x axis is the axis of
/// the joint.
enum class JointKind : std::uint8_t {
  Ball,      // all rotation; limits bound the twist about x, the cone bounds the swing of x
  Hinge,     // rotation about x
  Slider,    // translation along x
  Fixed,     // no degree of freedom
  Distance,  // all motion that keeps the distance between the anchors
  Wheel,     // b against a: travel along x of a, steering about it, spin about z of b
  SixDof,    // a joint with the axes of JointDetails::axes
  Servo,     // no constraint: a damped spring of limited force drives b to a target relative to a
  Gear,      // couples the rotation of a about x of frame a to that of b about x of frame b
  RackAndPinion,  // couples the rotation of a (the pinion) to the travel of b along x of frame b
  Pulley,         // keeps the length of a rope that runs over two fixed points of the world
};
inline constexpr std::uint8_t joint_kind_count = 11;

/// Cone limit of a ball joint: the maximum angle between the x axes of frames a and b.
struct JointCone {
  bool is_enabled = false;
  float angle = 0;  // rad, 0..π

  bool operator==(const JointCone&) const = default;
};

// The quantities on which limits, spring and motor act. The limits of a ball joint bound its twist,
// and its motor is friction of all rotation. It has no spring.
//
//   Hinge     angle of b against a about x.
//   Slider    translation of b against a along x.
//   Distance  distance between the anchors.
//   Wheel     limits and spring: travel along x of a; motor: spin about z of b.
//   Gear      angle of a + ratio · angle of b.
//   Rack      translation of b − ratio · angle of a.
//   Servo     spring only, see JointKind::Servo.
//   Pulley    rope length at a + ratio · rope length at b.
//
// The limits of a gear or rack are its backlash: between them the joint moves freely. A pulley
// without limits is a rope of length `rest`. With a spring it is an elastic rope of that length.
// Its motor is a winch. Ropes only pull, whatever acts on them.

/// The definition of a joint between two different bodies, at least one of them dynamic. The joint
/// constrains the pose of `frame_b` relative to `frame_a`; each is given in the frame of its body.
/// Values must be finite, lower limits must not exceed upper limits, and rotations must have unit
/// length. Distances, hertz, damping ratios and forces must not be negative.
struct JointDef {
  JointKind kind = JointKind::Ball;
  BodyHandle body_a, body_b;
  math::Transform frame_a, frame_b;
  /// The angle (rad) or translation (m) to which the spring pulls. For a distance joint without
  /// spring, limits and motor it is the fixed length.
  float rest = 0;
  JointLimits limits;
  JointCone cone;
  JointSpring spring;
  JointMotor motor;
  bool collide_connected = false;
  /// Force and torque, averaged over a step, above which the joint breaks; 0 for no limit. The
  /// joint is destroyed after that step.
  float break_force = 0;   // N
  float break_torque = 0;  // N·m
  /// Parameters of the kinds from Wheel on.
  base::Boxed<JointDetails> details;

  bool operator==(const JointDef&) const = default;
};

/// The current state of a joint. Angles are in (−π, π], except that of a gear, which counts all
/// turns.
struct JointState {
  // rad: angle of a hinge (b relative to a about x), twist of a ball joint, steering of a wheel,
  // coordinate of a gear
  float angle = 0;
  float swing = 0;  // rad: between the x axes of the two frames, ≥ 0
  // m: along x, distance between the anchors, or coordinate of a rack or pulley
  float translation = 0;
  float gap = 0;      // m: position error of the constraint, ≥ 0
  float lean = 0;     // rad: rotation error of the constraint, ≥ 0
  math::Vec3 force;   // N: on b at the anchor, mean over the last step
  math::Vec3 torque;  // N·m: on b about the anchor, mean over the last step
  /// Coordinates of a wheel or six-DOF joint along x, y, z and about x, y, z (JointDetails::axes),
  /// in m and rad, and their rates in m/s and rad/s. A wheel travels along x, steers about x and
  /// spins about z.
  std::array<float, 6> axes{}, rates{};
};

/// Event: a joint broke in the last step. Its handle is no longer alive.
struct JointBreak {
  JointHandle joint;
  BodyHandle body_a, body_b;

  bool operator==(const JointBreak&) const = default;
};

/// Returns a joint between two bodies in their current poses. `anchor` is a position in the world,
/// and `axis`, a unit vector, is the x axis of the joint. Angle and translation are 0 in these
/// poses.
JointDef make_joint_def(const World& world, JointKind kind, BodyHandle a, BodyHandle b,
                        math::Position anchor, math::Vec3 axis);
/// Returns a distance joint between two points of the world; `rest` is their current distance.
JointDef make_distance_joint_def(const World& world, BodyHandle a, BodyHandle b,
                                 math::Position anchor_a, math::Position anchor_b);
/// Returns a six-DOF joint whose axes are those of `rotation` in the world. All axes are locked in
/// the current poses.
JointDef make_six_dof_joint_def(const World& world, BodyHandle a, BodyHandle b,
                                math::Position anchor, math::Quat rotation);
/// Returns a wheel joint centred at `centre`. The wheel travels along the unit vector `up`, is
/// steered about it, and spins about the unit vector `axle`, which should be perpendicular to `up`.
JointDef make_wheel_joint_def(const World& world, BodyHandle chassis, BodyHandle wheel,
                              math::Position centre, math::Vec3 up, math::Vec3 axle);
/// Returns a gear joint: if a turns about `axis_a` by an angle, b turns about `axis_b` by
/// −1/`ratio` of that angle. For meshing gears, `ratio` is the radius of b divided by that of a; it
/// is negative if both turn in the same direction.
JointDef make_gear_joint_def(const World& world, BodyHandle a, BodyHandle b, math::Vec3 axis_a,
                             math::Vec3 axis_b, float ratio);
/// Returns a rack joint: if the pinion turns about `axis` by 1 rad, the rack moves along
/// `direction` by `ratio` m relative to the pinion.
JointDef make_rack_and_pinion_joint_def(const World& world, BodyHandle pinion, BodyHandle rack,
                                        math::Vec3 axis, math::Vec3 direction, float ratio);
/// Returns a pulley joint: a rope with its current length from a point of a, over two fixed points
/// of the world, to a point of b. If a goes down by 1 m, b comes up by 1/`ratio` m.
JointDef make_pulley_joint_def(const World& world, BodyHandle a, BodyHandle b,
                               math::Position anchor_a, math::Position anchor_b,
                               math::Position ground_anchor_a, math::Position ground_anchor_b,
                               float ratio);
/// Returns a servo joint that drives the point `anchor` of b, and the rotation of b, to their
/// current values. The target is given in the frame of body a, which is the world frame if a has
/// the identity pose. If `max_torque` is 0, only the point is driven, and b turns freely.
JointDef make_servo_joint_def(const World& world, BodyHandle a, BodyHandle b, math::Position anchor,
                              const JointSpring& spring, float max_force, float max_torque);

}  // namespace jostle::physics
