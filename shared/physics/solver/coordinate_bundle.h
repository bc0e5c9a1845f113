#pragma once

#include "shared/physics/detail/joint_record.h"
#include "shared/physics/solver/body_block.h"

#include <cstddef>
#include <cstdint>

namespace jostle::physics {

/// Classes of joints with coordinates; kernels are compiled for each class. Wheels are of class
/// SixDof.
enum class CoordinateClass : std::uint8_t { SixDof, Servo, Gear, Rack, Pulley, Distance };
inline constexpr std::size_t coordinate_class_count = 6;

constexpr std::size_t coordinates_of(CoordinateClass joint) {
  return joint == CoordinateClass::SixDof || joint == CoordinateClass::Servo ? 6 : 1;
}

/// One coordinate of eight joints (solver/coordinate_solver.h). Impulses are per substep, in N·s
/// for translations and in N·m·s for rotations.
struct Coordinate {
  // Row of the Jacobian: the force and torque impulses on a and on b by a unit impulse.
  Lanes force_a[3], torque_a[3], force_b[3], torque_b[3];
  Lanes value, value_before;  // current value, and the value one substep ago, m or rad
  Lanes is_locked;            // 1 if the joint's definition locks the coordinate, else 0
  Lanes is_held;              // 1 if it is locked and its pivot does not vanish, else 0
  Lanes acts;                 // 1 if a lock or a row acts on it, else 0
  Lanes lower, upper, rest;   // m or rad
  Lanes spring_damping;       // dimensionless
  Lanes spring_rate;          // 1/s
  Lanes
      spring_relaxes;  // 1 if half of the spring acts in the relax phase, else 0 (joint_springs.h)
  Lanes spring_speed;  // speed of the spring's rest value, m/s or rad/s
  Lanes spring_of;     // CoordinateRule::spring_mass, kg
  Lanes spring_mass;   // mass that the spring acts on, kg
  Lanes tension_only;  // 1 if spring and motor can only pull, else 0
  // Target speed of the motor, m/s or rad/s.
  Lanes motor_speed;
  // Maximum motor impulse in both phases of a substep, and in the biased solve alone.
  Lanes motor_impulse, motor_hold_impulse;
  // Maximum friction impulse in both phases of a substep, and in the biased solve alone.
  Lanes friction_impulse, friction_hold_impulse;
  // Speed change of the coordinate by a unit impulse while the locks hold, and its inverse. Both
  // are 0 if the coordinate is locked, if the locks of other coordinates already hold it, or if
  // nothing acts on it.
  Lanes response, mass;
  Lanes lock_impulse[joint_phase_count];
  Lanes impulse[joint_phase_count][coordinate_row_kinds];  // indexed by CoordinateRowKind
};

/// Number of entries in the lower triangle of a symmetric matrix of six rows, stored row by row.
inline constexpr std::size_t triangle_size = 21;
constexpr std::size_t triangle_place(std::size_t i, std::size_t k) {
  return i < k ? k * (k + 1) / 2 + i : i * (i + 1) / 2 + k;
}

/// Eight joints of one class. No two of them share a dynamic body. Unused lanes join body 0 to
/// itself. Vectors are in the world frame unless their names say local.
struct alignas(32) CoordinateBundle {
  std::uint32_t a[lane_count], b[lane_count];  // solver indices; 0 is the immovable body

  Lanes arm_a[3], arm_b[3];  // vectors from the centres of mass to the anchors, m
  // inverse inertia tensors for the current rotations
  Lanes inverse_inertia_a[6], inverse_inertia_b[6];
  Lanes apart[3];  // vector from anchor to anchor, m
  // x, y and z axes of the joint frames a and b; for a pulley, the vectors from its two fixed
  // points to its anchors, m
  Lanes axes_a[9], axes_b[9];
  Lanes swept[triangle_size];  // lower triangle of K after the sweep
  Lanes keep;  // 0..1: share of its impulse that a soft joint gives up in a pass; 0 if rigid
  // Half kicks of a and b (half_kick in joint_places.h), m/s: predicted displacements contain them
  // in addition to the velocities.
  Lanes drift_a[3], drift_b[3];
  // Impulses on b in the whole step: force, N·s, and torque about the anchor, N·m·s.
  Lanes step_linear[3], step_angular[3];
  Lanes taut_a, taut_b;  // tautness per impulse and arm, 1/(N·m·s): taut_bodies.h
  Lanes swings;          // 1 if bodies of this joint can swing under tension, else 0

  // Values from the start of the step.
  Lanes free_a[3], free_b[3];  // 1 along free world axes, 0 along locked ones
  // Anchors relative to the centres of mass, in the bodies' frames, m.
  Lanes local_a[3], local_b[3];
  Lanes between[3];              // vector from a's centre of mass to b's, m
  Lanes frame_a[4], frame_b[4];  // rotations of the joint frames in the bodies' frames
  Lanes ground_anchor_a[3],
      ground_anchor_b[3];  // fixed points of a pulley relative to the centres of mass, m
  Lanes ratio;
  Lanes target[3], target_rotation[4];  // target pose of a servo in frame a
  // Maximum impulses of a servo: force (N·s), torque (N·m·s). `most` applies to both phases of a
  // substep together, `hold_most` to the biased solve alone.
  Lanes most[2], hold_most[2];

  // Gears and racks: values of the last measurement.
  Lanes was_measured;              // 1 if the values below were measured, else 0
  Lanes before_a[4], before_b[4];  // rotations of the bodies
  Lanes way_before;                // travel of a rack along its axis, m

  Coordinate coordinates[max_coordinates];

  std::uint32_t joint[lane_count];  // joint slots
  std::uint32_t used_lanes;         // lanes that hold a joint, one bit each
  std::uint32_t locked_lanes;       // lanes in which a body has motion locks, one bit each
};

}  // namespace jostle::physics
