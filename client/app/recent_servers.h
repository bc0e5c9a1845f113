#pragma once

#include "shared/net/io.h"

#include <cstddef>
#include <string>
#include <vector>

namespace jostle::client_app {

/// The servers that the user has been to, the newest first: a line HOST:PORT each of a file beside
/// known_servers. Nothing of it is a secret; losing it costs some typing.
class RecentServers {
 public:
  static constexpr std::size_t most = 20;

  /// Reads the file at `path`, where there is one. A line that is no server is logged and left out.
  /// Empty path: nothing is kept.
  RecentServers(net::Io& io, std::string path);

  const std::vector<std::string>& servers() const { return servers_; }
  /// The newest now: writes the file anew. What goes wrong is logged.
  void add(const std::string& server);

 private:
  void read();

  net::Io& io_;
  std::string path_;
  std::vector<std::string> servers_;
};

}  // namespace jostle::client_app
