#pragma once

#include "shared/physics/detail/joint_record.h"
#include "shared/physics/solver/body_block.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace jostle::physics {

/// Properties of a joint that are known when its kernels are compiled. Rows are limits, motors and
/// springs. All classes except plain balls, fixed and universal joints have rows. Rows that a joint
/// does not use are disabled by their values, for example by unreachable limits.
struct JointClass {
  JointKind kind = JointKind::Ball;
  bool has_rows = false;
};
inline constexpr std::size_t joint_class_count = 7;
inline constexpr std::array<JointClass, joint_class_count> joint_classes{{
    {JointKind::Ball, false},
    {JointKind::Ball, true},
    {JointKind::Hinge, true},
    {JointKind::Slider, true},
    {JointKind::Fixed, false},
    {JointKind::Distance, true},
    {universal_joint, false},
}};

/// Returns true if the joint constrains rotation, so that its block has a torque impulse.
constexpr bool holds_rotation(JointClass joint) {
  return joint.kind == JointKind::Hinge || joint.kind == JointKind::Slider ||
         joint.kind == JointKind::Fixed || joint.kind == universal_joint;
}
/// Returns true if the joint's axis is one of rotation, not of translation.
constexpr bool has_turning_axis(JointClass joint) {
  return joint.kind == JointKind::Ball || joint.kind == JointKind::Hinge;
}
constexpr bool has_cone(JointClass joint) {
  return joint.kind == JointKind::Ball && joint.has_rows;
}
/// Returns true if the block of the joint, or its friction, has a torque impulse.
constexpr bool has_torque(JointClass joint) {
  return holds_rotation(joint) || has_cone(joint);
}
/// Returns true if bodies with joints of this class can swing under tension
/// (stabilizers/geometric_stiffness/taut_bodies.h).
constexpr bool can_be_taut(JointClass joint) {
  return joint.kind != JointKind::Fixed && joint.kind != JointKind::Slider;
}
/// Returns true if the kernels of the class use the frames of the joint.
constexpr bool has_frames(JointClass joint) {
  return joint.kind != JointKind::Ball || joint.has_rows;
}

/// Number of kinds of rows along or about the axis. The row of the cone follows them.
inline constexpr std::size_t axis_row_kinds = joint_row_kinds - 1;
static_assert(static_cast<std::size_t>(JointRowKind::Cone) == axis_row_kinds);

/// One scalar direction of a joint, and its coupling with the joint's block (joint_solver.h). A
/// unit impulse along or about `direction` changes e_p by `anchors` and e_t by `turns`. The block
/// responds with the impulses `answer_linear` and `answer_angular`, which cancel these changes as
/// far as the block constrains them. The speed along the direction has then changed by `response`.
struct JointDirection {
  Lanes direction[3];
  Lanes anchors[3], turns[3];
  Lanes answer_linear[3], answer_angular[3];
  Lanes response, mass;  // inverse to each other; both 0 if the block holds the direction
};

/// Spring, motor and both limits. They act along the axis of a slider or distance joint, or about
/// the axis of a hinge or ball.
struct JointAxis {
  JointDirection row;
  Lanes value, value_before;  // current value, and the value one substep ago, m or rad
  Lanes lower, upper, rest;   // m or rad
  Lanes middle;               // the angle is measured within ±π of this angle, rad
  Lanes spring_damping;       // dimensionless
  Lanes spring_rate;          // 1/s
  Lanes
      spring_relaxes;   // 1 if half of the spring acts in the relax phase, else 0 (joint_springs.h)
  Lanes motor_speed;    // m/s or rad/s
  Lanes motor_impulse;  // maximum in both phases of a substep together, N·s or N·m·s
  Lanes motor_hold_impulse;  // maximum in the biased solve alone, N·s or N·m·s
  Lanes impulse[joint_phase_count][axis_row_kinds];  // indexed by JointRowKind
};

/// Row of the cone limit of a ball joint.
struct JointConeRow {
  JointDirection row;  // axis about which b must turn to bring its x axis to that of a
  // Change of the cone row's speed by a unit impulse of the axis row, with the block's response.
  Lanes coupling;
  Lanes error;  // cone angle minus swing angle, rad
  Lanes angle;  // cone angle, rad
  Lanes impulse[joint_phase_count];
};

/// Friction of a ball joint (kernels/ball_friction_kernel.h).
struct JointFriction {
  Lanes most;  // maximum impulse in both phases of a substep together, N·m·s; 0 without friction
  Lanes most_held;  // maximum impulse in the biased solve alone, N·m·s
  Lanes mass[6];    // M
};

/// Eight joints of one class. No two of them share a dynamic body. Unused lanes join body 0 to
/// itself. The class decides which members are used; the members that all classes use come first.
/// The symbols A, B, C, e_p and e_t are those of solver/joint_solver.h. Vectors are in the world
/// frame unless their names say local.
struct alignas(32) JointBundle {
  std::uint32_t a[lane_count], b[lane_count];  // solver indices; 0 is the immovable body

  Lanes arm_a[3], arm_b[3];  // vectors from the centres of mass to the anchors, m
  // inverse inertia tensors for the current rotations
  Lanes inverse_inertia_a[6], inverse_inertia_b[6];
  Lanes linear_mass[6];                // B
  Lanes linear_error[3];               // position error, m
  Lanes linear[joint_phase_count][3];  // N·s on b
  Lanes keep;  // 0..1: share of its impulse that a soft joint gives up in a pass; 0 if rigid
  // Half kick of b minus that of a (half_kick in joint_places.h), m/s: the predicted velocity of
  // the anchors contains it in addition to e_p.
  Lanes drift[3];
  Lanes step_linear[3];  // impulse of the whole step on b, N·s
  Lanes taut_a, taut_b;  // tautness per impulse and arm, 1/(N·m·s): taut_bodies.h

  // Values from the start of the step.
  // Anchors relative to the centres of mass, in the bodies' frames, m.
  Lanes local_a[3], local_b[3];
  Lanes between[3];                 // vector from a's centre of mass to b's, m
  std::uint32_t joint[lane_count];  // joint slots
  std::uint32_t used_lanes;         // lanes that hold a joint, one bit each
  // Lanes whose joints are solved in a tree, one bit each (joint_trees.h).
  std::uint32_t tree_lanes;
  // Lanes whose joints are ropes that a tree solves (taut_ropes in
  // stabilizers/articulations/joint_trees.h).
  std::uint32_t rope_lanes;
  std::uint32_t friction_lanes;  // lanes whose joints are balls with friction, one bit each

  // Used by joints that hold rotation (holds_rotation); step_angular also by the other classes with
  // frames.
  alignas(32) Lanes angular_mass[6];  // A
  Lanes coupling[9];                  // C, by columns
  Lanes angular_error[3];             // rad
  // N·m·s on b; in balls with rows, the friction
  Lanes angular[joint_phase_count][3];
  Lanes step_angular[3];  // impulse of the whole step, rows included, on b about the anchor, N·m·s

  // Used by universal joints: x of frame a, z of frame b, and the unit vector perpendicular to
  // both, about which the joint allows no rotation.
  Lanes axis_of_a[3], axis_of_b[3], locked_axis[3];

  // Used by all classes except balls without rows.
  Lanes frame_a[4], frame_b[4];  // rotations of the joint frames in the bodies' frames
  Lanes apart[3];                // vector from anchor to anchor, m
  // For distance joints: 1 if the length is fixed, 0 if only rows act. For ropes in trees: 1 while
  // the rope is taut.
  Lanes is_rod;
  Lanes length;  // length of a rod, m

  JointAxis axis;          // present in classes with rows
  JointConeRow cone;       // present in balls with rows
  JointFriction friction;  // present in balls with rows

  // Used by joints in trees (joint_trees.h). The `asked` members are the right-hand sides: the
  // velocity error that the phase must remove, without its predicted part. The `ahead` members are
  // the predicted part. During position correction, the `asked` members are position errors, m and
  // rad.
  Lanes asked_anchors[3], ahead_anchors[3];  // m/s
  Lanes asked_turns[3], ahead_turns[3];      // rad/s
};

/// Data of a block of eight bodies that the joint kernels need in addition to its BodyBlock.
struct alignas(32) JointedBlock {
  Lanes is_jointed;                           // 1 if the body is dynamic and has a joint, else 0
  Lanes inertia_local[6];                     // body frame
  Lanes linear_before[3], angular_before[3];  // velocities at the start of the phase
  std::uint32_t block;                        // index in SolverArrays::body_blocks
};

}  // namespace jostle::physics
