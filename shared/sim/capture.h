#pragma once

#include "shared/physics/world.h"
#include "shared/sim/body_registry.h"
#include "shared/state/snapshot.h"

namespace jostle::sim {

/// Every body that is not static, by id. One that is switched off is shown at rest where it stands.
state::Snapshot capture(const physics::World& world, const BodyRegistry& bodies, state::Tick tick);
/// Those of them that are awake.
std::vector<state::BodyState> capture_awake(const physics::World& world,
                                            const BodyRegistry& bodies);

/// Puts the bodies where they were at a share of the way from `before` to `now`, both sorted by id;
/// those that were not there, or have gone farther than `farthest` m, which no motion does, stay.
void show_between(const state::Snapshot& before, float fraction, float farthest,
                  state::Snapshot& now);

}  // namespace jostle::sim
