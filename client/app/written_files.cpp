#include "client/app/written_files.h"

#include "client/render/screenshot.h"
#include "shared/base/counted.h"
#include "shared/base/printable.h"

#include <cstdio>
#include <filesystem>
#include <system_error>

namespace jostle::client_app {
namespace {

void print_written(const std::string& words) {
  std::printf("jostle-view: wrote %s\n", base::printable(words).c_str());
  std::fflush(stdout);
}

}  // namespace

void report_written(const std::string& path, const std::string& content) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (!error) print_written(path + ": " + content + ", " + base::counted(bytes, "byte"));
}

void report_frames(const std::string& folder, std::uint64_t count) {
  if (count == 0) return;
  const std::string first = render::frame_path(folder, 1), last = render::frame_path(folder, count);
  print_written(first + (count == 1 ? "" : " to " + last) + ": " + base::counted(count, "frame"));
}

}  // namespace jostle::client_app
