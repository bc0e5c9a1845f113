#pragma once

#include "shared/journal/executor.h"
#include "shared/sim/simulation.h"

#include <array>
#include <cstddef>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace jostle::journal {

/// Copies of a running simulation, from which keyframes are made on another thread. A copy takes
/// much less time than a save: it is all that a keyframe costs a tick.
///
/// The simulations to copy into are built once per scene by an executor, or on a thread of their
/// own, because that takes as long as loading the scene. Until they are ready, copy() returns null.
class SpareWorlds {
 public:
  /// `builder` must outlive this object. Null: each begin() starts a thread.
  explicit SpareWorlds(Executor* builder) : builder_(builder) {}
  ~SpareWorlds();
  SpareWorlds(const SpareWorlds&) = delete;
  SpareWorlds& operator=(const SpareWorlds&) = delete;

  /// Begins to build the spare simulations for the scene of `simulation`.
  void begin(const sim::Simulation& simulation);
  /// Returns a copy of the simulation; null if none is free. The simulation must have the scene of
  /// the last begin(). The copy may be destroyed on another thread, also after this object.
  std::shared_ptr<const sim::Simulation> copy(const sim::Simulation& simulation);

 private:
  static constexpr std::size_t spare_count = 2;
  struct Pool {
    std::mutex mutex;
    std::vector<std::unique_ptr<sim::Simulation>> free;
  };

  Executor* builder_;
  std::shared_ptr<Pool> pool_;  // of the current scene
  std::vector<std::thread> builders_;
};

}  // namespace jostle::journal
