#pragma once

#include "shared/base/cloned_ptr.h"
#include "shared/physics/joint.h"

#include <array>
#include <cstdint>
#include <memory>

namespace jostle::physics {

/// The two phases of a substep that solve joints: the biased solve and the relax phase
/// (solver/joint_solver.h).
enum JointPhase : std::uint8_t { HoldPhase = 0, RelaxPhase = 1 };
inline constexpr std::size_t joint_phase_count = 2;

/// Scalar rows of a joint. Each kind has a fixed index, so that its impulse can be found for warm
/// starting.
enum class JointRowKind : std::uint8_t { Motor, Spring, Lower, Upper, Cone };
inline constexpr std::size_t joint_row_kinds = 5;

/// Impulses of one phase of the last substep, for warm starting, times the refinement of the island
/// (stabilizers/adaptive_substeps/refine_islands.h): they belong to a substep of WorldOptions.
struct JointImpulses {
  math::Vec3 linear;                          // N·s, on b at the anchor
  math::Vec3 angular;                         // N·m·s, on b
  std::array<float, joint_row_kinds> rows{};  // N·s or N·m·s
};

/// Returns true if a distance joint keeps its length, because it has no spring, limits or motor.
inline bool is_rod(const JointDef& def) {
  return !def.spring.is_enabled && !def.limits.is_enabled && !def.motor.is_enabled;
}

/// Returns true if a distance joint is a rope: it only has an upper limit.
inline bool is_rope(const JointDef& def) {
  return def.kind == JointKind::Distance && def.limits.is_enabled && def.limits.lower <= 0.0f &&
         !def.spring.is_enabled && !def.motor.is_enabled;
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
  /// Coordinate of a gear (rad) or rack (m), accumulated over all turns since the joint was
  /// created.
  float track = 0;
};

/// The kind of JointRecord::equivalent for universal joints: all rotation but one, so that x of
/// frame a stays perpendicular to z of frame b.
inline constexpr auto universal_joint = static_cast<JointKind>(joint_kind_count);

/// Returns true if the joint is solved by coordinates (solver/coordinate_solver.h). Other joints
/// are solved as a block of vector constraints with scalar rows (solver/joint_solver.h).
inline bool has_coordinates(const JointDef& def) {
  return (def.kind > JointKind::Distance && def.kind != universal_joint) ||
         (def.kind == JointKind::Distance && def.spring.is_enabled && def.spring.tension_only);
}

/// One joint. The fields from `def` to `energy_credit` are its state, except `equivalent`.
struct JointRecord {
  // The next two members are derived (stabilizers/articulations/joint_forest.h). They precede
  // `def`, because they are read together with it.

  /// Slot of the root body of the joint's tree, if the tree can be solved directly; otherwise
  /// 0xFFFFFFFF.
  std::uint32_t tree = 0xFFFFFFFFU;
  /// True if the tree must be solved directly.
  bool is_tree_needed = false;
  JointDef def;
  /// For six-DOF joints that constrain like a simpler kind: that joint (equivalent_joint in
  /// joint_equivalents.h). Else null. Derived from `def`.
  base::ClonedPtr<JointDef> equivalent;
  /// Returns the joint that the solver solves.
  const JointDef& solved() const { return equivalent ? *equivalent : def; }

  std::array<JointImpulses, joint_phase_count> impulses;  // per substep
  /// Sums of the impulses over the last step, in N·s and N·m·s, on b about the anchor.
  math::Vec3 step_linear, step_angular;
  base::ClonedPtr<CoordinateState> coordinates;  // null for joints without coordinates
  /// Energy credit, in J, of the energy limiter, if this is the first joint of a group
  /// (stabilizers/energy_limiter/passive_groups.h).
  float energy_credit = 0;
  static constexpr float boundless_credit = 1e30f;
  /// Grants unlimited credit after a call that changes the joint, because the change may do work on
  /// the bodies.
  void excuse() { energy_credit = boundless_credit; }

  // The members below are derived from other data.
  bool is_listed = false;  // true if the joint is in WorldState::awake_joints
  // true if the joint is linked with its bodies, which requires both to be enabled
  bool is_linked = false;
  /// Links in the joint lists of bodies a and b: edges, 2·joint + side, or 0xFFFFFFFF at an end of
  /// the list (edge_list.h).
  std::array<std::uint32_t, 2> previous{0xFFFFFFFFU, 0xFFFFFFFFU}, next{0xFFFFFFFFU, 0xFFFFFFFFU};
};

}  // namespace jostle::physics
