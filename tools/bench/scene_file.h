#pragma once

#include "shared/scene/scene.h"
#include "tools/rig/rig.h"
#include "tools/workload/scene.h"

namespace jostle::bench {

/// Returns true if a workload can represent the whole scene. Other engines have no joints of the
/// kinds from Wheel on, and no ropes that only pull.
bool has_workload(const scene::SceneDef& def);

/// Converts a scene file to a workload, without its players, for the checker and other engines.
/// Body indices are the same in both. The steps have the length of the default tick rate.
/// Precondition: has_workload(def).
workload::Scene to_workload(const scene::SceneDef& def);

/// Sets the scene file up in our own engine, with the functions that the server uses. The world
/// equals that of a new sim::Simulation of the file bit for bit. Courses and pushes are not
/// included (workload::act).
rig::Rig set_up(const scene::SceneDef& def, const physics::Execution& execution);

}  // namespace jostle::bench
