#include "shared/record/recording_file.h"

#include "shared/record/recording_reader.h"

namespace jostle::record {

base::Result<Recording, std::string> read_recording_file(net::Io& io, const std::string& path) {
  const auto bytes = io.read_file(path, max_recording_bytes);
  if (!bytes) return "'" + path + "': " + std::string(net::describe(bytes.error()));
  auto recording = read_recording(*bytes);
  if (!recording) return "'" + path + "' " + recording.error().text();
  if (recording->blocks.empty()) return "'" + path + "' has no complete block of ticks";
  return *std::move(recording);
}

}  // namespace jostle::record
