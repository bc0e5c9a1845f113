#pragma once

#include "shared/base/cloned_ptr.h"
#include "shared/physics/joint.h"

#include <array>
#include <cstdint>
#include <memory>

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

/// Scalar rows of a coordinate (solver/coordinate_solver.h).
enum class CoordinateRowKind : std::uint8_t { Motor, Spring, Friction, Lower, Upper };
inline constexpr std::size_t coordinate_row_kinds = 5;
inline constexpr std::size_t max_coordinates = 6;

/// The state of a joint that is solved by coordinates.
struct CoordinateState {
  struct Impulses {
    float lock = 0;
    std::array<float, coordinate_row_kinds> rows{};
  };
  std::array<std::array<Impulses, max_coordinates>, joint_phase_count> impulses;
  /// Of a gear (rad) or rack (m): where its coordinate stands, over all turns since it was made.
  float track = 0;
};

/// Whether the joint is solved by coordinates, not as a block with rows (solver/joint_solver.h).
inline bool has_coordinates(const JointDef& def) {
  return def.kind > JointKind::Distance ||
         (def.kind == JointKind::Distance && def.spring.is_enabled && def.spring.only_pulls);
}

/// One joint. The fields from `def` to `energy_credit` are its state.
struct JointRecord {
  /// Slot of the body at the root of its tree, if it is of one that can be solved at once, and
  /// whether that is so in any case. Follow from the rest (solver/joint_forest.h); beside `def`,
  /// with which they are read.
  std::uint32_t tree = 0xFFFFFFFFU;
  bool is_tree_needed = false;
  JointDef def;
  std::array<JointImpulses, joint_phase_count> impulses;  // per substep
  math::Vec3 step_linear, step_angular;  // N·s and N·m·s, on b about the anchor, of the last step
  base::ClonedPtr<CoordinateState> coordinates;  // where it has some
  /// J, of its group, if it is the first there (solver/passive_groups.h).
  float energy_credit = 0;
  static constexpr float boundless_credit = 1e30f;
  /// Who changes a joint may move what hangs on it.
  void excuse() { energy_credit = boundless_credit; }

  // Follows from the rest.
  bool is_listed = false;  // in WorldState::awake_joints
  bool is_linked = false;  // with its bodies: while both are switched on
  /// Links of the two bodies' lists of joints, for a and for b. Edge 2·i + side names a link.
  std::array<std::uint32_t, 2> previous{0xFFFFFFFFU, 0xFFFFFFFFU}, next{0xFFFFFFFFU, 0xFFFFFFFFU};
};

}  // namespace jostle::physics
