#include "tools/bench/suite.h"

#include "tools/bench/json_object.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <vector>

namespace jostle::bench {
namespace {

constexpr int summary_digits = 6;

/// Accumulates a geometric mean.
class GeometricMean {
 public:
  void add(double value) {
    if (!(value > 0) || !std::isfinite(value)) return;
    sum_ += std::log(value);
    ++count_;
  }
  double value() const { return count_ > 0 ? std::exp(sum_ / count_) : std::nan(""); }

 private:
  double sum_ = 0;
  int count_ = 0;
};

template <typename... Values>
std::string print_line(const char* pattern, Values... values) {
  std::array<char, 512> line{};
  std::snprintf(line.data(), line.size(), pattern, values...);
  return line.data();
}

/// Returns the name of the peer, or null if no row has one.
const std::string* find_peer(std::span<const SuiteRow> rows) {
  const auto row = std::ranges::find_if(rows, [](const SuiteRow& r) { return r.peer.has_value(); });
  return row == rows.end() ? nullptr : &row->peer->engine;
}

double mean_quotient(const SuiteRow& row) {
  return row.peer && row.peer->mean_ms > 0 ? row.ours.mean_ms / row.peer->mean_ms : 0;
}

double p99_quotient(const SuiteRow& row) {
  return row.peer && row.peer->p99_ms > 0 ? row.ours.p99_ms / row.peer->p99_ms : 0;
}

}  // namespace

SuiteMeans means_of(std::span<const SuiteRow> rows) {
  GeometricMean mean, p99, mean_quotients, p99_quotients;
  for (const SuiteRow& row : rows) {
    mean.add(row.ours.mean_ms);
    p99.add(row.ours.p99_ms);
    mean_quotients.add(mean_quotient(row));
    p99_quotients.add(p99_quotient(row));
  }
  return {mean.value(), p99.value(), mean_quotients.value(), p99_quotients.value()};
}

std::string to_text_line(const Figures& f) {
  std::string line = print_line(
      "%-26s %-7s mean %8.3f  p99 %8.3f  cpu %8.3f ms  v_max %7.2f m/s  y %7.2f to %7.2f m  "
      "deepest %.4f m",
      f.scene.c_str(), f.engine.c_str(), f.mean_ms, f.p99_ms, f.cpu_ms, f.v_max, f.y_min, f.y_max,
      f.penetration_max);
  if (f.energy_gain_share) line += print_line("  gain %.2g %%", 100 * *f.energy_gain_share);
  if (f.joint_gap_max > 0) line += print_line("  joints %.4f m", f.joint_gap_max);
  if (f.below_floor + f.outside + f.nonfinite > 0) {
    line += print_line("  lost %d below the floor, %d outside, %d non-finite", f.below_floor,
                       f.outside, f.nonfinite);
  }
  if (!f.is_repeatable) line += "  the hashes of the rounds differ";
  return line;
}

std::string to_text_summary(const std::string& suite, std::uint32_t seed,
                            std::span<const SuiteRow> rows) {
  const SuiteMeans means = means_of(rows);
  std::string text = print_line(
      "%s suite, seed %u: geometric means over %zu scenes: mean %.3f ms, "
      "p99 %.3f ms\n",
      suite.c_str(), seed, rows.size(), means.mean_ms, means.p99_ms);
  const std::string* const peer = find_peer(rows);
  if (peer == nullptr) return text;
  text += print_line("%s / %s: mean %.3f, p99 %.3f; the highest quotients first:\n",
                     rows.front().ours.engine.c_str(), peer->c_str(), means.mean_quotient,
                     means.p99_quotient);
  std::vector<SuiteRow> sorted(rows.begin(), rows.end());
  std::ranges::stable_sort(sorted, std::ranges::greater{}, mean_quotient);
  for (const SuiteRow& row : sorted) {
    text += print_line("  %-26s mean %.3f  p99 %.3f\n", row.ours.scene.c_str(), mean_quotient(row),
                       p99_quotient(row));
  }
  return text;
}

std::string to_json_summary(const std::string& suite, std::uint32_t seed,
                            std::span<const SuiteRow> rows) {
  const SuiteMeans means = means_of(rows);
  JsonObject json(summary_digits);
  json.add("suite", suite);
  json.add("seed", static_cast<long long>(seed));
  json.add("scenes", static_cast<long long>(rows.size()));
  json.add("mean_ms", means.mean_ms);
  json.add("p99_ms", means.p99_ms);
  if (const std::string* const peer = find_peer(rows)) {
    json.add("quotient", rows.front().ours.engine + "/" + *peer);
    json.add("mean_quotient", means.mean_quotient);
    json.add("p99_quotient", means.p99_quotient);
  }
  return json.finish();
}

}  // namespace jostle::bench
