#pragma once

#include "shared/physics/detail/joint_record.h"

#include <array>
#include <cstdint>

namespace jostle::physics {

struct WorldState;

// Joints that are solved by coordinates (solver/coordinate_solver.h) have up to six numbers that
// follow from the poses of the two bodies. A coordinate is locked, or free with constraint rows
// that act on it, such as limits, spring, motor and friction.

/// Bound that no coordinate reaches, far enough below the largest float to compute with.
inline constexpr float unbounded_coordinate = 1e30f;

/// The constraints on one coordinate of a joint.
struct CoordinateRule {
  bool is_locked = false;
  float rest = 0;  // value at which it is locked, or to which the spring pulls
  float lower = -unbounded_coordinate, upper = unbounded_coordinate;
  JointSpring spring;
  /// Mass, in kg, to which the spring's hertz refer. 0: the effective mass of the coordinate;
  /// `of_a_alone`: the effective mass of body a alone.
  float spring_mass = 0;
  JointMotor motor;
  float friction = 0;
  bool tension_only = false;  // true if spring and motor can only pull

  static constexpr float of_a_alone = -1;

  bool acts() const {
    return is_locked || spring.is_enabled || motor.is_enabled || friction > 0.0f ||
           lower > -unbounded_coordinate || upper < unbounded_coordinate;
  }
};
using CoordinateRules = std::array<CoordinateRule, max_coordinates>;

/// Returns true if the axis has one value only: it is locked, or its limits are equal.
bool is_locked(const JointAxisDef& axis);
/// Returns the value at which a locked axis is held.
float locked_value(const JointAxisDef& axis);
/// Returns the rotation of b relative to a at the locked values of the three angles of a six-DOF
/// joint, in the frames of its definition.
math::Quat locked_rotation(const JointDef& def);

/// Returns the index of the axis of a six-DOF joint that becomes x for the solver; y and z follow
/// cyclically. The second angle is then the one that JointDetails::axes describes. Returns 0 for
/// other kinds of joints.
std::uint32_t axis_shift(const JointDef& def);
/// Returns the rotation by which a frame is multiplied from the right to shift its axes by `shift`.
math::Quat shift_rotation(std::uint32_t shift);
/// Returns the constraints of all coordinates, in the order of the solver.
CoordinateRules coordinate_rules(const JointDef& def);

/// Returns true if all parameters are within the limits for a joint of this kind.
bool are_valid(const JointDetails& details, JointKind kind);
/// Creates the coordinate state if the joint has coordinates, else removes it.
void fit_coordinates(JointRecord& joint);
bool is_consistent(const CoordinateState& state);

/// Returns World::joint_state of a joint that has coordinates, without force and torque.
JointState coordinate_joint_state(const WorldState& world, const JointRecord& joint);

}  // namespace jostle::physics
