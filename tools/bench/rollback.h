#pragma once

#include "shared/scene/scene.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace jostle::bench {

/// What it costs to go back and do again what was done since, as games do that show inputs before
/// they know those of the others.
struct RollbackBench {
  std::string scene = "katamari";
  std::uint32_t ticks = 8;    // that are gone back
  std::uint32_t skip = 60;    // ticks before the first that is measured
  std::uint32_t rounds = 60;  // ticks that are measured
  int threads = 1;
  std::uint64_t seed = 1;  // of two random players
};

/// Microseconds of wall time, over the rounds.
struct Spread {
  double median = 0, p99 = 0, max = 0;
};

struct RollbackFigures {
  std::string scene;
  std::size_t bodies = 0;
  double awake_bodies = 0;      // mean
  double save_bytes = 0;        // of a whole state, mean
  double difference_bytes = 0;  // of one to the state a tick before, mean
  double history_bytes = 0;     // of all states that are kept, over their number
  Spread save, restore, copy;   // of a state; copy: into another simulation without bytes between
  Spread keep;                  // in a StateHistory
  Spread step;
  Spread rollback;      // back, and all ticks since again
  bool is_same = true;  // what the ticks came to, in every round
};

/// Of a scene that was read.
RollbackFigures measure_rollback(const scene::SceneDef& scene, const RollbackBench& bench);

std::string to_json(const RollbackFigures& figures, const RollbackBench& bench);
/// Some lines that a person reads.
std::string to_text(const RollbackFigures& figures, const RollbackBench& bench);

}  // namespace jostle::bench
