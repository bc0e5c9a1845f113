#pragma once

#include "shared/base/result.h"
#include "shared/net/faulty_link.h"
#include "shared/scene/scene.h"
#include "tools/link/samples.h"
#include "tools/match/match.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace jostle::link {

struct PredictionLink {
  std::string name;
  net::LinkFaults faults;  // faults in each direction
  match::Pace pace;
  bool is_chased = false;  // another player, over the same link, chases the player that predicts
};

struct PredictionMetrics {
  /// Distance between the shown and the server's position of the player's own body for the same
  /// time, in m.
  Samples error_m;
  std::uint64_t updates = 0, predicted = 0;  // `predicted`: updates in which a prediction was shown
  std::uint64_t rollbacks = 0;
  Samples ticks_ahead;  // number of ticks predicted beyond the newest snapshot
};

struct PredictionRun {
  scene::SceneDef scene;
  std::vector<PredictionLink> links;
  std::uint64_t first_seed = 1;
  int seeds = 5;
  double minutes = 10;
  std::function<void(double)> progress;
};

/// Measures prediction errors over each link, with a player that predicts, moves, pushes and pulls.
base::Result<std::vector<PredictionMetrics>, std::string> run_predictions(const PredictionRun& run);

}  // namespace jostle::link
