#pragma once

#include "shared/physics/solver/coordinate_arrays.h"
#include "shared/physics/solver/joint_bundle.h"
#include "shared/physics/solver/lock_bundle.h"
#include "shared/physics/solver/softness.h"
#include "shared/physics/solver/solver_arrays.h"
#include "shared/physics/stabilizers/articulations/joint_trees.h"
#include "shared/physics/stabilizers/energy_limiter/passive_groups.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

/// Current pose and inverse mass of a jointed body, 32 bytes.
struct alignas(32) JointedPose {
  math::Quat rotation;
  math::Vec3 offset;  // displacement since the start of the step, m
  float inverse_mass = 0;
};

/// Angular momentum of a jointed body at the start of the phase, 32 bytes.
struct alignas(32) JointedMomentum {
  math::Vec3 angular;  // kg·m²/s
  float turns = 0;     // 1 if the principal moments differ, so that ω changes by itself; else 0
  float unused[4]{};
};

/// Predicted rotation of a body in the substep (predict_turns), 32 bytes.
struct alignas(32) JointedTurn {
  math::Vec3 turn;  // half of it is the rotation axis times tan(angle/2)
  float unused[5]{};
};

/// Result of the colouring for one joint, from which it is placed in a bundle.
struct ColouredJoint {
  std::uint32_t joint = 0;  // slot
  std::uint32_t a = 0, b = 0;
  std::uint32_t joint_class = 0;
  std::uint32_t group = 0;  // group of its colour and class (ColourLayout)
  std::uint32_t tree = 0;   // JointRecord::tree, or no_index if passes solve the joint
  std::uint32_t place = 0;  // index of its bundle · lane_count + lane
};

/// Scratch data of one step. Only the allocated memory is kept between steps.
struct JointArrays {
  std::vector<ColouredJoint> coloured;
  // indexed by solver index: bit mask of the colours of a body's joints
  std::vector<std::uint64_t> taken;
  // Indexed by solver index: 1 if the body has any joint, including joints of the overflow colour.
  std::vector<std::uint8_t> is_jointed;
  ColourBlocks blocks;
  std::vector<JointBundle> bundles;
  std::vector<LockBundle> locks;  // parallel to the bundles; empty if no jointed body has locks

  std::vector<JointedBlock> body_blocks;
  // Indexed by solver index: current state of jointed bodies. For contacts, the inertia is
  // recomputed only after a large rotation (SolverInertia). Joints need the current inertia,
  // because their arms turn and thin bodies would respond wrongly.
  std::vector<JointedPose> poses;
  std::vector<SolverInertia> inertias;
  std::vector<JointedMomentum> momenta;
  std::vector<JointedTurn> turns;
  Softness softness, limit_softness;
  JointTrees trees;
  PassiveGroups passive;

  // Used while joint positions are corrected (stabilizers/joint_positions/mend_joints.h). Then
  // `moves` holds the velocities of the bodies, and SolverArrays::velocities holds displacements.
  std::vector<SolverVelocity> moves;
  std::vector<std::uint32_t> moved;  // MendingView::moved
  // MendingView::looked and looked_at_coordinates: times of the last checks.
  std::vector<std::uint32_t> looked, looked_at_coordinates;

  CoordinateArrays coordinates;
};

}  // namespace jostle::physics
