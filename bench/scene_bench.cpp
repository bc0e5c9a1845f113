#include "bench/bench_scene.h"

#include <benchmark/benchmark.h>

#include <cstdint>

namespace jostle::bench {
namespace {

constexpr std::uint32_t ticks_per_run = 300;

/// Simulates the first 300 ticks (5 s) of a scene with two random players. Google Benchmark reports
/// the time of all ticks; the counter ms_per_tick is the time per tick. The other counters are
/// means over the ticks of the last iteration.
void step_scene(benchmark::State& state, const std::string& name) {
  double awake = 0, contacts = 0;
  for (auto _ : state) {
    state.PauseTiming();
    const auto simulation = start(name);
    sim::RandomInputs players(7, 2);
    awake = contacts = 0;
    state.ResumeTiming();
    for (std::uint32_t i = 0; i < ticks_per_run; ++i) {
      simulation->step(players.next(*simulation));
      awake += simulation->world().stats().awake_bodies;
      contacts += simulation->world().stats().contact_points;
    }
  }
  state.SetItemsProcessed(state.iterations() * ticks_per_run);
  state.counters["ms_per_tick"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * ticks_per_run / 1000.0,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
  state.counters["awake"] = awake / ticks_per_run;
  state.counters["contact_points"] = contacts / ticks_per_run;
}

BENCHMARK_CAPTURE(step_scene, crates, "crates")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step_scene, katamari, "katamari")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step_scene, pyramid, "pyramid")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step_scene, tower, "tower")->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(step_scene, wall, "wall")->Unit(benchmark::kMillisecond);

void hash_state(benchmark::State& state) {
  const auto simulation = start("katamari");
  simulation->step({{1}, {}});
  for (auto _ : state)
    benchmark::DoNotOptimize(simulation->hash());
}
BENCHMARK(hash_state)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace jostle::bench
