#include "shared/record/recording_file.h"

#include "shared/record/recording_reader.h"

namespace jostle::record {
namespace {

/// Maximum number of file names that write_new_recording() tries. The names contain the time in
/// seconds, so more files of one name are not expected.
constexpr int max_numbered_files = 1'000;

}  // namespace

base::Result<Recording, std::string> read_recording_file(net::Io& io, const std::string& path) {
  const auto bytes = io.read_file(path, max_recording_bytes);
  if (!bytes) return "'" + path + "': " + std::string(net::describe(bytes.error()));
  auto recording = read_recording(*bytes);
  if (!recording) return "'" + path + "' " + recording.error().text();
  if (recording->blocks.empty()) return "'" + path + "' has no complete block of ticks";
  return *std::move(recording);
}

base::Result<std::string, net::IoError> write_new_recording(net::Io& io, const std::string& stem,
                                                            std::span<const std::byte> bytes) {
  for (int number = 1; number <= max_numbered_files; ++number) {
    std::string path = stem + (number == 1 ? "" : "-" + std::to_string(number)) + ".jrec";
    const auto written = io.create_file(path, bytes);
    if (written) return path;
    if (written.error() != net::IoError::AlreadyExists) return written.error();
  }
  return net::IoError::AlreadyExists;
}

}  // namespace jostle::record
