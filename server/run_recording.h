#pragma once

#include "server/state_hasher.h"
#include "shared/journal/journal.h"
#include "shared/record/recording_writer.h"
#include "shared/record/ring_recorder.h"
#include "shared/record/timed_fault.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::server {

/// Spare worlds of a scene for each journal.
using PreparedJournals = std::vector<std::shared_ptr<journal::SpareWorlds::Pool>>;

/// Records the ticks of a server in journals, in a file and in a ring, if these are set.
class RunRecording {
 public:
  explicit RunRecording(const sim::Simulation& simulation) : simulation_(simulation) {}

  /// Records every tick in `journal` from now on, which must outlive this object.
  void add_journal(journal::Journal* journal) { journals_.push_back(journal); }
  /// Makes wait_durable() wait until the newest tick is durable in `journal`, for at most
  /// `seconds`.
  void set_strict(journal::Journal* journal, double seconds) {
    strict_ = journal;
    strict_seconds_ = seconds;
  }
  bool is_strict() const { return strict_ != nullptr; }
  /// With set_strict(), waits for the disk. If the disk is full or does not answer in time, logs
  /// that once, and does not wait any more until the newest tick is durable again.
  void wait_durable();
  /// Records every tick from now on. The writer must outlive this object.
  void set_file(record::RecordingWriter* file) { file_ = file; }
  /// Records the newest ticks from now on. `ring` must outlive this object. `scene_file` is the
  /// path of the loaded scene.
  void set_ring(record::RingRecorder* ring, const std::string& scene_file);

  /// Returns true if no other scene may be loaded, because the run is recorded in one file, which
  /// holds one scene.
  bool holds_only_one_scene() const { return file_ != nullptr; }
  /// Makes the next add_tick() restart the ring and begin a segment of each journal, because
  /// another scene was loaded from `scene_file`. `spares` are those that the function of
  /// preparation() has returned for it.
  void begin_scene(std::string scene_file, PreparedJournals spares) {
    begun_scene_file_ = std::move(scene_file);
    begun_spares_ = std::move(spares);
  }
  /// Returns a function that prepares the journals for a scene, on any thread, so that the tick
  /// that starts the scene need not.
  std::function<PreparedJournals(const scene::SceneDef&)> preparation() const;
  /// Sets the executor that hashes large worlds between two ticks, which must outlive this object.
  /// Null, the default: add_tick() hashes them.
  void set_hashing_executor(journal::Executor* executor) { hasher_.set_executor(executor); }
  /// Records a tick. `faults` were injected in it. The journals may receive the tick only in
  /// complete_tick(); until then the simulation must not change.
  void add_tick(const state::TickCommands& commands,
                const std::vector<record::RecordedFault>& faults);
  /// Passes the newest tick on to the journals, if add_tick() has not.
  void complete_tick();
  /// Logs the first failed write to the file.
  void log_failure();

 private:
  /// The part of a tick that the journals receive.
  struct Pending {
    state::TickCommands commands;
    std::vector<record::RecordedFault> faults;
    std::optional<std::string> begun_scene_file;
  };
  bool is_hashed_later() const;
  void pass_on(const Pending& tick, record::TickHash hash);

  const sim::Simulation& simulation_;
  StateHasher hasher_;
  std::optional<Pending> pending_;  // its state is being hashed
  std::vector<journal::Journal*> journals_;
  journal::Journal* strict_ = nullptr;
  double strict_seconds_ = 0;
  bool is_late_ = false;  // ticks are sent before they are durable
  record::RecordingWriter* file_ = nullptr;
  record::RingRecorder* ring_ = nullptr;
  std::optional<std::string> begun_scene_file_;  // set in the tick that starts a new scene
  PreparedJournals begun_spares_;
  bool has_logged_failure_ = false;
};

}  // namespace jostle::server
