#include "server/recorder.h"

#include "shared/base/file_name.h"
#include "shared/base/log.h"
#include "shared/journal/writer_thread.h"
#include "shared/record/recording_file.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <system_error>
#include <utility>

namespace jostle::server {
namespace {

constexpr double patience_s = 10;
constexpr const char* no_ring =
    "no recording is kept in memory; start with --record ring to keep one";
constexpr const char* no_tick = "nothing to save: no tick has been recorded yet";

/// Returns true if the recordings in the folder and `bytes` more exceed the quota.
bool is_folder_full(const RecordingOptions& options, const std::string& folder, std::size_t bytes) {
  if (options.folder_quota_bytes == 0) return false;
  std::uint64_t total = bytes;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".jrec" && entry.is_regular_file(error))
      total += entry.file_size(error);
  }
  return total > options.folder_quota_bytes;
}

/// Writes a recording to a new file. Returns its path; the error is a sentence for the user.
base::Result<std::filesystem::path, std::string> write_saved(net::Io& io,
                                                             const RecordingOptions& options,
                                                             const std::string& folder,
                                                             const std::string& stem,
                                                             const std::vector<std::byte>& bytes) {
  if (is_folder_full(options, folder, bytes.size()))
    return "not saved: the recordings in folder '" + folder + "' would exceed the limit of " +
           std::to_string(options.folder_quota_bytes >> 20) +
           " MiB (--record-quota); move some of them away";
  const auto written = record::write_new_recording(io, stem, bytes);
  if (!written)
    return "cannot write '" + stem + ".jrec': " + std::string(net::describe(written.error()));
  return std::filesystem::path(*written);
}

}  // namespace

void take_record_text(const std::string& text, RecordingOptions& options) {
  using Mode = RecordingOptions::Mode;
  options.mode = text == "off" ? Mode::Off : text == "ring" ? Mode::Ring : Mode::File;
  if (options.mode == Mode::File) options.path = text;
}

base::Result<std::unique_ptr<Recorder>, std::string> Recorder::create(
    net::Io& io, const RecordingOptions& options, journal::Executor* writer, Server& server,
    const sim::Simulation& simulation, const std::vector<std::string>& rules,
    const std::string& scene_file) {
  std::unique_ptr<Recorder> recorder(new Recorder(io, options, simulation));
  recorder->writer_ = writer;
  switch (options.mode) {
    case RecordingOptions::Mode::Off:
      break;
    case RecordingOptions::Mode::Ring: {
      const auto ticks = static_cast<std::uint32_t>(
          std::ceil(options.seconds * simulation.options().tick_rate_hz));
      recorder->recent_ = std::make_unique<record::RingRecorder>(
          rules, record::RingRecorder::Options{.ticks = ticks});
      server.set_recent(recorder->recent_.get(), scene_file);
      break;
    }
    case RecordingOptions::Mode::File:
      if (auto error = recorder->open_file(writer, rules, scene_file); !error.empty()) return error;
      server.add_journal(recorder->journal_.get());
      break;
  }
  return recorder;
}

Recorder::~Recorder() = default;

/// Begins the first file. Returns the error, or an empty text.
std::string Recorder::open_file(journal::Executor* writer, const std::vector<std::string>& rules,
                                const std::string& scene_file) {
  constexpr std::uint64_t files_in_quota = 4;
  files_ = journal::system_files();
  if (writer == nullptr) {
    own_writer_ = std::make_unique<journal::WriterThread>();
    writer = own_writer_.get();
  }
  const std::filesystem::path path(options_.path);
  journal::SegmentOptions segments;
  segments.folder = path.parent_path().string();
  segments.stem = path.stem().string();
  segments.quota_bytes = options_.quota_bytes;
  segments.most_segment_bytes = options_.quota_bytes / files_in_quota;
  segments.follows_rename = true;
  builder_ = std::make_unique<journal::WriterThread>();
  journal_ = std::make_unique<journal::Journal>(*files_, *writer, segments, rules, builder_.get());
  std::string error = journal_->begin(simulation_, scene_file);
  if (const std::string file = journal_->status().path; error.empty() && file != options_.path)
    base::info("recording goes to another file", {{"file", file}, {"why", "the first one exists"}});
  return error;
}

void Recorder::begin_file() {
  if (journal_ != nullptr) journal_->begin_segment();
}

std::string Recorder::stem_of(const record::RingRecorder::Saved& saved, const std::string& folder,
                              const std::string& prefix) const {
  const std::string scene = base::file_name_part(simulation_.scene().name);
  const std::uint32_t last = saved.first_tick + saved.tick_count - 1;
  return folder + "/" + prefix + (scene.empty() ? "scene" : scene) + "-" +
         base::utc_stamp(io_.unix_time_s()) + "-tick" + std::to_string(last);
}

base::Result<Recorder::Written, std::string> Recorder::write_recent(const std::string& folder,
                                                                    const std::string& prefix) {
  if (recent_ == nullptr) return std::string(no_ring);
  const record::RingRecorder::Saved saved = recent_->save(simulation_);
  if (saved.tick_count == 0) return std::string(no_tick);
  const auto written =
      write_saved(io_, options_, folder, stem_of(saved, folder, prefix), saved.bytes);
  if (!written) return written.error();
  return Written{written->string(), saved.first_tick, saved.tick_count};
}

void Recorder::save_recent(const std::string& prefix,
                           std::function<void(const std::string&)> tell) {
  if (recent_ == nullptr) return tell(no_ring);
  auto saved = std::make_shared<record::RingRecorder::Saved>(recent_->save(simulation_));
  if (saved->tick_count == 0) return tell(no_tick);
  const std::string stem = stem_of(*saved, options_.folder, prefix);
  char ticks[100];
  std::snprintf(ticks, sizeof ticks, "saved the last %.1f s, ticks %u to %u, to ",
                static_cast<double>(saved->tick_count) / simulation_.options().tick_rate_hz,
                saved->first_tick, saved->first_tick + saved->tick_count - 1);
  auto job = [&io = io_, options = options_, saved, stem, words = std::string(ticks), tell] {
    std::error_code error;
    std::filesystem::create_directories(options.folder, error);
    if (error)
      return tell("--record-folder: cannot create folder '" + options.folder +
                  "': " + error.message());
    const auto written = write_saved(io, options, options.folder, stem, saved->bytes);
    tell(written ? words + written->string() : written.error());
  };
  if (writer_ == nullptr) return job();
  if (!writer_->post(saved->bytes.size(), job)) tell("not saved: the disk is too slow");
}

void Recorder::finish_saves() {
  if (recent_ != nullptr && writer_ != nullptr) (void)writer_->drain(patience_s);
}

bool Recorder::close() {
  if (journal_ == nullptr) return true;
  return journal_->close(simulation_, patience_s) && journal_->ticks_lost() == 0;
}

}  // namespace jostle::server
