#pragma once

#include "server/server.h"
#include "shared/base/result.h"
#include "shared/journal/executor.h"
#include "shared/journal/files.h"
#include "shared/journal/journal.h"
#include "shared/net/io.h"
#include "shared/record/ring_recorder.h"
#include "shared/sim/simulation.h"

#include <cstdint>
#include <functional>
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
  std::string path;               // used if mode is File: the first file
  std::uint64_t quota_bytes = 0;  // used if mode is File: limit on the files of the run; 0: none
  double seconds = 60;            // used if mode is Ring: length of the recording, s
  std::string folder = "recordings";  // used if mode is Ring: folder for the files
  // used if mode is Ring: limit on all recordings in the folder; 0: none
  std::uint64_t folder_quota_bytes = 1ULL << 30;
};
/// Sets the mode from `text`: "off", "ring" or a file name, which becomes the path.
void take_record_text(const std::string& text, RecordingOptions& options);

/// Recorder of a server's run.
class Recorder {
 public:
  /// Starts recording. In mode File, no existing file is changed: if the file exists, the recording
  /// goes to FILE-2, FILE-3 and so on. `writer` writes the files; if it is null, the recorder has a
  /// thread for that. `io`, `simulation` and `writer` must outlive the result, and the result must
  /// outlive the last tick of `server`. The error is a sentence for the user; on an error, no file
  /// is left.
  static base::Result<std::unique_ptr<Recorder>, std::string> create(
      net::Io& io, const RecordingOptions& options, journal::Executor* writer, Server& server,
      const sim::Simulation& simulation, const std::vector<std::string>& rules,
      const std::string& scene_file);
  ~Recorder();

  /// Writes the content of the ring to a new file, on the thread of the writer, so that no tick
  /// waits for the disk. The name of the file begins with `prefix`. Creates the folder if it is
  /// missing. Calls `tell`, perhaps on that thread, with a sentence for the user: the path of the
  /// file, or the reason why nothing was saved.
  void save_recent(const std::string& prefix, std::function<void(const std::string&)> tell);
  /// Waits for the files of save_recent(), at most 10 s.
  void finish_saves();
  /// A recording that write_recent() has written.
  struct Written {
    std::string path;
    std::uint32_t first_tick = 0, tick_count = 0;
  };
  /// Writes the content of the ring to a new file in a folder that exists. The error is a sentence
  /// for the user.
  base::Result<Written, std::string> write_recent(const std::string& folder,
                                                  const std::string& prefix = {});
  /// Closes the current file and begins the next one. Does nothing in other modes than File.
  void begin_file();
  /// Finishes the file after the last tick. Returns false if ticks are missing.
  bool close();
  /// Returns the progress of mode File; null in other modes.
  const journal::Journal* file() const { return journal_.get(); }

 private:
  Recorder(net::Io& io, RecordingOptions options, const sim::Simulation& simulation)
      : io_(io), options_(std::move(options)), simulation_(simulation) {}
  std::string open_file(journal::Executor* writer, const std::vector<std::string>& rules,
                        const std::string& scene_file);
  std::string stem_of(const record::RingRecorder::Saved& saved, const std::string& folder,
                      const std::string& prefix) const;

  net::Io& io_;
  RecordingOptions options_;
  const sim::Simulation& simulation_;
  std::unique_ptr<journal::Files> files_;
  std::unique_ptr<journal::Executor> own_writer_, builder_;
  std::unique_ptr<journal::Journal> journal_;
  std::unique_ptr<record::RingRecorder> recent_;
  journal::Executor* writer_ = nullptr;  // null: the files of the ring are written at once
};

}  // namespace jostle::server
