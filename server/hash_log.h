#pragma once

#include "shared/journal/executor.h"
#include "shared/net/io.h"
#include "shared/state/tick.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace jostle::server {

/// Text file with a line `tick hash` (16 hexadecimal digits) per snapshot, for comparison with the
/// hash logs of clients. The hashes of snapshots are never sent over the network.
class HashLog {
 public:
  /// Empties the file. `path` is its name for messages. The lines are written by `writer`, which
  /// must outlive this object. If a write fails, lines are lost, and later ones are written when
  /// the disk takes them again; both are logged.
  HashLog(std::unique_ptr<net::OutputFile> file, std::string path, journal::Executor& writer);
  ~HashLog();
  HashLog(const HashLog&) = delete;
  HashLog& operator=(const HashLog&) = delete;

  void add(state::Tick tick, std::uint64_t hash);
  /// Writes pending lines and waits for them, for at most 10 s. Returns the error of the first
  /// write that has failed so far; null if none has.
  std::optional<net::IoError> flush();
  /// Returns the number of lines that were added.
  std::uint64_t lines() const { return lines_; }
  /// Returns the number of lines that were not written, because the disk was full or too slow. Call
  /// it after flush().
  std::uint64_t lines_lost() const { return dropped_ + target_->lost; }

 private:
  void pass_on();

  /// The part that the writer uses.
  struct Target {
    std::unique_ptr<net::OutputFile> file;
    std::string path{};
    std::optional<net::IoError> error{};  // the first one
    std::uint64_t lost = 0;               // lines
    bool is_failing = false;              // the newest write has failed

    void write(const std::string& text, std::uint64_t lines);
  };
  std::shared_ptr<Target> target_;
  journal::Executor& writer_;
  std::string pending_;
  std::uint64_t lines_ = 0, pending_lines_ = 0, dropped_ = 0;
};

}  // namespace jostle::server
