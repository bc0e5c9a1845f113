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
  net::LinkFaults faults;  // of each way
  match::Pace pace;
  bool predicts = false;
};

struct InputFigures {
  /// From a press to the moment for which the tick is due that does it, less the latency up, in
  /// ticks.
  Samples to_tick_ticks;
  /// From a press until the player sees what it did.
  Samples to_pose_ms;
  std::uint64_t presses = 0;
  std::uint64_t accepted = 0, late = 0, missing = 0;  // inputs, as the server counts them
};

struct InputRun {
  std::vector<InputLink> links;
  std::uint64_t first_seed = 1;
  int seeds = 5;
  double minutes = 10;
  std::function<void(double)> progress;
};

/// Figures of each link. Behind each sits a player, alone with a ball at rest that a push sets in
/// motion; players push at moments that know nothing of ticks.
base::Result<std::vector<InputFigures>, std::string> run_inputs(const InputRun& run);

}  // namespace jostle::link
