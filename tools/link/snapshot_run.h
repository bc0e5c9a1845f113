#pragma once

#include "shared/base/result.h"
#include "shared/net/faulty_link.h"
#include "shared/scene/scene.h"
#include "tools/link/snapshot_watch.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace jostle::link {

/// A kind of link: the same faults in both directions.
struct Link {
  std::string name;
  net::LinkFaults faults;
};

struct SnapshotRun {
  scene::SceneDef scene;  // 900 cubes and the player's
  std::vector<Link> links;
  int clients = 1;  // behind each link
  std::uint64_t first_seed = 1;
  int seeds = 5;
  double minutes = 10;
  /// Called as it goes on, in 0..1.
  std::function<void(double)> progress;
};

/// Figures of each link. In one match for each seed a scripted player stirs the cubes up over a
/// perfect link, and spectators look on over the links that are asked for: all are sent the same
/// frames. The error says what did not come about.
base::Result<std::vector<SnapshotFigures>, std::string> run_snapshots(const SnapshotRun& run);

}  // namespace jostle::link
