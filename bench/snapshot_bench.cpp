#include "bench/bench_scene.h"
#include "protocol/quantize.h"
#include "protocol/snapshot_codec.h"
#include "server/snapshot_history.h"

#include <benchmark/benchmark.h>

#include <cstdint>
#include <vector>

namespace jostle::bench {
namespace {

constexpr std::uint32_t baseline_age_ticks = 6;

/// Returns the snapshots of ticks 121 to 240 of the scene katamari, in which two random players
/// move the cubes.
std::vector<protocol::QuantizedSnapshot> frames() {
  const auto simulation = start("katamari");
  sim::RandomInputs players(7, 2);
  std::vector<protocol::QuantizedSnapshot> made;
  for (int i = 0; i < 240; ++i) {
    simulation->step(players.next(*simulation));
    if (i >= 120) made.push_back(protocol::quantize(simulation->capture()));
  }
  return made;
}

/// Measures the encoding of snapshots. The baseline of each is the snapshot six ticks before;
/// snapshots whose body ids differ from their baseline's are skipped.
void encode_frames(benchmark::State& state) {
  const std::vector<protocol::QuantizedSnapshot> all = frames();
  std::uint64_t bytes = 0, count = 0;
  for (auto _ : state) {
    bytes = count = 0;
    for (std::size_t i = baseline_age_ticks; i < all.size(); ++i) {
      const protocol::QuantizedSnapshot& baseline = all[i - baseline_age_ticks];
      if (baseline.ids != all[i].ids) continue;
      const protocol::BaselineRun run{static_cast<std::uint32_t>(all[i].ids.size()), baseline.tick};
      const auto parts = protocol::encode_parts(
          all[i], {&run, 1},
          [&](state::BodyId id, state::Tick) { return server::find_body(baseline, id); },
          protocol::max_part_payload_bytes());
      for (const protocol::EncodedPart& part : parts)
        bytes += part.payload.size();
      ++count;
    }
  }
  state.counters["frame"] =
      benchmark::Counter(static_cast<double>(state.iterations() * count),
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["bytes_per_frame"] = static_cast<double>(bytes) / static_cast<double>(count);
}
BENCHMARK(encode_frames)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace jostle::bench
