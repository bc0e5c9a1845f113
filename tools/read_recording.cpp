#include "tools/read_recording.h"

#include "shared/net/system_io.h"
#include "shared/record/recording_reader.h"

namespace jostle::tools {

base::Result<record::Recording, std::string> read_recording_file(const std::string& path) {
  net::RealIo io;
  const auto bytes = io.read_file(path, record::max_recording_bytes);
  if (!bytes) return "'" + path + "': " + std::string(net::describe(bytes.error()));
  auto recording = record::read_recording(*bytes);
  if (!recording) return "'" + path + "' " + recording.error().text();
  if (recording->blocks.empty()) return "'" + path + "' holds no whole block of ticks";
  return *std::move(recording);
}

}  // namespace jostle::tools
