#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace jostle::server {

/// Writes lines to a file descriptor on a thread of its own, so that a full pipe or a slow terminal
/// delays no tick. While the reader stalls, lines wait in a bounded buffer; further ones are
/// dropped and counted.
class LineOutput {
 public:
  /// `descriptor` must stay open. `name` is used in the line about dropped lines.
  LineOutput(int descriptor, std::string_view name, std::size_t most_bytes = 256U << 10);
  /// Gives the reader a second to take the lines that wait.
  ~LineOutput();
  LineOutput(const LineOutput&) = delete;
  LineOutput& operator=(const LineOutput&) = delete;

  /// Queues a line, which ends with a newline. Never blocks.
  void write(std::string_view line);
  /// Waits until all lines are written. Returns false after `seconds`.
  bool flush(double seconds);
  /// Like flush(), but if the lines are not written by then, discards them and everything that is
  /// written to the descriptor later, so that a stalled reader does not delay the end.
  void end(double seconds);
  /// Returns the number of lines that were dropped.
  std::uint64_t dropped() const;

 private:
  void work();
  bool put(std::string_view text);

  int descriptor_;
  std::string name_;
  std::size_t most_bytes_;
  mutable std::mutex mutex_;
  std::condition_variable wake_, done_;
  std::string waiting_;
  bool is_writing_ = false, is_ending_ = false;
  std::uint64_t dropped_ = 0, told_dropped_ = 0;
  std::thread thread_;  // last: it uses the other members
};

}  // namespace jostle::server
