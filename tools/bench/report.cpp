#include "tools/bench/figures.h"
#include "tools/bench/json_object.h"

#include <array>
#include <cmath>
#include <cstdio>

namespace jostle::bench {
namespace {

constexpr int json_digits = 6;

std::string hex(std::uint64_t value) {
  std::array<char, 20> digits{};
  std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(value));
  return digits.data();
}

double quotient(double a, double b) {
  return b > 0 ? a / b : std::nan("");
}

template <typename... Values>
std::string format(const char* pattern, Values... values) {
  std::array<char, 512> line{};
  std::snprintf(line.data(), line.size(), pattern, values...);
  return line.data();
}

std::string energy_text(const Figures& f) {
  if (!f.energy_gain_max) return "not measured (bodies are driven)";
  return format("%.3g J (%.2g %%)", *f.energy_gain_max, 100 * f.energy_gain_share.value_or(0));
}

}  // namespace

std::string to_json(const Figures& f) {
  JsonObject json(json_digits);
  json.add("engine", f.engine);
  json.add("scene", f.scene);
  json.add("steps", static_cast<long long>(f.steps));
  json.add("rounds", static_cast<long long>(f.rounds));
  json.add("threads", static_cast<long long>(f.threads));
  json.add("simd", f.simd);
  json.add("mean_ms", f.mean_ms);
  json.add("median_ms", f.median_ms);
  json.add("p99_ms", f.p99_ms);
  json.add("max_ms", f.max_ms);
  json.add("last100_ms", f.last100_ms);
  json.add("cpu_ms", f.cpu_ms);
  json.add("create_ms", f.create_ms);
  json.add("bodies", static_cast<long long>(f.bodies));
  json.add("awake", static_cast<long long>(f.counts.awake));
  json.add("pairs", static_cast<long long>(f.counts.touching_pairs));
  json.add("points", static_cast<long long>(f.counts.contact_points));
  json.add("below_floor", static_cast<long long>(f.below_floor));
  json.add("outside", static_cast<long long>(f.outside));
  json.add("nonfinite", static_cast<long long>(f.nonfinite));
  json.add("drift_max", f.drift_max);
  json.add("travel_mean", f.travel_mean);
  json.add("dropped", static_cast<long long>(f.dropped));
  json.add("joint_gap_max", f.joint_gap_max);
  json.add("joint_gap_end", f.joint_gap_end);
  json.add("v_max", f.v_max);
  json.add("y_min", f.y_min);
  json.add("y_max", f.y_max);
  json.add("energy_gain_max", f.energy_gain_max.value_or(std::nan("")));
  json.add("energy_gain_share", f.energy_gain_share.value_or(std::nan("")));
  json.add("overlapping_pairs", static_cast<long long>(f.overlapping_pairs));
  json.add("penetration_max", f.penetration_max);
  json.add("penetration_p99", f.penetration_p99);
  json.add("penetration_median", f.penetration_median);
  json.add("kinetic_energy", f.kinetic_energy);
  json.add("rss_mb", f.rss_mb);
  json.add("bytes_per_body", f.bytes_per_body);
  json.add("hash", hex(f.hash));
  json.add("repeatable", f.is_repeatable ? 1LL : 0LL);
  JsonObject stages(json_digits);
  for (const auto& [name, ms] : f.stage_ms)
    stages.add(name, ms);
  json.add_object("stage_ms", stages.finish());
  return json.finish();
}

std::string to_json_quotients(const Figures& ours, const Figures& peer) {
  JsonObject json(json_digits);
  json.add("quotient", ours.engine + "/" + peer.engine);
  json.add("scene", ours.scene);
  json.add("mean_ms", quotient(ours.mean_ms, peer.mean_ms));
  json.add("median_ms", quotient(ours.median_ms, peer.median_ms));
  json.add("p99_ms", quotient(ours.p99_ms, peer.p99_ms));
  json.add("max_ms", quotient(ours.max_ms, peer.max_ms));
  json.add("last100_ms", quotient(ours.last100_ms, peer.last100_ms));
  json.add("cpu_ms", quotient(ours.cpu_ms, peer.cpu_ms));
  json.add("create_ms", quotient(ours.create_ms, peer.create_ms));
  json.add("rss_mb", quotient(ours.rss_mb, peer.rss_mb));
  return json.finish();
}

std::string to_text(const Figures& f) {
  std::string text;
  text += format("%s on %s: %d steps, %d thread%s, simd %s, medians of %d\n", f.engine.c_str(),
                 f.scene.c_str(), f.steps, f.threads, f.threads == 1 ? "" : "s", f.simd.c_str(),
                 f.rounds);
  text += format(
      "  ms per step   mean %.3f  median %.3f  p99 %.3f  max %.3f  last 100 %.3f  cpu %.3f\n",
      f.mean_ms, f.median_ms, f.p99_ms, f.max_ms, f.last100_ms, f.cpu_ms);
  text += format("  creation      %.1f ms; peak memory %.1f MB, %.0f bytes per body\n", f.create_ms,
                 f.rss_mb, f.bytes_per_body);
  text += format(
      "  at the end    %d bodies, %u awake, %u touching pairs, %u contact points, hash %s%s\n",
      f.bodies, f.counts.awake, f.counts.touching_pairs, f.counts.contact_points,
      hex(f.hash).c_str(), f.is_repeatable ? "" : " (the hashes of the rounds differ)");
  text += format("  lost          %d below the floor, %d outside, %d non-finite\n", f.below_floor,
                 f.outside, f.nonfinite);
  text += format(
      "  moved         drift at most %.4f m, mean %.4f m along the ground, %d dropped, kinetic "
      "energy %.3g J\n",
      f.drift_max, f.travel_mean, f.dropped, f.kinetic_energy);
  text += format("  extremes      speed %.2f m/s, height %.3f to %.3f m, energy gain %s\n", f.v_max,
                 f.y_min, f.y_max, energy_text(f).c_str());
  text += format(
      "  penetration   deepest %.4f m, p99 %.4f m, median %.4f m, in %zu overlapping pairs\n",
      f.penetration_max, f.penetration_p99, f.penetration_median, f.overlapping_pairs);
  if (f.joint_gap_max > 0) {
    text += format("  joint gaps    at most %.4f m, at the end %.4f m\n", f.joint_gap_max,
                   f.joint_gap_end);
  }
  for (const auto& [name, ms] : f.stage_ms)
    text += format("  %-24s %8.3f ms\n", name.c_str(), ms);
  return text;
}

std::string to_text_quotients(const Figures& ours, const Figures& peer) {
  return format(
      "%s / %s on %s: mean %.3f  median %.3f  p99 %.3f  last 100 %.3f  cpu %.3f  creation %.3f\n",
      ours.engine.c_str(), peer.engine.c_str(), ours.scene.c_str(),
      quotient(ours.mean_ms, peer.mean_ms), quotient(ours.median_ms, peer.median_ms),
      quotient(ours.p99_ms, peer.p99_ms), quotient(ours.last100_ms, peer.last100_ms),
      quotient(ours.cpu_ms, peer.cpu_ms), quotient(ours.create_ms, peer.create_ms));
}

}  // namespace jostle::bench
