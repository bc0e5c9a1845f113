#pragma once

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
  /// Empties the file.
  explicit HashLog(std::unique_ptr<net::OutputFile> file);
  ~HashLog();
  HashLog(const HashLog&) = delete;
  HashLog& operator=(const HashLog&) = delete;

  void add(state::Tick tick, std::uint64_t hash);
  /// Writes pending lines. Returns the error of the first write that has failed so far; null if
  /// none has.
  std::optional<net::IoError> flush();
  /// Returns the number of lines that were added.
  std::uint64_t lines() const { return lines_; }

 private:
  std::unique_ptr<net::OutputFile> file_;
  std::string pending_;
  std::uint64_t lines_ = 0;
  std::optional<net::IoError> error_;
};

}  // namespace jostle::server
