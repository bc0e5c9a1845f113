#pragma once

#include "shared/base/result.h"
#include "shared/scene/scene.h"
#include "tools/link/table.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::link {

/// A link of one's own: measured instead of those of the tables.
struct OwnLink {
  std::vector<double> losses_percent;  // each way, at least one; each is a link of its own
  double jitter_ms = 0;
};

struct TableOptions {
  scene::SceneDef scene;  // of the snapshots and the joins: 900 cubes and the player's
  std::optional<OwnLink> link;
  double latency_ms = 25;  // each way
  std::uint64_t first_seed = 1;
  int seeds = 5;
  double minutes = 10;
  double hours = 24;  // of the long run of the clock
  int clients = 1;    // behind each link of the snapshots
  int starts = 20, joins = 20;
  /// What is being done and how far it has come, 0..1.
  std::function<void(std::string_view table, double share)> progress;
};

using MadeTables = base::Result<std::vector<Table>, std::string>;

// Each measures and makes its tables; the error says what did not come about. The last table of
// each holds the targets that it can be held to, and is missing for a link of one's own.

MadeTables make_snapshot_tables(const TableOptions& options);
MadeTables make_clock_tables(const TableOptions& options);
MadeTables make_input_tables(const TableOptions& options);
MadeTables make_join_tables(const TableOptions& options);
MadeTables make_prediction_tables(const TableOptions& options);

/// One table of all rows of the tables with this key.
inline constexpr std::string_view targets_key = "targets";
std::vector<Table> with_joined_targets(std::vector<Table> tables);

}  // namespace jostle::link
