#pragma once

#include "shared/physics/solver/coordinate_arrays.h"
#include "shared/physics/solver/joint_bundle.h"
#include "shared/physics/solver/joint_trees.h"
#include "shared/physics/solver/lock_bundle.h"
#include "shared/physics/solver/passive_groups.h"
#include "shared/physics/solver/softness.h"
#include "shared/physics/solver/solver_arrays.h"

#include <cstdint>
#include <vector>

namespace jostle::physics {

/// Where a jointed body stands now, and how heavy it is, 32 bytes.
struct alignas(32) JointedPose {
  math::Quat rotation;
  math::Vec3 offset;  // m, since the start of the step
  float inverse_mass = 0;
};

/// The angular momentum of a jointed body when the phase began, 32 bytes.
struct alignas(32) JointedMomentum {
  math::Vec3 angular;  // kg·m²/s
  float turns = 0;     // 1 where moments differ, so that ω changes by itself; else 0
  float unused[4]{};
};

/// How a body will turn in the substep (foresee_turns), 32 bytes.
struct alignas(32) JointedTurn {
  math::Vec3 turn;  // half of it is the axis and the tangent of half the angle
  float unused[5]{};
};

/// A joint on its way into a bundle.
struct ColouredJoint {
  std::uint32_t joint = 0;  // slot
  std::uint32_t a = 0, b = 0;
  std::uint32_t joint_class = 0;
  std::uint32_t group = 0;  // of colour and class
  std::uint32_t tree = 0;   // JointRecord::tree
  std::uint32_t place = 0;  // the lane, counted over all bundles
};

/// Scratch of one step. Nothing here outlives it but the memory.
struct JointArrays {
  std::vector<ColouredJoint> coloured;
  std::vector<std::uint64_t>
      taken;  // by solver index: the colours of a body's joints, one bit each
  std::vector<std::uint8_t> is_jointed;  // by solver index; the overflow has no bit of a colour
  ColourBlocks blocks;
  std::vector<JointBundle> bundles;
  std::vector<LockBundle> locks;  // beside them, where any body has some

  std::vector<JointedBlock> body_blocks;
  // By solver index, of jointed bodies as they stand now. Contacts keep the inertia of the start of
  // the step, but the arms of joints turn, and thin bodies would answer them wrongly.
  std::vector<JointedPose> poses;
  std::vector<SolverInertia> inertias;
  std::vector<JointedMomentum> momenta;
  std::vector<JointedTurn> turns;
  Softness softness, limit_softness;
  JointTrees trees;
  PassiveGroups passive;

  // While joints are mended (solver/mend_joints.h).
  std::vector<SolverVelocity> moves;  // the velocities of the bodies wait here
  std::vector<std::uint32_t> moved;   // MendingView
  std::vector<std::uint32_t> looked, looked_at_coordinates;

  CoordinateArrays coordinates;
};

}  // namespace jostle::physics
