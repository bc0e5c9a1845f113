#pragma once

#include "shared/scene/scene.h"
#include "tools/rig/rig.h"
#include "tools/workload/scene.h"

namespace jostle::bench {

/// Returns true if a workload can represent all joints of the scene: ball, hinge, slider, fixed and
/// distance joints that are not `tension_only`. Other engines have no equivalent of the other
/// kinds.
bool has_workload(const scene::SceneDef& def);

/// Converts a scene file to a workload for the checker and other engines. The workload has no
/// players, force fields or particles. Bodies have the same indices as in the scene file. A step is
/// one tick at the default tick rate. Contract: has_workload(def).
workload::Scene to_workload(const scene::SceneDef& def);

/// Creates the scene file's world in jostle's engine, with the functions that the server uses. The
/// world equals that of a new sim::Simulation of the file bit for bit. Kinematic motions and pushes
/// are not included; workload::act() applies them.
rig::Rig set_up(const scene::SceneDef& def, const physics::Execution& execution);

}  // namespace jostle::bench
