#pragma once

#include "server/server.h"
#include "shared/base/result.h"
#include "shared/journal/executor.h"
#include "shared/journal/files.h"
#include "shared/journal/journal.h"
#include "shared/journal/player_log.h"
#include "shared/journal/recovery.h"
#include "shared/journal/writer_thread.h"
#include "shared/net/io.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/simulation.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jostle::server {

/// Settings of a state folder from the command line.
struct StateOptions {
  std::string folder;  // empty: no state is kept
  journal::Durability durability = journal::Durability::Group;
  std::uint64_t quota_bytes = 1ULL << 30;  // limit on the journal
};

/// The folder from which a server continues after a restart (docs/OPERATIONS.md).
///
///   lock      held by the server that uses the folder
///   journal/  recordings of the run, one after the other
///   players   reconnect tokens
///   keys/     the server's keys, unless --keys names another folder
class StateFolder {
 public:
  /// Reason why the folder cannot be used.
  struct Error {
    /// The values are exit codes of the server's program.
    enum class Kind : std::uint8_t {
      Disk = 1,     // the disk is full, or reports an error
      Path = 2,     // the path cannot be used, or another server uses it
      Content = 3,  // the content is damaged, incomplete or of another program
    };
    std::string text;
    Kind kind = Kind::Path;
  };
  /// Creates the folder and those around it, locks it, and restores its newest state. `files` and
  /// `writer` must outlive the result. `rules` must return the rules of the server.
  static base::Result<std::unique_ptr<StateFolder>, Error> open(
      journal::Files& files, journal::Executor& writer, const StateOptions& options,
      const sim::RuleFactory& rules = sim::default_rules);
  StateFolder(const StateFolder&) = delete;
  StateFolder& operator=(const StateFolder&) = delete;

  /// Returns the restored world; null if the folder is new.
  std::unique_ptr<journal::Restored> take_restored() { return std::move(restored_); }
  /// Begins to journal the server's ticks. `scene_file` is the path of the loaded scene. Returns
  /// the error of the disk, or an empty text. This object must outlive the server's last tick.
  std::string begin(Server& server, const sim::Simulation& simulation,
                    const std::vector<std::string>& rules, const std::string& scene_file);
  /// Stores the final state after the last tick. Returns false if the journal is incomplete.
  bool close(const sim::Simulation& simulation);
  const journal::Journal& journal() const { return *journal_; }

 private:
  StateFolder(journal::Files& files, journal::Executor& writer, StateOptions options,
              journal::FolderLock lock)
      : files_(files), writer_(writer), options_(std::move(options)), lock_(std::move(lock)) {}

  journal::Files& files_;
  journal::Executor& writer_;
  StateOptions options_;
  journal::FolderLock lock_;
  std::unique_ptr<journal::Restored> restored_;
  journal::PlayerLog::Tokens tokens_;
  std::unique_ptr<journal::PlayerLog> players_;
  journal::WriterThread builder_;
  std::unique_ptr<journal::Journal> journal_;
};

/// Logs a warning with those of the options --scene, --hz and --seed that are in `given`, but that
/// the world of the state folder contradicts. The world goes on without them. `scene` and `options`
/// are their values. A scene with the file name of the world's, but with another content,
/// contradicts the world.
void warn_of_contradictions(net::Io& io, const std::vector<std::string>& given,
                            const std::string& scene, const sim::SimulationOptions& options,
                            const std::string& restored_scene_file,
                            const sim::Simulation& restored);

}  // namespace jostle::server
