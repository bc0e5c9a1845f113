#pragma once

#include "shared/physics/solver/coordinate_bundle.h"
#include "shared/physics/solver/joint_bundle.h"
#include "shared/physics/solver/lock_bundle.h"
#include "shared/physics/solver/softness.h"
#include "shared/physics/stabilizers/articulations/tree_arrays.h"

#include <cstdint>

namespace jostle::physics {

/// State of the position correction of joints (stabilizers/joint_positions/mend_joints.h). Times
/// are counted in operations: each operation, such as a pass over one colour, gets the next number.
/// The parts of an operation may run in parallel.
struct MendingView {
  // true while positions are corrected; JointView::velocities then holds displacements
  bool is_on = false;
  std::uint32_t now = 0;            // time of the current operation
  std::uint32_t* moved = nullptr;   // indexed by solver index: time of the body's last move
  std::uint32_t* looked = nullptr;  // indexed by joint bundle: time of its last check
  // indexed by coordinate bundle: time of its last check
  std::uint32_t* looked_at_coordinates = nullptr;
  std::uint32_t since = 0;  // bundles whose bodies were moved later than this are measured again
};

/// Pointers into SolverArrays and JointArrays and the constants of a step: the whole input of the
/// joint kernels.
struct JointView {
  // Rows of eight floats: SolverVelocity, SolverMotion; JointedPose, SolverInertia, JointedMomentum
  // and JointedTurn of JointArrays.
  float* velocities = nullptr;
  float* motions = nullptr;
  float* poses = nullptr;
  float* inertias = nullptr;
  float* momenta = nullptr;
  float* turns = nullptr;
  BodyBlock* body_blocks = nullptr;
  JointedBlock* jointed_blocks = nullptr;
  JointBundle* bundles = nullptr;
  CoordinateBundle* coordinates = nullptr;
  const LockBundle* locks = nullptr;  // parallel to the bundles, or null if no body has locks
  MendingView mending;
  Softness softness, limit_softness;
  float substep_seconds = 0;
  float max_linear_speed = 0, max_angular_speed = 0;  // m/s and rad/s, of the bodies
};

using JointKernel = void (*)(const JointView&, std::uint32_t first, std::uint32_t last);

/// Kernels of joints with coordinates, by class.
struct CoordinateKernelTable {
  JointKernel measure[coordinate_class_count];
  JointKernel warm_start[joint_phase_count][coordinate_class_count];
  JointKernel solve[joint_phase_count][coordinate_class_count];
  JointKernel mend[coordinate_class_count];
  JointKernel settle[coordinate_class_count];
};

/// All joint kernels for one instruction set. Ranges are of jointed blocks or of bundles; the
/// kernels of bundles are listed by class.
struct JointKernelTable {
  JointKernel place_bodies, begin_phase[joint_phase_count], end_phase, predict_turns, move_mended;
  JointKernel measure[joint_class_count];
  JointKernel warm_start[joint_phase_count][joint_class_count];
  JointKernel solve[joint_phase_count][joint_class_count];
  JointKernel note_asked[joint_phase_count][joint_class_count];
  JointKernel mend[joint_class_count];
  JointKernel note_failure[joint_class_count];
  JointKernel settle[joint_class_count];
  TreeKernelTable trees;
  const CoordinateKernelTable& coordinates;
};

}  // namespace jostle::physics
