#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace jostle::preview {

/// Detects changes of a file that another program saves in place, or replaces by a file with the
/// same name.
class FileWatch {
 public:
  /// Takes the current state of the file as known, so that only later changes are reported.
  explicit FileWatch(std::string path);

  /// Returns true once per change. A change is reported when two calls in a row have found the file
  /// in the same state: the caller should not read a file that is still being written.
  bool take_change();

 private:
  struct State {
    bool is_there = false;
    std::filesystem::file_time_type time;
    std::uintmax_t bytes = 0;
    bool operator==(const State&) const = default;
  };
  State look() const;

  std::string path_;
  State known_;  // state at the start, or of the last reported change
  State seen_;   // state at the last call
};

}  // namespace jostle::preview
