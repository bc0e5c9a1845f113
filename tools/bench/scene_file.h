#pragma once

#include "shared/scene/scene.h"
#include "tools/workload/scene.h"

namespace jostle::bench {

/// The bodies of a scene file as a workload: what its players and kinematic courses do is left out,
/// kinematic bodies stand still. Friction is that of the first body.
workload::Scene to_workload(const scene::SceneDef& def);

}  // namespace jostle::bench
