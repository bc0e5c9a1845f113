#pragma once

#include "client/client.h"
#include "shared/sim/simulation.h"
#include "shared/state/label.h"
#include "shared/state/rope.h"

#include <cstddef>
#include <span>
#include <vector>

namespace jostle::replay {

/// Displayable state of a simulation after its last tick.
struct TickScene {
  std::vector<client::ShownBody> bodies;  // sorted by id; valid until the next step
  std::vector<client::ShownParticle> particles;
  std::vector<state::Rope> ropes;
  state::Labels labels;
};
TickScene scene_of(const sim::Simulation& simulation);

/// Visible difference between two runs of a scene in one tick.
struct SceneDifference {
  std::size_t bodies = 0;  // number of bodies with different poses, or missing in one of the runs
  // body whose positions in the two runs are farthest apart; null: no body has different poses
  state::BodyId farthest;
  float distance = 0;  // distance between the two positions of `farthest`, m
  // bodies of the other run that are at a visibly different pose, or missing, in the shown run;
  // sorted by id
  std::vector<client::ShownBody> ghosts;
};
SceneDifference difference_of(std::span<const client::ShownBody> shown,
                              std::span<const client::ShownBody> other);

}  // namespace jostle::replay
