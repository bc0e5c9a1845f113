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
  net::LinkFaults faults;  // of each way
  match::Pace pace;
  bool is_chased = false;  // another player, over the same link, runs at the one who predicts
};

struct PredictionFigures {
  /// Between where the own body was shown and where the server came to have it at that time, m.
  Samples error_m;
  std::uint64_t updates = 0, predicted = 0;  // the latter: with a prediction shown
  std::uint64_t reruns = 0;
  Samples ticks_ahead;  // of the newest snapshot
};

struct PredictionRun {
  scene::SceneDef scene;
  std::vector<PredictionLink> links;
  std::uint64_t first_seed = 1;
  int seeds = 5;
  double minutes = 10;
  std::function<void(double)> progress;
};

/// Figures of each link: a player who predicts runs about, pushes and pulls.
base::Result<std::vector<PredictionFigures>, std::string> run_predictions(const PredictionRun& run);

}  // namespace jostle::link
