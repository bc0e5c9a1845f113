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

/// A link given by the user, measured instead of the links of the tables.
struct OwnLink {
  /// Losses in each direction, at least one. Each makes a separate link.
  std::vector<double> losses_percent;
  double jitter_ms = 0;
};

struct TableOptions {
  // scene of the measurements of snapshots, joins and predictions
  scene::SceneDef scene;
  std::optional<OwnLink> link;
  // networks in the syntax of --net-sim, for the tables hitches, bursts, thin and long; valid
  std::vector<std::string> networks;
  double latency_ms = 25;  // latency in each direction
  std::uint64_t first_seed = 1;
  int seeds = 5;
  double minutes = 10;
  double hours = 24;  // length of the long run of the clock
  int clients = 1;    // number of spectators per link, for the snapshot tables
  int starts = 20, joins = 20;
  /// Called repeatedly with the name of the current table and its progress, 0..1.
  std::function<void(std::string_view table, double share)> progress;
};

using MadeTables = base::Result<std::vector<Table>, std::string>;

// Each function runs its measurements and returns their tables, or a message that says what failed.
// If the user gave no link, a table of targets comes last, except for predictions, which have no
// targets.

MadeTables make_snapshot_tables(const TableOptions& options);
MadeTables make_clock_tables(const TableOptions& options);
MadeTables make_input_tables(const TableOptions& options);
MadeTables make_join_tables(const TableOptions& options);
MadeTables make_prediction_tables(const TableOptions& options);
// The next four have no targets.
MadeTables make_hitch_tables(const TableOptions& options);
MadeTables make_burst_tables(const TableOptions& options);
MadeTables make_thin_tables(const TableOptions& options);
MadeTables make_long_tables(const TableOptions& options);

/// The key of tables of targets. with_joined_targets() merges all tables with this key into one, at
/// the end.
inline constexpr std::string_view targets_key = "targets";
std::vector<Table> with_joined_targets(std::vector<Table> tables);

}  // namespace jostle::link
