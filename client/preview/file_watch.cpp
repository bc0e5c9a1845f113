#include "client/preview/file_watch.h"

#include <system_error>
#include <utility>

namespace jostle::preview {

FileWatch::FileWatch(std::string path) : path_(std::move(path)), known_(look()), seen_(known_) {}

FileWatch::State FileWatch::look() const {
  std::error_code time_error, size_error;
  State state;
  state.time = std::filesystem::last_write_time(path_, time_error);
  state.bytes = std::filesystem::file_size(path_, size_error);
  state.is_there = !time_error && !size_error;
  return state.is_there ? state : State{};
}

bool FileWatch::take_change() {
  const State now = look();
  const bool is_settled = now == std::exchange(seen_, now);
  if (!is_settled || now == known_) return false;
  known_ = now;
  return true;
}

}  // namespace jostle::preview
