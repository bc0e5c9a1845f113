#pragma once

#include "tools/bench/measurement.h"

#include <sys/types.h>

namespace jostle::bench {

/// One engine with one scene in its own process, so that memory is measured separately and engines
/// do not share a heap or threads. After the warm-up, the engine steps only on request.
///
/// Parent and child share a block of memory for the results, and two pipes. The child sends the int
/// -1 after the creation of the engine and the warm-up steps. The parent then sends the number of
/// steps to take as an int (0: finish); the child returns the same int when they are done.
class Contestant {
 public:
  /// If `is_observed` is true, the steps are not timed, and observation() returns their results.
  Contestant(const workload::Scene& scene, const EngineKind& kind, const MeasureOptions& options,
             bool is_observed);
  ~Contestant();
  Contestant(const Contestant&) = delete;
  Contestant& operator=(const Contestant&) = delete;

  // These functions return false if the engine could not be created or its process ended early;
  // failure() says why.
  bool start();
  bool advance(int steps);
  bool finish();
  Round round() const;
  Observation observation() const;
  std::string failure() const;

 private:
  bool wait_for(int expected);

  pid_t child_ = -1;
  int to_child_ = -1, from_child_ = -1;
  std::byte* memory_ = nullptr;
  std::size_t memory_bytes_ = 0;
  std::size_t steps_ = 0, bodies_ = 0;
  std::size_t span_rows_ = 0;
  std::string death_;
};

}  // namespace jostle::bench
