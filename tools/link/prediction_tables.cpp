#include "tools/link/prediction_run.h"
#include "tools/link/tables.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace jostle::link {
namespace {

constexpr double metres_to_mm = 1e3;
/// Pace of a client that is updated once per frame of 1/60 s, like a program that waits for its
/// display.
constexpr match::Pace once_a_frame_pace{.interval_us = 16'667, .wakes_on_arrival = false};

PredictionLink make_link(double latency_ms, double jitter_ms, double loss_percent, bool is_chased) {
  std::array<char, 96> name{};
  std::snprintf(name.data(), name.size(), "%g %%, %g ms jitter, %s", loss_percent, jitter_ms,
                is_chased ? "chased" : "alone");
  PredictionLink link;
  link.name = name.data();
  link.faults.latency_us = std::llround(latency_ms * 1e3);
  link.faults.jitter_us = std::llround(jitter_ms * 1e3);
  link.faults.loss = static_cast<float>(loss_percent * 1e-2);
  link.pace = once_a_frame_pace;
  link.is_chased = is_chased;
  return link;
}

std::vector<PredictionLink> prediction_links_of(const TableOptions& options) {
  struct Kind {
    double jitter_ms, loss_percent;
  };
  std::vector<Kind> kinds{{0, 0}, {10, 5}, {20, 10}};
  if (options.link) {
    kinds.clear();
    for (const double loss_percent : options.link->losses_percent)
      kinds.push_back({options.link->jitter_ms, loss_percent});
  }
  std::vector<PredictionLink> links;
  for (const bool is_chased : {false, true}) {
    for (const Kind& kind : kinds)
      links.push_back(make_link(options.latency_ms, kind.jitter_ms, kind.loss_percent, is_chased));
  }
  return links;
}

}  // namespace

MadeTables make_prediction_tables(const TableOptions& options) {
  PredictionRun run;
  run.scene = options.scene;
  run.links = prediction_links_of(options);
  run.first_seed = options.first_seed;
  run.seeds = options.seeds;
  run.minutes = options.minutes;
  if (options.progress) run.progress = [&](double done) { options.progress("prediction", done); };
  auto figures = run_predictions(run);
  if (!figures) return figures.error();
  std::array<char, 160> length{};
  std::snprintf(length.data(), length.size(), "Scene %s, %d × %g min, %g ms each way",
                run.scene.name.c_str(), run.seeds, run.minutes, options.latency_ms);
  Table table{
      .key = "prediction",
      .title = "Prediction of the player's own body",
      .text = std::string(length.data()) +
              ". A player with prediction moves, pushes and pulls, alone or chased by another "
              "player over the same kind of link. The error is the distance between the shown "
              "position of its own body and the server's position for the same time. Also: the "
              "number of ticks that are predicted beyond the newest snapshot, and how often the "
              "prediction starts again from a snapshot (reconciliation).",
      .columns = {{"link", "link", 0},
                  {"predicted", "share of time", 4},
                  {"ahead_ticks", "ticks ahead, mean", 1},
                  {"median_mm", "median, mm", 2},
                  {"p95_mm", "p95, mm", 2},
                  {"p99_mm", "p99, mm", 2},
                  {"reruns_per_second", "rollbacks per second", 1}},
      .rows = {}};
  for (std::size_t i = 0; i < run.links.size(); ++i) {
    PredictionMetrics& row = (*figures)[i];
    const auto updates = static_cast<double>(row.updates);
    table.rows.push_back({run.links[i].name, static_cast<double>(row.predicted) / updates,
                          row.ticks_ahead.mean(), row.error_m.median() * metres_to_mm,
                          row.error_m.quantile(0.95) * metres_to_mm,
                          row.error_m.quantile(0.99) * metres_to_mm,
                          static_cast<double>(row.rollbacks) / (run.seeds * run.minutes * 60)});
  }
  return std::vector<Table>{table};
}

}  // namespace jostle::link
