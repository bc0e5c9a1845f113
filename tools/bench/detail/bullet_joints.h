#pragma once

#include "tools/bench/detail/bullet_convert.h"
#include "tools/workload/scene.h"

#include <memory>
#include <vector>

namespace jostle::bench {

/// Makes the constraints that together represent the joint, for two bodies in their current poses:
/// one, or two for a hinge or slider with a spring.
std::vector<std::unique_ptr<btTypedConstraint>> make_bullet_joint(const workload::Joint& joint,
                                                                  btRigidBody& a, btRigidBody& b,
                                                                  float step_seconds);

}  // namespace jostle::bench
