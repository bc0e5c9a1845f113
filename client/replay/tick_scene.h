#pragma once

#include "client/client.h"
#include "shared/sim/simulation.h"
#include "shared/state/cord.h"
#include "shared/state/readout.h"

#include <cstddef>
#include <span>
#include <vector>

namespace jostle::replay {

/// What there is to draw of a simulation after its last tick.
struct TickScene {
  std::vector<client::ShownBody> bodies;  // by id; valid until the next step
  std::vector<client::ShownParticle> particles;
  std::vector<state::Cord> cords;
  state::Readouts readouts;
};
TickScene scene_of(const sim::Simulation& simulation);

/// How two runs of a scene differ in one tick, as far as it can be seen.
struct SceneDifference {
  std::size_t bodies = 0;  // whose poses differ, by however little, or that one lacks
  state::BodyId farthest;  // null: none
  float distance = 0;      // m, between its centres
  std::vector<client::ShownBody> ghosts;  // bodies of the other that are visibly elsewhere, by id
};
SceneDifference difference_of(std::span<const client::ShownBody> shown,
                              std::span<const client::ShownBody> other);

}  // namespace jostle::replay
