#pragma once

#include "server/access.h"
#include "server/options.h"
#include "server/recorder.h"
#include "server/state_folder.h"
#include "server/web_access.h"
#include "shared/base/log.h"
#include "shared/net/io.h"
#include "shared/record/timed_fault.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace jostle::server {

/// Options of `jostled` from its command line.
struct CommandLine {
  Options server;
  std::string scene = "crates";
  /// Those of --scene, --hz and --seed that were given. They count only while a state folder is
  /// new.
  std::vector<std::string> world_options;
  net::Address address{net::loopback_ip, 7777};
  bool is_on_lan = false;    // listens on all addresses and answers LAN discovery
  bool is_insecure = false;  // allows clients from beyond this machine without authentication
  AccessOptions access;
  WebOptions web;
  std::string net_sim;  // description for net::parse_net_sim; empty: no simulated network
  RecordingOptions recording;
  StateOptions state;
  std::string hash_log_path;     // empty: none
  record::FaultsByTick faults;   // injected faults, for tests
  bool stops_on_desync = false;  // stops the server at the first desync of a lockstep client
  double duration_seconds = 0;   // s; 0: until a signal
  base::LogLevel log_level = base::LogLevel::Info;
  double status_interval_seconds = 0;  // interval of status lines in the log; 0: none
};

/// Returns the number of ticks of --duration, rounded up so that a duration shorter than a tick has
/// one tick; 0 if the run ends with a signal.
std::uint64_t ticks_of_run(const CommandLine& options);

/// Result of parsing. `exit_code` is set if the program must end: 0 after --help or --version, 2
/// after a one-line error message. The output has then been printed already.
struct ParsedCommandLine {
  CommandLine options;
  std::optional<int> exit_code;
};
ParsedCommandLine parse_command_line(int argc, char** argv);

}  // namespace jostle::server
