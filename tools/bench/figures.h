#pragma once

#include "tools/bench/measurement.h"
#include "tools/workload/scene.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::bench {

/// The results of one engine on one scene. Times are in milliseconds, lengths in metres.
struct Figures {
  std::string engine, scene, simd;
  int steps = 0, threads = 1, rounds = 1;
  double mean_ms = 0, median_ms = 0, p99_ms = 0, max_ms = 0, last100_ms = 0;
  double cpu_ms = 0;  // mean over the steps, sum of all threads
  double create_ms = 0;
  int bodies = 0;  // number of dynamic bodies
  StepCounts counts;
  int below_floor = 0, outside = 0, nonfinite = 0, dropped = 0;
  double drift_max = 0;
  double travel_mean = 0;
  double joint_gap_max = 0, joint_gap_end = 0;
  double v_max = 0;             // m/s
  double y_min = 0, y_max = 0;  // m
  /// Largest gain of energy, in J and as a fraction of MotionFigures::energy_scale; null if the
  /// scene drives bodies, so that energy may grow.
  std::optional<double> energy_gain_max, energy_gain_share;
  std::size_t overlapping_pairs = 0;
  double penetration_max = 0, penetration_p99 = 0, penetration_median = 0;
  double kinetic_energy = 0;  // J
  double rss_mb = 0;          // peak resident memory of the engine's process
  double bytes_per_body = 0;  // allocated memory divided by the number of dynamic bodies
  std::uint64_t hash = 0;
  bool is_repeatable = true;  // true if all rounds, timed or not, ended with the same hash
  std::vector<std::pair<std::string, double>> stage_ms;  // mean time of each stage
};

/// Computes the figures of an engine. Times are medians over the rounds; the stage times and all
/// other figures are those of the last round. The measurement must have at least one round.
Figures summarise(const workload::Scene& scene, const Measurement& measurement,
                  const MeasureOptions& options);

/// Returns a JSON object on one line, without the newline.
std::string to_json(const Figures& figures);
/// Returns a JSON object with the quotient `ours` ÷ `peer` of each time and of the peak memory.
std::string to_json_quotients(const Figures& ours, const Figures& peer);

/// Returns a report of a few lines for the terminal.
std::string to_text(const Figures& figures);
std::string to_text_quotients(const Figures& ours, const Figures& peer);

}  // namespace jostle::bench
