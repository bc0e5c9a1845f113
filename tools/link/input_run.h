#pragma once

#include "shared/base/result.h"
#include "shared/net/faulty_link.h"
#include "tools/link/samples.h"
#include "tools/match/match.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace jostle::link {

struct InputLink {
  std::string name;
  net::LinkFaults faults;  // faults in each direction
  match::Pace pace;
  bool predicts = false;
};

struct InputFigures {
  /// Time from a press until the due time of the tick that applies it, minus the latency to the
  /// server, in ticks.
  Samples to_tick_ticks;
  /// Time from a press until the player sees its effect.
  Samples to_pose_ms;
  std::uint64_t presses = 0;
  // inputs that arrived in time, inputs that arrived too late, ticks without input
  std::uint64_t accepted = 0, late = 0, missing = 0;
};

struct InputRun {
  std::vector<InputLink> links;
  std::uint64_t first_seed = 1;
  int seeds = 5;
  double minutes = 10;
  std::function<void(double)> progress;
};

/// Measures input latency over each link. Each player has a ball at rest and pushes it at random
/// times that are independent of the tick.
base::Result<std::vector<InputFigures>, std::string> run_inputs(const InputRun& run);

}  // namespace jostle::link
