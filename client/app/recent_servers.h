#pragma once

#include "shared/net/io.h"

#include <cstddef>
#include <string>
#include <vector>

namespace jostle::client_app {

/// The servers that the user has joined, newest first, at most `most`. They are stored in a file
/// beside the file of known servers, one HOST:PORT per line. The file holds no secrets.
class RecentServers {
 public:
  static constexpr std::size_t most = 20;

  /// Reads the file at `path`, if it exists. Invalid lines are logged and skipped. If `path` is
  /// empty, the list stays empty: nothing is read, and add() does nothing.
  RecentServers(net::Io& io, std::string path);

  const std::vector<std::string>& servers() const { return servers_; }
  /// Makes `server` the newest entry and rewrites the file. Ignores a `server` that is not
  /// HOST:PORT. Errors are logged.
  void add(const std::string& server);

 private:
  void read();

  net::Io& io_;
  std::string path_;
  std::vector<std::string> servers_;
};

}  // namespace jostle::client_app
