#pragma once

#include "server/server.h"
#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/record/recent_run.h"
#include "shared/record/recording_writer.h"
#include "shared/sim/simulation.h"

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace jostle::server {

/// What `jostled` writes down of its run.
struct RecordingOptions {
  enum class Mode : std::uint8_t {
    Off,
    Ring,  // the newest ticks stay in memory until somebody wants them in a file
    File,  // all of the run
  };
  Mode mode = Mode::Off;
  std::string path;          // of File
  double seconds = 60;       // of Ring: so far back
  std::string folder = ".";  // of Ring: where files are made
};
/// "off", "ring", or a file's name.
void take_record_text(const std::string& text, RecordingOptions& options);

/// Writes down the run of a server.
class Recorder {
 public:
  /// Everything that is given outlives it. The error is for people.
  static base::Result<std::unique_ptr<Recorder>, std::string> create(
      net::Io& io, const RecordingOptions& options, Server& server,
      const sim::Simulation& simulation, const std::vector<std::string>& rules,
      const std::string& scene_file);

  /// Writes what the ring holds into a new file; what came of it, for people.
  std::string save_recent();
  /// No tick follows. False: the file is not whole.
  bool close();

 private:
  Recorder(net::Io& io, RecordingOptions options, const sim::Simulation& simulation)
      : io_(io), options_(std::move(options)), simulation_(simulation) {}
  std::string path_of(const record::RecentRun::Saved& saved) const;

  net::Io& io_;
  RecordingOptions options_;
  const sim::Simulation& simulation_;
  std::unique_ptr<record::RecordingWriter> writer_;
  std::unique_ptr<record::RecentRun> recent_;
};

}  // namespace jostle::server
