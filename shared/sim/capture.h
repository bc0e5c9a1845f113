#pragma once

#include "shared/physics/world.h"
#include "shared/sim/body_registry.h"
#include "shared/state/snapshot.h"

namespace jostle::sim {

/// Every body that is not static, by id.
state::Snapshot capture(const physics::World& world, const BodyRegistry& bodies, state::Tick tick);

}  // namespace jostle::sim
