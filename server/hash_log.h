#pragma once

#include "shared/net/io.h"
#include "shared/state/tick.h"

#include <cstdint>
#include <string>

namespace jostle::server {

/// A text file with a line `tick hash` (hash as 16 hexadecimal digits) for each snapshot, to be
/// compared with those of clients. Hashes never cross the wire.
class HashLog {
 public:
  /// Replaces the file.
  HashLog(net::Io& io, std::string path);
  ~HashLog();
  HashLog(const HashLog&) = delete;
  HashLog& operator=(const HashLog&) = delete;

  void add(state::Tick tick, std::uint64_t hash);
  /// False once lines could not be written.
  bool flush();

 private:
  net::Io& io_;
  std::string path_;
  std::string pending_;
  bool is_healthy_ = true;
};

}  // namespace jostle::server
