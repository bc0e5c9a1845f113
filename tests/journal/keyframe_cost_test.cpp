// Measures what a keyframe costs a tick. To run it:
// test_journal --gtest_also_run_disabled_tests --gtest_filter='*KeyframeOf10000Bodies'
#include "shared/journal/writer_thread.h"
#include "tests/journal/journal_run.h"

#include <time.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

namespace jostle::journal {
namespace {

constexpr const char* grid = R"({
  "name": "grid",
  "bodies": [ { "name": "ground", "motion_type": "static", "shape": { "plane": {} } } ],
  "templates": [ { "name": "crate", "shape": { "box": { "size": [0.8, 0.8, 0.8] } } } ],
  "generators": [ { "kind": "grid", "counts": [100, 1, 100], "spacing": [1, 1, 1],
                    "position": [0, 0.4, 0], "body": { "template": "crate" } } ],
  "spawns": [ { "position": [0, 2, 0] } ]
})";

/// Returns the CPU time of this thread, so that other programs do not count.
double cpu_ms() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) * 1e-6;
}

TEST(KeyframeCost, DISABLED_KeyframeOf10000Bodies) {
  MemoryFiles files;
  WriterThread writer;
  sim::Simulation simulation(scene::parse_scene(grid, "grid.scene.json").value(),
                             sim::SimulationOptions{60, 7}, sim::default_rules());
  Journal journal(files, writer, journal_options(), record::rule_names(sim::default_rules()));
  ASSERT_EQ(journal.begin(simulation, "grid.scene.json"), "");
  std::vector<double> keyframes_ms, others_ms, hashes_ms;
  while (keyframes_ms.size() < 5) {
    state::TickCommands commands;
    commands.tick = simulation.tick() + 1;
    simulation.step(commands);
    const double before_hash_ms = cpu_ms();
    const record::TickHash hash = record::tick_hash_of(simulation.hash());
    const double begin_ms = cpu_ms();
    journal.add_tick(commands, simulation, {}, hash);
    const double ms = cpu_ms() - begin_ms;
    hashes_ms.push_back(begin_ms - before_hash_ms);
    const bool is_keyframe = commands.tick.number % record::ticks_per_block == 0;
    (is_keyframe ? keyframes_ms : others_ms).push_back(ms);
    // The writer has 10 s for a keyframe.
    if (is_keyframe) std::this_thread::sleep_for(std::chrono::milliseconds(500));
  }
  for (const double ms : keyframes_ms)
    std::printf("keyframe: %.3f ms\n", ms);
  std::sort(keyframes_ms.begin(), keyframes_ms.end());
  std::sort(hashes_ms.begin(), hashes_ms.end());
  std::sort(others_ms.begin(), others_ms.end());
  std::printf(
      "tick with a keyframe: median %.3f ms, longest %.3f ms; others: median %.4f ms, p99 %.4f "
      "ms\n",
      keyframes_ms[keyframes_ms.size() / 2], keyframes_ms.back(), others_ms[others_ms.size() / 2],
      others_ms[others_ms.size() * 99 / 100]);
  std::printf("hash of a tick: median %.3f ms\n", hashes_ms[hashes_ms.size() / 2]);
  EXPECT_TRUE(writer.drain(60));
}

}  // namespace
}  // namespace jostle::journal
