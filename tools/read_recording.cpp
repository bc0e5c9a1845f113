#include "tools/read_recording.h"

#include "shared/net/system_io.h"
#include "shared/record/recording_file.h"
#include "shared/record/replay.h"

#include <utility>

namespace jostle::tools {

base::Result<record::Recording, std::string> read_recording_file(const std::string& path) {
  net::SystemIo io;
  return record::read_recording_file(io, path);
}

base::Result<Replay, std::string> open_replay(const std::string& path) {
  auto recording = read_recording_file(path);
  if (!recording) return recording.error();
  auto simulation = record::start_replay(*recording);
  if (!simulation) return "'" + path + "': " + simulation.error();
  return Replay{*std::move(recording), *std::move(simulation)};
}

}  // namespace jostle::tools
