#pragma once

#include "tools/bench/detail/bullet_convert.h"
#include "tools/workload/scene.h"

#include <memory>
#include <vector>

namespace jostle::bench {

/// The constraints that together are the joint, between two bodies as they stand now. The first is
/// the one that says whether the bodies touch.
std::vector<std::unique_ptr<btTypedConstraint>> make_bullet_joint(const workload::Joint& joint,
                                                                  btRigidBody& a, btRigidBody& b,
                                                                  float step_seconds);

}  // namespace jostle::bench
