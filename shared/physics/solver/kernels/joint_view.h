#pragma once

#include "shared/physics/solver/coordinate_bundle.h"
#include "shared/physics/solver/joint_bundle.h"
#include "shared/physics/solver/lock_bundle.h"
#include "shared/physics/solver/softness.h"

#include <cstdint>

namespace jostle::physics {

/// Pointers into SolverArrays and JointArrays and the constants of a step: all that the kernels of
/// joints know.
struct JointView {
  // Rows of eight floats: SolverVelocity, SolverMotion; JointedPose, SolverInertia and
  // JointedMomentum of JointArrays.
  float* velocities = nullptr;
  float* motions = nullptr;
  float* poses = nullptr;
  float* inertias = nullptr;
  float* momenta = nullptr;
  BodyBlock* body_blocks = nullptr;
  JointedBlock* jointed_blocks = nullptr;
  JointBundle* bundles = nullptr;
  CoordinateBundle* coordinates = nullptr;
  const LockBundle* locks = nullptr;  // beside the bundles, where any body has some
  Softness softness, limit_softness;
  float substep_seconds = 0;
  float max_linear_speed = 0, max_angular_speed = 0;  // m/s, rad/s: of the bodies
};

using JointKernel = void (*)(const JointView&, std::uint32_t first, std::uint32_t last);

/// Those of joints with coordinates, by class.
struct CoordinateKernelTable {
  JointKernel measure[coordinate_class_count];
  JointKernel warm_start[joint_phase_count][coordinate_class_count];
  JointKernel solve[joint_phase_count][coordinate_class_count];
  JointKernel settle[coordinate_class_count];
};

/// One form of all kernels of joints. Ranges are of jointed blocks or of bundles, these by class.
struct JointKernelTable {
  JointKernel place_bodies, begin_phase[joint_phase_count], end_phase;
  JointKernel measure[joint_class_count];
  JointKernel warm_start[joint_phase_count][joint_class_count];
  JointKernel solve[joint_phase_count][joint_class_count];
  JointKernel note_asked[joint_phase_count][joint_class_count];
  JointKernel settle[joint_class_count];
  CoordinateKernelTable coordinates;
};

}  // namespace jostle::physics
