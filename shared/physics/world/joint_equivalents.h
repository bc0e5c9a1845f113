#pragma once

#include "shared/physics/joint.h"

#include <optional>

namespace jostle::physics {

struct JointRecord;

// Six-DOF joints that constrain like a simpler kind are solved as that kind: as a block of vector
// constraints, and in trees (stabilizers/articulations/joint_trees.h), which hold any load. Locked
// axes are then as rigid as those of a fixed joint.

/// Returns the simpler joint with the same constraints as a six-DOF joint, or nothing if there is
/// none. An axis with equal limits counts as locked. The locked angles of a hinge and of a
/// universal joint must be locked at 0.
///
///   translations   rotations                      kind
///   all locked     all locked                     Fixed
///   all locked     all free                       Ball
///   all locked     one free or limited            Hinge about this axis
///   all locked     two free                       universal_joint (detail/joint_record.h)
///   one free or limited     all locked            Slider along this axis
///
/// The free axis of a hinge or slider may have a spring or a motor, but no friction.
std::optional<JointDef> equivalent_joint(const JointDef& def);

/// Sets JointRecord::equivalent.
void find_equivalent(JointRecord& joint);
/// The way in which a joint is solved.
struct JointSolution {
  JointKind kind = JointKind::Ball;
  bool has_coordinates = false;

  bool operator==(const JointSolution&) const = default;
};
JointSolution solution_of(const JointRecord& joint);

/// Calls find_equivalent and updates the state of the coordinates after a change of
/// JointRecord::def. `before` is the solution before the change. Returns true if the joint is
/// solved in another way now; the impulses of a six-DOF joint are then cleared.
bool fit_joint(JointRecord& joint, const JointSolution& before);

}  // namespace jostle::physics
