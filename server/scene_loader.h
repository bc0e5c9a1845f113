#pragma once

#include "server/run_recording.h"
#include "server/scene_catalogue.h"
#include "shared/journal/executor.h"
#include "shared/sim/simulation.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace jostle::server {

/// Reads and builds scenes beside the running ticks. A scene that needs more memory than there is
/// gets an error; the running world is not affected.
class SceneLoader {
 public:
  /// Sets the executor that loads scenes; it must outlive this object. Null, the default: load()
  /// loads the scene before it returns.
  void set_executor(journal::Executor* executor) { executor_ = executor; }

  /// Number of players that may join, and of clients that are there.
  struct Places {
    std::size_t max_players = 0, clients = 0;
  };
  /// A function that prepares the journals for a scene.
  using Preparation = std::function<PreparedJournals(const scene::SceneDef&)>;
  /// Begins to load a scene for this simulation and these places, and to prepare the
  /// journals for it. Contract: no load is in progress.
  void load(const SceneCatalogue& catalogue, const std::string& name,
            const sim::Simulation& simulation, const Places& places, Preparation prepare);
  bool is_loading() const { return slot_ != nullptr; }

  /// A finished load.
  struct Loaded {
    std::shared_ptr<sim::PreparedScene> scene;  // null if the load has failed
    PreparedJournals journals;
    std::string file;        // path of the scene's file
    std::string unreadable;  // why the scene cannot be read; a detail for the operator only
    std::string refused;     // why the scene cannot be served
  };
  /// Returns the result of the load once it is finished.
  std::optional<Loaded> take();
  /// Destroys the world of a scene on the executor, because that takes long for many bodies.
  void discard(std::shared_ptr<sim::PreparedScene> scene);

 private:
  struct Slot {
    std::mutex mutex;
    std::optional<Loaded> loaded;
  };
  journal::Executor* executor_ = nullptr;
  std::shared_ptr<Slot> slot_;  // null if no load is in progress
};

}  // namespace jostle::server
