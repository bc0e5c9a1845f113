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

/// A link with the same faults in both directions.
struct Link {
  std::string name;
  net::LinkFaults faults;
};

struct SnapshotRun {
  scene::SceneDef scene;
  std::vector<Link> links;
  int clients = 1;  // spectators per link
  std::uint64_t first_seed = 1;
  int seeds = 5;
  double minutes = 10;
  /// Called repeatedly with the progress, 0..1.
  std::function<void(double)> progress;
};

/// Measures snapshots over each link. In one match per seed, a scripted player moves the cubes over
/// a perfect link, and spectators watch over the given links. All spectators are sent the same
/// frames. The error says what failed.
base::Result<std::vector<SnapshotFigures>, std::string> run_snapshots(const SnapshotRun& run);

}  // namespace jostle::link
