#include "client/app/written_files.h"

#include "client/render/screenshot.h"
#include "shared/base/counted.h"
#include "shared/base/printable.h"
#include "shared/program_options/program_options.h"

#include <cstdio>

namespace jostle::client_app {
namespace {

void print_written(const std::string& words) {
  std::printf("jostle-view: wrote %s\n", words.c_str());
  std::fflush(stdout);
}

}  // namespace

void report_written(const std::string& path, const std::string& content) {
  const std::string words = program_options::describe_written(path, content);
  if (!words.empty()) print_written(words);
}

void report_frames(const std::string& folder, std::uint64_t count) {
  if (count == 0) return;
  const std::string first = render::frame_path(folder, 1), last = render::frame_path(folder, count);
  print_written(base::printable(first + (count == 1 ? "" : " to " + last)) + ": " +
                base::counted(count, "frame"));
}

}  // namespace jostle::client_app
