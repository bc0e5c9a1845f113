#pragma once

#include "shared/math/mat3.h"
#include "shared/math/quat.h"
#include "shared/math/vec3.h"
#include "shared/physics/detail/joint_record.h"
#include "shared/physics/solver/softness.h"
#include "shared/physics/solver/solver_arrays.h"

#include <array>
#include <cstdint>
#include <vector>

namespace jostle::physics {

/// Impulses on the two bodies of a joint: `linear` and `angular_b` on b, the opposite of `linear`
/// and of `angular_a` on a. Angular parts are about the centres of mass.
struct Wrench {
  math::Vec3 linear, angular_a, angular_b;
};

/// One scalar row: limit, motor or spring along one direction.
struct JointRow {
  JointRowKind kind = JointRowKind::Motor;
  math::Vec3 linear;        // unit, or zero for a row that only turns
  math::Vec3 arm_a, arm_b;  // what the row takes of the angular velocities
  float mass = 0;           // effective, kg or kg·m²
  float error = 0;          // m or rad: distance from the bound or from rest, now
  float error_before = 0;   // one substep ago
  /// Of a spring: see prepare_joints.cpp.
  float spring_rate = 0, spring_damping = 0;
  std::array<float, joint_phase_count> impulse{};
};

/// One joint. Vectors are in the world frame unless named local.
struct JointConstraint {
  std::uint32_t a = 0, b = 0;  // solver indices; 0 is the immovable body
  std::uint32_t joint = 0;     // slot
  JointKind kind = JointKind::Ball;
  bool is_rigid_distance = false;
  std::uint32_t first_row = 0, row_count = 0;
  float inverse_mass_a = 0, inverse_mass_b = 0;
  float rest = 0;
  math::Vec3 local_a, local_b;  // anchors from the centres of mass, in the frames of the bodies
  math::Quat frame_a, frame_b;  // likewise
  math::Vec3 between;           // from centre to centre at the start of the step
  math::Vec3 drift;             // m/s, of b against a: what positions get beside the velocities

  // As the bodies stand now.
  math::Vec3 arm_a, arm_b;   // from the centres of mass to where the joint's force acts
  math::Mat3 linear_mass;    // B
  math::Mat3 angular_mass;   // A
  math::Mat3 coupling;       // C: velocity of the anchors per angular impulse
  math::Vec3 apart;          // m, from anchor to anchor
  math::Vec3 linear_error;   // m, what the joint fails of it
  math::Vec3 angular_error;  // rad
  math::Vec3 ahead;          // m/s: what the turning of the arms adds within the substep

  std::array<math::Vec3, joint_phase_count> linear, angular;  // impulses

  math::Vec3 step_linear, step_angular;  // of the whole step, on b about the anchor
};

/// A body that has joints.
struct JointedBody {
  std::uint32_t index = 0;                   // of the solver
  math::Vec3 linear_before, angular_before;  // velocities when the phase began
  math::Mat3 inertia = math::zero_matrix();  // as the body stands now; of anisotropic ones
};

/// Scratch of one step. Nothing here outlives it but the memory.
struct JointArrays {
  std::vector<JointConstraint> joints;
  std::vector<JointRow> rows;       // those of a joint stand together
  std::vector<JointedBody> bodies;  // by solver index
  std::vector<bool> is_jointed;     // by solver index
  /// By solver index, of jointed bodies as they stand now. Contacts keep those of the start of the
  /// step, but the arms of joints turn, and thin bodies would answer them wrongly.
  std::vector<math::Mat3> inverse_inertia;
  Softness softness;
};

}  // namespace jostle::physics
