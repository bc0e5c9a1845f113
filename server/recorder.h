#pragma once

#include "server/server.h"
#include "shared/base/result.h"
#include "shared/net/io.h"
#include "shared/record/recording_writer.h"
#include "shared/record/ring_recorder.h"
#include "shared/sim/simulation.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::server {

/// Options for recording a run.
struct RecordingOptions {
  enum class Mode : std::uint8_t {
    Off,
    Ring,  // keeps the newest ticks in memory until they are saved to a file
    File,  // records the whole run
  };
  Mode mode = Mode::Off;
  std::string path;                   // used if mode is File
  double seconds = 60;                // used if mode is Ring: length of the recording, s
  std::string folder = "recordings";  // used if mode is Ring: folder for the files
};
/// Sets the mode from `text`: "off", "ring" or a file name, which becomes the path.
void take_record_text(const std::string& text, RecordingOptions& options);

/// Recorder of a server's run.
class Recorder {
 public:
  /// Starts recording. `file` is the opened file of the options, used if their mode is File. `io`
  /// and `simulation` must outlive the result, and the result must outlive the last tick of
  /// `server`. The error is a sentence for the user; on an error, no file is left.
  static base::Result<std::unique_ptr<Recorder>, std::string> create(
      net::Io& io, const RecordingOptions& options, std::unique_ptr<net::OutputFile> file,
      Server& server, const sim::Simulation& simulation, const std::vector<std::string>& rules,
      const std::string& scene_file);

  /// Writes the content of the ring to a new file. The name of the file begins with `prefix`.
  /// Returns a sentence for the user: the path of the file, or the reason why nothing was saved.
  std::string save_recent(const std::string& prefix = {});
  /// A recording that write_recent() has written.
  struct Written {
    std::string path;
    std::uint32_t first_tick = 0, tick_count = 0;
  };
  /// Writes the content of the ring to a new file in a folder that exists. The error is a sentence
  /// for the user.
  base::Result<Written, std::string> write_recent(const std::string& folder,
                                                  const std::string& prefix = {});
  /// Finishes the file after the last tick. Returns false if the file is incomplete.
  bool close();

 private:
  Recorder(net::Io& io, RecordingOptions options, const sim::Simulation& simulation)
      : io_(io), options_(std::move(options)), simulation_(simulation) {}
  std::optional<net::IoError> begin_file(const std::vector<std::string>& rules,
                                         const std::string& scene_file);
  std::string stem_of(const record::RingRecorder::Saved& saved, const std::string& folder,
                      const std::string& prefix) const;

  net::Io& io_;
  RecordingOptions options_;
  const sim::Simulation& simulation_;
  std::unique_ptr<net::OutputFile> file_;
  std::unique_ptr<record::RecordingWriter> writer_;
  std::optional<net::IoError> error_;  // error of the last failed write to the file
  std::unique_ptr<record::RingRecorder> recent_;
};

}  // namespace jostle::server
