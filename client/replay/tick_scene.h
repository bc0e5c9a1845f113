#pragma once

#include "client/client.h"
#include "shared/sim/simulation.h"
#include "shared/state/label.h"
#include "shared/state/rope.h"

#include <cstddef>
#include <span>
#include <vector>

namespace jostle::replay {

/// Everything to draw of a simulation after its last tick.
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
  state::BodyId farthest;  // null if there is none
  float distance = 0;      // between the centres of the farthest body, m
  // bodies of the other run that are visibly elsewhere, by id
  std::vector<client::ShownBody> ghosts;
};
SceneDifference difference_of(std::span<const client::ShownBody> shown,
                              std::span<const client::ShownBody> other);

}  // namespace jostle::replay
