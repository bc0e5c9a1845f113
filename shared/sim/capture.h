#pragma once

#include "shared/physics/world.h"
#include "shared/sim/body_registry.h"
#include "shared/state/snapshot.h"

namespace jostle::sim {

/// Returns the states of all bodies that are not static, by id. A disabled body is reported asleep,
/// with zero velocity.
state::Snapshot capture(const physics::World& world, const BodyRegistry& bodies, state::Tick tick);
/// Returns the states of the bodies that are not static and awake.
std::vector<state::BodyState> capture_awake(const physics::World& world,
                                            const BodyRegistry& bodies);

/// Interpolates the poses of bodies between `before` and `now`, both sorted by id, at the share
/// `fraction` of the way. Bodies that are not in `before`, or that moved farther than `farthest` m
/// (a teleport, not motion), keep their poses.
void show_between(const state::Snapshot& before, float fraction, float farthest,
                  state::Snapshot& now);

}  // namespace jostle::sim
