#pragma once

#include "shared/http/server.h"

#include "gate/viewer.h"
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace jostle::gate {

/// Options of `jostle-gate` from its command line.
struct CommandLine {
  struct NamedSocket {
    std::string name, socket_path;
  };
  std::vector<NamedSocket> rooms;
  /// A room of a relay.
  struct NamedServer {
    std::string name;
    net::Address server;
  };
  std::vector<NamedServer> relays;
  std::string relay_token;  // text, or "@FILE"; empty: none
  double relay_delay_seconds = 0;
  std::size_t room_count() const { return rooms.size() + relays.size(); }
  http::ServerOptions server;
  std::string page_folder;  // empty: no page
  std::string url;          // address for users; empty: from the listening address
  std::vector<std::string> embedders;
  ViewerLimits limits;
  std::size_t max_viewers = 1'000;
  std::size_t direct_viewers = 32;
  bool is_quiet = false;          // does not print the URL
  bool stops_with_input = false;  // stops at the end of the standard input
};

/// Result of parsing. `exit_code` is set if the program must end: 0 after --help or --version, 2
/// after a one-line error message. The output has then been printed already.
struct ParsedCommandLine {
  CommandLine options;
  std::optional<int> exit_code;
};
ParsedCommandLine parse_command_line(int argc, char** argv);

}  // namespace jostle::gate
