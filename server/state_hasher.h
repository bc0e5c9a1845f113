#pragma once

#include "shared/journal/executor.h"
#include "shared/record/recording.h"
#include "shared/sim/simulation.h"

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>

namespace jostle::server {

/// Hashes the state of a simulation beside the server's other work: the hash of a large world takes
/// as long as the rest of a tick.
class StateHasher {
 public:
  /// Sets the executor that computes hashes; it must outlive this object. Null, the default:
  /// start() does nothing, and finish() computes the hash.
  void set_executor(journal::Executor* executor) { executor_ = executor; }

  /// Begins to hash a simulation, which must not change until finish() returns.
  void start(const sim::Simulation& simulation);
  /// Returns the hash. Computes it if the executor has not begun yet, otherwise waits for it.
  record::TickHash finish();
  bool has_executor() const { return executor_ != nullptr; }

 private:
  struct Task {
    const sim::Simulation& simulation;
    std::atomic<bool> is_taken{false};
    std::mutex mutex{};
    std::condition_variable done{};
    bool is_done = false;
    record::TickHash hash{};
  };
  journal::Executor* executor_ = nullptr;
  std::shared_ptr<Task> task_;
};

}  // namespace jostle::server
