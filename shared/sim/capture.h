#pragma once

#include "shared/physics/world.h"
#include "shared/sim/body_registry.h"
#include "shared/state/snapshot.h"

namespace jostle::sim {

/// Returns the states of all bodies that are not static, sorted by id. A disabled body is reported
/// asleep, with zero velocity.
state::Snapshot capture(const physics::World& world, const BodyRegistry& bodies, state::Tick tick);
/// Returns the states of all awake bodies that are not static, sorted by id.
std::vector<state::BodyState> capture_awake(const physics::World& world,
                                            const BodyRegistry& bodies);

/// Interpolates the poses in `now` between `before` (`fraction` = 0) and `now` (`fraction` = 1).
/// Both are sorted by id. Bodies that are not in `before`, or that moved farther than `farthest` m
/// (a teleport, not motion), keep their poses.
void show_between(const state::Snapshot& before, float fraction, float farthest,
                  state::Snapshot& now);

}  // namespace jostle::sim
