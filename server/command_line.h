#pragma once

#include "server/access.h"
#include "server/options.h"
#include "server/recorder.h"
#include "shared/base/log.h"
#include "shared/net/io.h"
#include "shared/record/timed_fault.h"

#include <cstdint>
#include <optional>
#include <string>

namespace jostle::server {

/// What `jostled` was asked to do.
struct CommandLine {
  Options server;
  std::string scene = "crates";
  net::Address address{net::loopback_ip, 7777};
  bool is_on_lan = false;    // listens at all addresses, and answers who looks for servers
  bool is_insecure = false;  // everybody may come in from beyond this machine
  AccessOptions access;
  std::string net_sim;  // empty: none; else net::parse_net_sim takes it
  RecordingOptions recording;
  std::string hash_log_path;     // empty: none
  record::FaultsByTick faults;   // on purpose
  bool stops_on_desync = false;  // ends when a peer's simulation has parted from ours
  double duration_seconds = 0;   // 0: until a signal
  base::LogLevel log_level = base::LogLevel::Info;
};

/// Reads the command line; where the program ends with it (help, version, error), `exit_code` is
/// set and everything has been printed: 0, or 2 after one line that says what is wrong.
struct ParsedCommandLine {
  CommandLine options;
  std::optional<int> exit_code;
};
ParsedCommandLine parse_command_line(int argc, char** argv);

}  // namespace jostle::server
