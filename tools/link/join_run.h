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
  /// From a client's start until it shows every body, ms.
  Samples joined_ms;
  std::size_t bodies = 0;  // shown then, those that never move among them
};

struct JoinRun {
  scene::SceneDef scene;
  std::vector<Link> links;
  std::uint64_t first_seed = 1;
  int seeds = 5;
  int joins = 20;  // of each link, for each seed
  std::function<void(double)> progress;
};

/// Figures of each link: spectators join one after the other while a scripted player stirs the
/// scene up.
base::Result<std::vector<JoinFigures>, std::string> run_joins(const JoinRun& run);

}  // namespace jostle::link
