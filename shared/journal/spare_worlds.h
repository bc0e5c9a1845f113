#pragma once

#include "shared/journal/executor.h"
#include "shared/sim/simulation.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace jostle::journal {

/// Copies of a running simulation, from which keyframes are made on another thread. A copy takes
/// much less time than a save: it is all that a keyframe costs a tick.
///
/// The simulations to copy into are built once per scene by an executor, or on a thread of their
/// own, because that takes as long as loading the scene. Until they are ready, copy() returns null.
class SpareWorlds {
 public:
  /// `builder` must outlive this object. Null: begin() waits until the copies are built.
  explicit SpareWorlds(Executor* builder) : builder_(builder) {}
  ~SpareWorlds() = default;
  SpareWorlds(const SpareWorlds&) = delete;
  SpareWorlds& operator=(const SpareWorlds&) = delete;

  /// The spare simulations of a scene.
  struct Pool {
    std::mutex mutex;
    std::vector<std::unique_ptr<sim::Simulation>> free;
    std::size_t built = 0;
  };
  /// A function that builds the spare simulations of a scene on any thread.
  using Builder = std::function<std::shared_ptr<Pool>(const scene::SceneDef&)>;
  /// Returns a builder for scenes that are loaded into `simulation`.
  static Builder builder_for(const sim::Simulation& simulation);

  /// Begins to build the spare simulations for the scene of `simulation`, or uses those in `built`
  /// if it is not null.
  void begin(const sim::Simulation& simulation, std::shared_ptr<Pool> built = nullptr);
  /// Returns true if there are copies, but all of them are in use.
  bool are_busy() const;
  /// Returns a copy of the simulation; null if none is free. The simulation must have the scene of
  /// the last begin(). The copy may be destroyed on another thread, also after this object.
  std::shared_ptr<const sim::Simulation> copy(const sim::Simulation& simulation);

 private:
  static constexpr std::size_t spare_count = 2;

  Executor* builder_;
  std::shared_ptr<Pool> pool_;  // of the current scene
};

}  // namespace jostle::journal
