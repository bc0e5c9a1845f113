#pragma once

#include "shared/physics/detail/joint_record.h"
#include "shared/physics/solver/body_block.h"

#include <cstddef>
#include <cstdint>

namespace jostle::physics {

/// What kernels know of a joint with coordinates when they are compiled. Wheels are six-axis
/// joints.
enum class CoordinateClass : std::uint8_t { SixAxis, Servo, Gear, Rack, Pulley, Distance };
inline constexpr std::size_t coordinate_class_count = 6;

constexpr std::size_t coordinates_of(CoordinateClass joint) {
  return joint == CoordinateClass::SixAxis || joint == CoordinateClass::Servo ? 6 : 1;
}

/// One coordinate of eight joints (solver/coordinate_solver.h). What is said of impulses is N·s for
/// those along, N·m·s for those about an axis, per substep.
struct Coordinate {
  // Force and torque on a and on b by a unit impulse: a row of the Jacobian.
  Lanes force_a[3], torque_a[3], force_b[3], torque_b[3];
  Lanes value, value_before;  // m or rad, now and one substep ago
  Lanes is_locked;            // 1 or 0: by the joint's definition
  Lanes is_held;              // and there is something to hold
  Lanes acts;                 // 1, or 0 where nothing is to be done about it
  Lanes lower, upper, rest;   // m or rad
  Lanes spring_damping;       // 1
  Lanes spring_rate;          // 1/s
  Lanes spring_relaxes;       // 1, or 0 where the hold phase does all (joint_springs.h)
  Lanes spring_speed;         // m/s or rad/s: of what the spring pulls to
  Lanes spring_of;            // kg: CoordinateRule::spring_mass
  Lanes spring_mass;          // kg
  Lanes only_pulls;           // 1 or 0
  Lanes motor_speed;          // m/s or rad/s
  Lanes motor_impulse, motor_hold_impulse;        // the most, and of that before positions move
  Lanes friction_impulse, friction_hold_impulse;  // likewise
  Lanes response, mass;  // of rows: inverse to each other; both 0 where the locks hold it all
  Lanes lock_impulse[joint_phase_count];
  Lanes impulse[joint_phase_count][coordinate_row_kinds];  // by CoordinateRowKind
};

/// Of a symmetric matrix of six rows: the lower triangle, row by row.
inline constexpr std::size_t triangle_size = 21;
constexpr std::size_t triangle_place(std::size_t i, std::size_t k) {
  return i < k ? k * (k + 1) / 2 + i : i * (i + 1) / 2 + k;
}

/// Eight joints of one class, of eight different pairs of bodies. Lanes without a joint join body 0
/// to itself. Vectors are in the world frame unless named local.
struct alignas(32) CoordinateBundle {
  std::uint32_t a[lane_count], b[lane_count];  // solver indices; 0 is the immovable body

  Lanes arm_a[3], arm_b[3];                          // m, from the centres of mass to the anchors
  Lanes inverse_inertia_a[6], inverse_inertia_b[6];  // as the bodies stand now
  Lanes apart[3];                                    // m, from anchor to anchor
  Lanes axes_a[9], axes_b[9];                        // of the frames
  Lanes swept[triangle_size];                        // K after the sweep
  Lanes keep;                    // 0..1: the share of its impulse that a soft joint gives up
  Lanes drift_a[3], drift_b[3];  // m/s: what positions get beside the velocities
  Lanes step_linear[3], step_angular[3];  // N·s and N·m·s of the whole step, on b at the anchor
  Lanes taut_a, taut_b;                   // 1/(N·m·s): taut_bodies.h
  Lanes swings;                           // 1, or 0 where taut bodies do not

  // Of the start of the step.
  Lanes free_a[3], free_b[3];    // 1, or 0 along axes of the world that are locked
  Lanes local_a[3], local_b[3];  // m, anchors from the centres of mass, in the bodies' frames
  Lanes between[3];              // m, from centre to centre
  Lanes frame_a[4], frame_b[4];  // of the joint, in the bodies' frames
  Lanes over_a[3], over_b[3];    // m, of a pulley: from the centres of mass
  Lanes ratio;
  Lanes target[3], target_rotation[4];  // of a servo, frame a
  Lanes most[2], hold_most[2];          // N·s, N·m·s: of a servo, all and before positions move

  // Of gears and racks: as last measured.
  Lanes was_measured;              // 1 or 0
  Lanes before_a[4], before_b[4];  // rotations
  Lanes way_before;                // m

  Coordinate coordinates[max_coordinates];

  std::uint32_t joint[lane_count];  // slot
  std::uint32_t used_lanes;         // one bit each
  std::uint32_t locked_lanes;       // likewise: of which a body has locks
};

}  // namespace jostle::physics
