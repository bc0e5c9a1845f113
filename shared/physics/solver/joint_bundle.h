#pragma once

#include "shared/physics/detail/joint_record.h"
#include "shared/physics/solver/body_block.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace jostle::physics {

/// What kernels know of a joint when they are compiled. Rows are limits, motors and springs; most
/// kinds have theirs always, and numbers that make them do nothing where there are none.
struct JointClass {
  JointKind kind = JointKind::Ball;
  bool has_rows = false;
};
inline constexpr std::size_t joint_class_count = 6;
inline constexpr std::array<JointClass, joint_class_count> joint_classes{{
    {JointKind::Ball, false},
    {JointKind::Ball, true},
    {JointKind::Hinge, true},
    {JointKind::Slider, true},
    {JointKind::Fixed, false},
    {JointKind::Distance, true},
}};

/// Whether the block has a torque.
constexpr bool holds_rotation(JointClass joint) {
  return joint.kind == JointKind::Hinge || joint.kind == JointKind::Slider ||
         joint.kind == JointKind::Fixed;
}
/// Whether the axis is one to turn about, not to slide along.
constexpr bool has_turning_axis(JointClass joint) {
  return joint.kind == JointKind::Ball || joint.kind == JointKind::Hinge;
}
constexpr bool has_cone(JointClass joint) {
  return joint.kind == JointKind::Ball && joint.has_rows;
}
/// Whether links of such joints can swing when they are pulled (solver/taut_bodies.h).
constexpr bool can_be_taut(JointClass joint) {
  return joint.kind != JointKind::Fixed && joint.kind != JointKind::Slider;
}
/// Whether anything asks for the frames of the joint.
constexpr bool has_frames(JointClass joint) {
  return joint.kind != JointKind::Ball || joint.has_rows;
}

/// The rows along or about the axis; the cone comes after them.
inline constexpr std::size_t axis_row_kinds = joint_row_kinds - 1;
static_assert(static_cast<std::size_t>(JointRowKind::Cone) == axis_row_kinds);

/// One scalar direction of a joint, and what it has to do with the block of the joint
/// (joint_solver.h). With a unit impulse along or about `direction`, ω and v of the bodies change,
/// and e_p and e_t with them by `anchors` and `turns`; the block answers by `answer_linear` and
/// `answer_angular`, after which the block holds as before and `response` of speed is left.
struct JointDirection {
  Lanes direction[3];
  Lanes anchors[3], turns[3];
  Lanes answer_linear[3], answer_angular[3];
  Lanes response, mass;  // one is the inverse of the other; both 0 where the block holds it all
};

/// Spring, motor and both limits: all along the axis of a slider or distance joint, or about that
/// of a hinge or ball.
struct JointAxis {
  JointDirection row;
  Lanes value, value_before;  // m or rad, now and one substep ago
  Lanes lower, upper, rest;   // m or rad
  Lanes middle;               // rad, from which the angle is at most half a turn away
  Lanes spring_damping;       // 1
  Lanes spring_rate;          // 1/s
  Lanes spring_relaxes;       // 1, or 0 where the hold phase does all (joint_springs.h)
  Lanes motor_speed;          // m/s or rad/s
  Lanes motor_impulse;        // N·s or N·m·s: the most per substep
  Lanes motor_hold_impulse;   // N·s or N·m·s: of that, before positions move
  Lanes impulse[joint_phase_count][axis_row_kinds];  // by JointRowKind
};

/// The cone of a ball.
struct JointConeRow {
  JointDirection row;  // towards the cone's axis
  Lanes coupling;      // what a unit impulse about the axis, and its answer, change of the speed
  Lanes error;         // rad, by which the cone is wider than the swing
  Lanes angle;         // rad
  Lanes impulse[joint_phase_count];
};

/// Eight joints of one class, of eight different pairs of bodies. Lanes without a joint join body 0
/// to itself. Which rows of lanes mean something depends on the class; those that all have come
/// first. Vectors are in the world frame unless named local.
struct alignas(32) JointBundle {
  std::uint32_t a[lane_count], b[lane_count];  // solver indices; 0 is the immovable body

  Lanes arm_a[3], arm_b[3];                          // m, from the centres of mass to the anchors
  Lanes inverse_inertia_a[6], inverse_inertia_b[6];  // as the bodies stand now
  Lanes linear_mass[6];                              // B
  Lanes linear_error[3];                             // m, what the joint fails of it
  Lanes linear[joint_phase_count][3];                // N·s on b
  Lanes keep;            // 0..1: the share of its impulse that a soft joint gives up; 0 is rigid
  Lanes drift[3];        // m/s, of b against a: what positions get beside the velocities
  Lanes step_linear[3];  // N·s of the whole step, on b
  Lanes taut_a, taut_b;  // 1/(N·m·s): tautness per impulse along the arm (taut_bodies.h)

  // Of the start of the step.
  Lanes local_a[3], local_b[3];     // m, anchors from the centres of mass, in the bodies' frames
  Lanes between[3];                 // m, from centre to centre
  std::uint32_t joint[lane_count];  // slot
  std::uint32_t used_lanes;         // one bit each
  std::uint32_t tree_lanes;         // likewise, of those: solved at once, too (joint_trees.h)

  // Hinges, sliders and fixed joints.
  alignas(32) Lanes angular_mass[6];    // A
  Lanes coupling[9];                    // C, by columns
  Lanes angular_error[3];               // rad
  Lanes angular[joint_phase_count][3];  // N·m·s on b
  Lanes step_angular[3];  // N·m·s of the whole step, on b about the anchor; also rows

  // All but balls without rows.
  Lanes frame_a[4], frame_b[4];  // of the joint, in the bodies' frames
  Lanes apart[3];                // m, from anchor to anchor
  Lanes is_rod;                  // 1, or 0 for a distance joint that is nothing but its rows
  Lanes length;                  // m, of a rod

  JointAxis axis;     // of classes with rows
  JointConeRow cone;  // of balls with rows

  // Of those that trees solve (joint_trees.h): what velocities lack of what the phase asks, and
  // what is foreseen beside that.
  Lanes asked_anchors[3], ahead_anchors[3];  // m/s
  Lanes asked_turns[3], ahead_turns[3];      // rad/s
};

/// Eight bodies some of which have joints: what joints need of them beside BodyBlock.
struct alignas(32) JointedBlock {
  Lanes is_jointed;                           // 1 or 0
  Lanes inertia_local[6];                     // body frame
  Lanes linear_before[3], angular_before[3];  // velocities when the phase began
  std::uint32_t block;                        // in SolverArrays::body_blocks
};

}  // namespace jostle::physics
