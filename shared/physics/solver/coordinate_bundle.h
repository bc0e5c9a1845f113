#pragma once

#include "shared/physics/detail/joint_record.h"
#include "shared/physics/solver/body_block.h"

#include <cstddef>
#include <cstdint>

namespace jostle::physics {

/// Classes of joints with coordinates, for each of which kernels are compiled. Wheels are six-DOF
/// joints.
enum class CoordinateClass : std::uint8_t { SixDof, Servo, Gear, Rack, Pulley, Distance };
inline constexpr std::size_t coordinate_class_count = 6;

constexpr std::size_t coordinates_of(CoordinateClass joint) {
  return joint == CoordinateClass::SixDof || joint == CoordinateClass::Servo ? 6 : 1;
}

/// One coordinate of eight joints (solver/coordinate_solver.h). Impulses are per substep: in N·s
/// for translations and in N·m·s for rotations.
struct Coordinate {
  // Row of the Jacobian: force and torque on a and on b by a unit impulse.
  Lanes force_a[3], torque_a[3], force_b[3], torque_b[3];
  Lanes value, value_before;  // current value, and the value one substep ago, m or rad
  Lanes is_locked;            // 1 or 0: by the joint's definition
  Lanes is_held;              // 1 or 0: locked, and with a pivot that does not vanish
  Lanes acts;                 // 1, or 0 if neither a lock nor a row acts on it
  Lanes lower, upper, rest;   // m or rad
  Lanes spring_damping;       // dimensionless
  Lanes spring_rate;          // 1/s
  Lanes spring_relaxes;  // 1, or 0 if the spring acts in the biased solve alone (joint_springs.h)
  Lanes spring_speed;    // speed of the spring's rest value, m/s or rad/s
  Lanes spring_of;       // CoordinateRule::spring_mass, kg
  Lanes spring_mass;     // mass that the spring acts on, kg
  Lanes tension_only;    // 1 or 0: spring and motor cannot push
  // Target speed of the motor, m/s or rad/s.
  Lanes motor_speed;
  // Maximum motor impulse per substep, and the part of it that applies in the biased solve.
  Lanes motor_impulse, motor_hold_impulse;
  // Maximum friction impulse per substep, and the part of it that applies in the biased solve.
  Lanes friction_impulse, friction_hold_impulse;
  // Response of the rows, and its inverse; both 0 if the locks hold the coordinate.
  Lanes response, mass;
  Lanes lock_impulse[joint_phase_count];
  Lanes impulse[joint_phase_count][coordinate_row_kinds];  // indexed by CoordinateRowKind
};

/// Number of entries in the lower triangle of a symmetric matrix of six rows, stored row by row.
inline constexpr std::size_t triangle_size = 21;
constexpr std::size_t triangle_place(std::size_t i, std::size_t k) {
  return i < k ? k * (k + 1) / 2 + i : i * (i + 1) / 2 + k;
}

/// Eight joints of one class, of eight different pairs of bodies. Lanes without a joint join body 0
/// to itself. Vectors are in the world frame unless their names say local.
struct alignas(32) CoordinateBundle {
  std::uint32_t a[lane_count], b[lane_count];  // solver indices; 0 is the immovable body

  Lanes arm_a[3], arm_b[3];  // vectors from the centres of mass to the anchors, m
  // inverse inertia tensors for the current rotations
  Lanes inverse_inertia_a[6], inverse_inertia_b[6];
  Lanes apart[3];              // vector from anchor to anchor, m
  Lanes axes_a[9], axes_b[9];  // axes of the joint frames a and b; of a pulley, its two ropes
  Lanes swept[triangle_size];  // K after the sweep
  Lanes keep;                  // 0..1: share of its impulse that a soft joint gives up in a pass
  // Half kicks of a and b, m/s: positions move by them in addition to the velocities.
  Lanes drift_a[3], drift_b[3];
  // Impulses of the whole step on b at the anchor, N·s and N·m·s.
  Lanes step_linear[3], step_angular[3];
  Lanes taut_a, taut_b;  // tautness per impulse, 1/(N·m·s): taut_bodies.h
  Lanes swings;          // 1, or 0 if bodies of this joint cannot swing when they are taut

  // Values from the start of the step.
  Lanes free_a[3], free_b[3];  // 1, or 0 along locked axes of the world
  // Anchors relative to the centres of mass, in the bodies' frames, m.
  Lanes local_a[3], local_b[3];
  Lanes between[3];              // vector from centre of mass to centre of mass, m
  Lanes frame_a[4], frame_b[4];  // joint frames in the bodies' frames
  Lanes ground_anchor_a[3],
      ground_anchor_b[3];  // fixed points of a pulley relative to the centres of mass, m
  Lanes ratio;
  Lanes target[3], target_rotation[4];  // target pose of a servo in frame a
  // Maximum impulses of a servo (N·s, N·m·s), and the parts of them that apply in the biased solve.
  Lanes most[2], hold_most[2];

  // Gears and racks: values of the last measurement.
  Lanes was_measured;              // 1 or 0
  Lanes before_a[4], before_b[4];  // rotations
  Lanes way_before;                // travel of a rack, m

  Coordinate coordinates[max_coordinates];

  std::uint32_t joint[lane_count];  // joint slots
  std::uint32_t used_lanes;         // lanes that hold a joint, one bit each
  std::uint32_t locked_lanes;       // lanes of which a body has locks, one bit each
};

}  // namespace jostle::physics
