#pragma once

#include "shared/physics/detail/joint_record.h"

#include <array>
#include <cstdint>

namespace jostle::physics {

struct WorldState;

// Joints that are solved by coordinates (solver/coordinate_solver.h): numbers that follow from how
// the two bodies stand, up to six of a joint, each of which is locked or has rows that act on it.

/// Bounds that nothing reaches, yet far enough from the largest float to be reckoned with.
inline constexpr float unbounded_coordinate = 1e30f;

/// What a joint does with one of its coordinates.
struct CoordinateRule {
  bool is_locked = false;
  float rest = 0;  // where it is locked, or where the spring pulls to
  float lower = -unbounded_coordinate, upper = unbounded_coordinate;
  JointSpring spring;
  float spring_mass = 0;  // kg: what the spring is of; 0: what it moves; of_a_alone
  JointMotor motor;
  float friction = 0;
  bool only_pulls = false;  // spring and motor

  static constexpr float of_a_alone = -1;

  bool acts() const {
    return is_locked || spring.is_enabled || motor.is_enabled || friction > 0.0f ||
           lower > -unbounded_coordinate || upper < unbounded_coordinate;
  }
};
using CoordinateRules = std::array<CoordinateRule, max_coordinates>;

/// By how many places the axes of a six-axis joint are passed on, so that x, y, z of the frame that
/// the solver sees are those of the joint from here on: y is to be the narrowest (JointDetails).
std::uint32_t axis_shift(const JointDef& def);
/// The rotation that does so, from the right, to a frame.
math::Quat shift_rotation(std::uint32_t shift);
/// In the order in which the solver sees them.
CoordinateRules coordinate_rules(const JointDef& def);

/// Whether a world can run with what the kinds from Wheel on have beside the rest.
bool are_valid(const JointDetails& details, JointKind kind);
/// Makes the state that the kind needs, and only that.
void fit_coordinates(JointRecord& joint);
bool is_consistent(const CoordinateState& state);

/// World::joint_state of a joint that has coordinates; without force and torque.
JointState coordinate_joint_state(const WorldState& world, const JointRecord& joint);

}  // namespace jostle::physics
