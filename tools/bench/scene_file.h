#pragma once

#include "shared/scene/scene.h"
#include "tools/rig/rig.h"
#include "tools/workload/scene.h"

namespace jostle::bench {

/// Whether a workload can say all that the scene does: the other engines are not set up with joints
/// of the kinds from Wheel on, nor with bungees.
bool has_workload(const scene::SceneDef& def);

/// All of a scene file but its players as a workload, for the checker and for other engines. Body i
/// of one is body i of the other; the steps are those of the stock tick rate. Contract:
/// has_workload.
workload::Scene to_workload(const scene::SceneDef& def);

/// The same in our own engine, by the functions by which the server sets it up: the world of a
/// sim::Simulation of the file at its start, to the bit, courses and pushes apart (workload::act).
rig::Rig set_up(const scene::SceneDef& def, const physics::Execution& execution);

}  // namespace jostle::bench
