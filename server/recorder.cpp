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

/// Returns true if the recordings in the folder and `bytes` more exceed the quota.
bool Recorder::is_folder_full(const std::string& folder, std::size_t bytes) const {
  if (options_.folder_quota_bytes == 0) return false;
  std::uint64_t total = bytes;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".jrec" && entry.is_regular_file(error))
      total += entry.file_size(error);
  }
  return total > options_.folder_quota_bytes;
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
  if (recent_ == nullptr)
    return std::string("no recording is kept in memory; start with --record ring to keep one");
  const record::RingRecorder::Saved saved = recent_->save(simulation_);
  if (saved.tick_count == 0) return std::string("nothing to save: no tick has been recorded yet");
  if (is_folder_full(folder, saved.bytes.size()))
    return "not saved: the recordings in folder '" + folder + "' would exceed the limit of " +
           std::to_string(options_.folder_quota_bytes >> 20) +
           " MiB (--record-quota); move some of them away";
  const std::string stem = stem_of(saved, folder, prefix);
  const auto written = record::write_new_recording(io_, stem, saved.bytes);
  if (!written)
    return "cannot write '" + stem + ".jrec': " + std::string(net::describe(written.error()));
  return Written{*written, saved.first_tick, saved.tick_count};
}

std::string Recorder::save_recent(const std::string& prefix) {
  const auto written = write_recent(options_.folder, prefix);
  if (!written) return written.error();
  char seconds[32];
  std::snprintf(seconds, sizeof seconds, "%.1f",
                static_cast<double>(written->tick_count) / simulation_.options().tick_rate_hz);
  return std::string("saved the last ") + seconds + " s, ticks " +
         std::to_string(written->first_tick) + " to " +
         std::to_string(written->first_tick + written->tick_count - 1) + ", to " + written->path;
}

bool Recorder::close() {
  constexpr double patience_s = 10;
  if (journal_ == nullptr) return true;
  return journal_->close(simulation_, patience_s) && journal_->ticks_lost() == 0;
}

}  // namespace jostle::server
