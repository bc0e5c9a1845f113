#pragma once

#include "shared/base/result.h"
#include "tools/link/samples.h"
#include "tools/link/snapshot_run.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace jostle::link {

struct JoinFigures {
  /// Time from a client's start until it shows every body, in ms.
  Samples joined_ms;
  std::size_t bodies = 0;  // number of bodies shown, including static ones
};

struct JoinRun {
  scene::SceneDef scene;
  std::vector<Link> links;
  std::uint64_t first_seed = 1;
  int seeds = 5;
  int joins = 20;  // joins per link and seed
  std::function<void(double)> progress;
};

/// Measures join times over each link: spectators join one after another while a scripted player
/// moves the bodies.
base::Result<std::vector<JoinFigures>, std::string> run_joins(const JoinRun& run);

}  // namespace jostle::link
