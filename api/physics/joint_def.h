#pragma once

#include "api/base/definition.h"
#include "shared/physics/joint.h"

#include <jostle/physics/joints.h>

namespace jostle::api {

template <>
jostle_joint_def default_of();

/// Returns the definition for the engine; refuses invalid values. Does not check the bodies.
physics::JointDef checked_joint(const jostle_joint_def& def);
/// Returns the details alone, the fields of `def` from `ratio` on, for a joint of this kind.
physics::JointDetails checked_details(const jostle_joint_def& def, physics::JointKind kind);
physics::JointAxisDef checked_axis(const jostle_joint_axis& axis, std::size_t index);
physics::JointLimits checked_limits(const jostle_joint_limits& limits);
physics::JointCone checked_cone(const jostle_joint_cone& cone);
physics::JointSpring checked_spring(const jostle_joint_spring& spring);
physics::JointMotor checked_motor(const jostle_joint_motor& motor, physics::JointKind kind);

jostle_joint_def joint_def_of(const physics::JointDef& joint);

/// Refuses a definition that violates a condition which the checks of single values do not cover.
void require_valid(const physics::JointDef& joint);

}  // namespace jostle::api
