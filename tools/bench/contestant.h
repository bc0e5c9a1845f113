#pragma once

#include "tools/bench/measurement.h"

#include <sys/types.h>

namespace jostle::bench {

/// An engine at work on a scene in a process of its own, so that memory is counted apart and the
/// engines' heaps and threads do not meet. Steps only when told to.
///
/// Parent and child share a block of memory that holds the results, and two pipes: an int of steps
/// to do goes one way (0: finish), the same int comes back when they are done.
class Contestant {
 public:
  Contestant(const workload::Scene& scene, const EngineKind& kind, const MeasureOptions& options);
  ~Contestant();
  Contestant(const Contestant&) = delete;
  Contestant& operator=(const Contestant&) = delete;

  // False when the engine could not start or died; `failure` says why.
  bool start();
  bool advance(int steps);
  bool finish();
  Round round() const;
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
