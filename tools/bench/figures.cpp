#include "tools/bench/figures.h"

#include "shared/base/assert.h"
#include "tools/check/penetration.h"
#include "tools/check/quality.h"

#include <algorithm>
#include <numeric>

namespace jostle::bench {
namespace {

constexpr std::size_t last_steps = 100;
constexpr double bytes_per_mb = 1024.0 * 1024.0;

double mean_of(std::span<const float> values) {
  return values.empty() ? 0
                        : std::accumulate(values.begin(), values.end(), 0.0) /
                              static_cast<double>(values.size());
}

/// Returns the percentile `percent` (0 to 100) of the values, or 0 if there are none.
double percentile(std::vector<float> values, std::size_t percent) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return static_cast<double>(values[(values.size() - 1) * percent / 100]);
}

template <typename Value>
double median_over(const std::vector<Round>& rounds, Value&& value) {
  std::vector<double> values;
  values.reserve(rounds.size());
  for (const Round& round : rounds)
    values.push_back(value(round));
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

void add_times(const std::vector<Round>& rounds, Figures& figures) {
  figures.mean_ms = median_over(rounds, [](const Round& r) { return mean_of(r.step_ms); });
  figures.median_ms = median_over(rounds, [](const Round& r) { return percentile(r.step_ms, 50); });
  figures.p99_ms = median_over(rounds, [](const Round& r) { return percentile(r.step_ms, 99); });
  figures.max_ms = median_over(rounds, [](const Round& r) { return percentile(r.step_ms, 100); });
  figures.last100_ms = median_over(rounds, [](const Round& r) {
    const std::size_t count = std::min(r.step_ms.size(), last_steps);
    return mean_of(std::span(r.step_ms).last(count));
  });
  figures.cpu_ms = median_over(rounds, [](const Round& r) { return r.cpu_ms; });
  figures.create_ms = median_over(rounds, [](const Round& r) { return r.create_ms; });
  const Round& last = rounds.back();
  for (std::size_t i = 0; i < last.stage_names.size(); ++i)
    figures.stage_ms.emplace_back(last.stage_names[i], static_cast<double>(last.stage_ms[i]));
}

void add_motion(const workload::Scene& scene, const Observation& observed, Figures& figures) {
  figures.joint_gap_max = observed.joint_gap_max;
  figures.v_max = observed.motion.speed_max;
  figures.y_min = observed.motion.y_min;
  figures.y_max = observed.motion.y_max;
  if (!check::conserves_energy(scene)) return;
  figures.energy_gain_max = observed.motion.energy_gain_max;
  figures.energy_gain_share = observed.motion.energy_gain_share();
}

}  // namespace

Figures summarise(const workload::Scene& scene, const Measurement& measurement,
                  const MeasureOptions& options) {
  JOSTLE_ASSERT(!measurement.rounds.empty());
  const Round& last = measurement.rounds.back();
  Figures figures;
  figures.engine = measurement.engine;
  figures.scene = scene.name;
  figures.simd = last.simd;
  figures.threads = options.settings.threads;
  figures.steps = static_cast<int>(last.step_ms.size());
  figures.rounds = static_cast<int>(measurement.rounds.size());
  add_times(measurement.rounds, figures);
  figures.counts = last.counts;
  figures.hash = last.hash;
  figures.is_repeatable = measurement.observation.hash == last.hash;
  for (const Round& round : measurement.rounds)
    figures.is_repeatable = figures.is_repeatable && round.hash == last.hash;
  figures.rss_mb = static_cast<double>(last.peak_bytes) / bytes_per_mb;

  const check::Quality quality = check::measure_quality(scene, last.states);
  figures.bodies = quality.dynamic_bodies;
  figures.bytes_per_body = static_cast<double>(last.scene_bytes) / std::max(figures.bodies, 1);
  figures.below_floor = quality.below_floor;
  figures.outside = quality.outside;
  figures.nonfinite = quality.nonfinite;
  figures.dropped = quality.dropped;
  figures.drift_max = quality.drift_max;
  figures.travel_mean = quality.travel_mean;
  figures.kinetic_energy = quality.kinetic_energy;
  add_motion(scene, measurement.observation, figures);
  figures.joint_gap_end = check::measure_joint_gaps(scene, last.states).largest;
  const check::Penetrations penetrations = check::measure_penetrations(scene, last.states);
  figures.overlapping_pairs = penetrations.pairs;
  figures.penetration_max = penetrations.deepest;
  figures.penetration_p99 = penetrations.p99;
  figures.penetration_median = penetrations.median;
  return figures;
}

}  // namespace jostle::bench
