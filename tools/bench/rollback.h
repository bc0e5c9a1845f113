#pragma once

#include "shared/scene/scene.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace jostle::bench {

/// The options of the rollback benchmark. It measures the cost of restoring an earlier tick and
/// simulating again, as rollback netcode does when late inputs arrive.
struct RollbackBench {
  std::string scene = "katamari";
  std::uint32_t ticks = 8;    // ticks to roll back
  std::uint32_t skip = 60;    // ticks before the first measured one
  std::uint32_t rounds = 60;  // measured ticks
  int threads = 1;
  std::uint64_t seed = 1;  // seed of the two random players
};

/// A distribution over the rounds, in µs of wall time.
struct Spread {
  double median = 0, p99 = 0, max = 0;
};

struct RollbackFigures {
  std::string scene;
  std::size_t bodies = 0;
  double awake_bodies = 0;  // mean number of awake bodies
  double save_bytes = 0;    // size of a whole state, mean
  // size of the compressed difference to the state of the previous tick, mean
  double difference_bytes = 0;
  double history_bytes = 0;  // bytes of the history divided by the number of its states
  /// Times for one state. `copy` copies into another simulation without serialising.
  Spread save, restore, copy;
  Spread keep;  // adding a state to a RollbackBuffer
  Spread step;
  Spread rollback;  // restoring the earlier state and simulating all ticks since
  // True if every restored or rolled-back simulation had the hash of the original
  bool is_same = true;
};

/// Runs the benchmark on `scene`, which was loaded from `bench.scene`.
RollbackFigures measure_rollback(const scene::SceneDef& scene, const RollbackBench& bench);

std::string to_json(const RollbackFigures& figures, const RollbackBench& bench);
/// Returns a report of a few lines for the terminal.
std::string to_text(const RollbackFigures& figures, const RollbackBench& bench);

}  // namespace jostle::bench
