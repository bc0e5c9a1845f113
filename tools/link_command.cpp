#include "shared/base/counted.h"
#include "shared/command_line/command_line.h"
#include "shared/net/network_conditions.h"
#include "shared/net/system_io.h"
#include "shared/program_options/program_options.h"
#include "shared/scene_files/scene_files.h"
#include "tools/bench/json_object.h"
#include "tools/commands.h"
#include "tools/link/tables.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::tools {
namespace {

struct Maker {
  std::string name;
  link::MadeTables (*make)(const link::TableOptions& options);
  bool is_default = true;  // false: made only if it is named
};
const std::vector<Maker>& makers() {
  static const std::vector<Maker> all{
      {"snapshots", link::make_snapshot_tables},    {"clock", link::make_clock_tables},
      {"inputs", link::make_input_tables},          {"joins", link::make_join_tables},
      {"prediction", link::make_prediction_tables}, {"hitches", link::make_hitch_tables, false},
      {"bursts", link::make_burst_tables, false},   {"thin", link::make_thin_tables, false},
      {"long", link::make_long_tables, false}};
  return all;
}

/// The options of `bench link`. Options that are not given have the values of the tables in
/// docs/NETCODE.md, or small values with --quick.
struct LinkBench {
  std::vector<std::string> tables;  // empty: the default ones
  std::string scene = "katamari";
  std::vector<double> losses_percent;
  std::vector<std::string> networks;
  std::optional<double> jitter_ms, minutes, hours;
  std::optional<int> seeds;
  double latency_ms = 25;
  int clients = 1;
  std::uint64_t seed = 1;
  bool is_quick = false, as_json = false;
};

constexpr int quick_seeds = 1, quick_starts = 3, quick_joins = 2;
constexpr double quick_minutes = 0.25, quick_hours = 0.05;
/// Maximum number of spectators over all links. The server of a match has 32 peers.
constexpr int max_spectators = 28;

constexpr Failure fail{"bench link"};

link::TableOptions to_table_options(const LinkBench& bench, scene::SceneDef scene) {
  link::TableOptions options;
  options.scene = std::move(scene);
  options.latency_ms = bench.latency_ms;
  options.first_seed = bench.seed;
  options.clients = bench.clients;
  options.networks = bench.networks;
  if (bench.is_quick) {
    options.seeds = quick_seeds;
    options.minutes = quick_minutes;
    options.hours = quick_hours;
    options.starts = quick_starts;
    options.joins = quick_joins;
  }
  options.seeds = bench.seeds.value_or(options.seeds);
  options.minutes = bench.minutes.value_or(options.minutes);
  options.hours = bench.hours.value_or(options.hours);
  if (!bench.losses_percent.empty() || bench.jitter_ms) {
    options.link = link::OwnLink{bench.losses_percent, bench.jitter_ms.value_or(0)};
    if (options.link->losses_percent.empty()) options.link->losses_percent = {0};
  }
  // Print progress in steps of 10 %.
  options.progress = [last = std::pair<std::string, int>()](std::string_view table,
                                                            double share) mutable {
    const std::pair<std::string, int> now(table, static_cast<int>(share * 10));
    if (now == last) return;
    last = now;
    std::fprintf(stderr, "jostle bench link: %s %d %%\n", now.first.c_str(), now.second * 10);
  };
  return options;
}

void print(const std::vector<link::Table>& tables, bool as_json) {
  std::string text;
  if (as_json) {
    bench::JsonObject json(6);
    for (const link::Table& table : tables)
      json.add_object(table.key, to_json(table));
    text = json.finish() + "\n";
  } else {
    for (const link::Table& table : tables)
      text += (text.empty() ? "" : "\n") + to_markdown(table);
  }
  std::fputs(text.c_str(), stdout);
}

int run_link_bench(const LinkBench& bench) {
  const auto links = static_cast<int>(std::max<std::size_t>(bench.losses_percent.size() + 1, 7));
  if (links * bench.clients > max_spectators) {
    return fail("--clients: " + base::counted(bench.clients, "client") + " on each of " +
                    std::to_string(links) + " links are " + std::to_string(links * bench.clients) +
                    "; at most " + std::to_string(max_spectators) + " are possible",
                exit_bad_input);
  }
  net::SystemIo io;
  auto scene = scene::load_scene(io, bench.scene);
  if (!scene) return fail(scene.error(), exit_bad_input);
  if (scene->spawns.empty()) {
    return fail("scene '" + scene->name + "' has no spawns: choose a scene that players can join",
                exit_bad_input);
  }
  const link::TableOptions options = to_table_options(bench, *std::move(scene));
  std::vector<link::Table> tables;
  for (const Maker& maker : makers()) {
    const auto& wanted = bench.tables;
    const bool is_named = std::find(wanted.begin(), wanted.end(), maker.name) != wanted.end();
    if (!is_named && !(wanted.empty() && maker.is_default)) continue;
    auto made = maker.make(options);
    if (!made) return fail(maker.name + ": " + made.error(), exit_differs);
    tables.insert(tables.end(), made->begin(), made->end());
  }
  print(link::with_joined_targets(std::move(tables)), bench.as_json);
  return exit_ok;
}

void add_link_options(command_line::App command, LinkBench& bench) {
  command
      .add_option("--loss", bench.losses_percent,
                  "Measure a link with this loss of datagrams in each direction, in percent; "
                  "several values measure several links")
      .check(command_line::in_range(0.0, 90.0))
      .type_name("PERCENT");
  command
      .add_option("--jitter", bench.jitter_ms,
                  "Measure a link with this maximum jitter in each direction")
      .check(command_line::in_range(0.0, 1'000.0))
      .type_name("MS");
  command
      .add_option("--latency", bench.latency_ms,
                  "Latency in each direction; joins use it only with --loss or --jitter")
      .check(command_line::in_range(0.0, 1'000.0))
      .type_name("MS")
      .capture_default_str();
  command
      .add_option("--net-sim", bench.networks,
                  "Measure this network in the tables hitches, bursts, thin and long, instead of "
                  "theirs; several values measure several networks")
      .check(net::net_sim_fault)
      .type_name("SETTINGS");
}

}  // namespace

Command add_link_bench(command_line::App app) {
  auto bench = std::make_shared<LinkBench>();
  command_line::App command = app.add_subcommand(
      "link",
      "Simulate play over bad networks in virtual time and measure snapshots, "
      "clocks, inputs, joins, prediction, hitches and narrow, bursty or long links "
      "(docs/NETCODE.md)");
  std::vector<std::string> names;
  for (const Maker& maker : makers())
    names.push_back(maker.name);
  command
      .add_option("--table", bench->tables,
                  "Tables to produce; default: all but hitches, bursts, thin and long")
      .check(command_line::one_of(names));
  add_link_options(command, *bench);
  command.add_option("--minutes", bench->minutes, "Length of each run in minutes; default: 10")
      .check(command_line::in_range(0.05, 1'000.0));
  command
      .add_option("--hours", bench->hours, "Duration of the long clock run in hours; default: 24")
      .check(command_line::in_range(0.01, 1'000.0));
  command.add_option("--seeds", bench->seeds, "Number of runs, with consecutive seeds; default: 5")
      .check(command_line::in_range(1, 1'000));
  program_options::add_seed(command, bench->seed, "The first seed");
  command
      .add_option("--clients", bench->clients,
                  "Number of spectators per link in the table snapshots")
      .check(command_line::in_range(1, 4))
      .capture_default_str();
  command.add_option("--scene", bench->scene, "Scene for the tables snapshots and joins")
      .capture_default_str();
  command.add_flag("--quick", bench->is_quick,
                   "Short runs of some seconds: most figures are not meaningful");
  command.add_flag("--json", bench->as_json, "Print one line of JSON");
  return [bench] { return run_link_bench(*bench); };
}

}  // namespace jostle::tools
