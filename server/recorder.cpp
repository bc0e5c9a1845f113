#include "server/recorder.h"

#include "shared/base/file_name.h"
#include "shared/record/recording_file.h"

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <span>
#include <system_error>
#include <utility>

namespace jostle::server {

void take_record_text(const std::string& text, RecordingOptions& options) {
  using Mode = RecordingOptions::Mode;
  options.mode = text == "off" ? Mode::Off : text == "ring" ? Mode::Ring : Mode::File;
  if (options.mode == Mode::File) options.path = text;
}

base::Result<std::unique_ptr<Recorder>, std::string> Recorder::create(
    net::Io& io, const RecordingOptions& options, std::unique_ptr<net::OutputFile> file,
    Server& server, const sim::Simulation& simulation, const std::vector<std::string>& rules,
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
      recorder->file_ = std::move(file);
      if (const auto error = recorder->begin_file(rules, scene_file))
        return "--record: cannot write '" + options.path +
               "': " + std::string(net::describe(*error));
      server.set_recording(recorder->writer_.get());
      break;
  }
  return recorder;
}

/// Writes the header of the file. Removes the file and returns the error if that fails.
std::optional<net::IoError> Recorder::begin_file(const std::vector<std::string>& rules,
                                                 const std::string& scene_file) {
  if (const auto emptied = file_->write({}); !emptied) return emptied.error();
  writer_ = std::make_unique<record::RecordingWriter>(simulation_, rules, scene_file,
                                                      [this](std::span<const std::byte> bytes) {
                                                        const auto written = file_->write(bytes);
                                                        if (!written) error_ = written.error();
                                                        return written.has_value();
                                                      });
  std::error_code ignored;
  if (error_ && std::filesystem::is_regular_file(options_.path, ignored))
    std::filesystem::remove(options_.path, ignored);
  return error_;
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
  const std::string stem = stem_of(saved, folder, prefix);
  const auto written = record::write_new_recording(io_, stem, saved.bytes);
  if (!written)
    return "--record-folder: cannot write '" + stem +
           ".jrec': " + std::string(net::describe(written.error()));
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
  if (writer_ == nullptr) return true;
  writer_->close(simulation_);
  return writer_->is_healthy();
}

}  // namespace jostle::server
