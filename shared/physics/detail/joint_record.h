#pragma once

#include "shared/physics/joint.h"

#include <array>
#include <cstdint>

namespace jostle::physics {

/// The two passes of a substep that solve joints (solver/joint_solver.h).
enum JointPhase : std::uint8_t { HoldPhase = 0, RelaxPhase = 1 };
inline constexpr std::size_t joint_phase_count = 2;

/// Scalar rows of a joint, each at its own place so that its impulse is found again.
enum class JointRowKind : std::uint8_t { Motor, Spring, Lower, Upper, Cone };
inline constexpr std::size_t joint_row_kinds = 5;

/// What one phase of the last substep applied, to begin the next with.
struct JointImpulses {
  math::Vec3 linear;                          // N·s, on b at the anchor
  math::Vec3 angular;                         // N·m·s, on b
  std::array<float, joint_row_kinds> rows{};  // N·s or N·m·s
};

/// Whether a distance joint keeps its length, since nothing else says how far its ends may part.
inline bool is_rod(const JointDef& def) {
  return !def.spring.is_enabled && !def.limits.is_enabled && !def.motor.is_enabled;
}

/// One joint. The fields from `def` to `step_angular` are its state.
struct JointRecord {
  /// Slot of the body at the root of its tree, if it is one of those that are solved at once.
  /// Follows from the rest (solver/joint_forest.h); beside `def`, with which it is read.
  std::uint32_t tree = 0xFFFFFFFFU;
  JointDef def;
  std::array<JointImpulses, joint_phase_count> impulses;  // per substep
  math::Vec3 step_linear, step_angular;  // N·s and N·m·s, on b about the anchor, of the last step

  // Follows from the rest.
  bool is_listed = false;  // in WorldState::awake_joints
  /// Links of the two bodies' lists of joints, for a and for b. Edge 2·i + side names a link.
  std::array<std::uint32_t, 2> previous{0xFFFFFFFFU, 0xFFFFFFFFU}, next{0xFFFFFFFFU, 0xFFFFFFFFU};
};

}  // namespace jostle::physics
