#pragma once

#include "shared/command_line/command_line.h"

#include <functional>
#include <string>

namespace jostle::tools {

// The exit codes of all subcommands.
inline constexpr int exit_ok = 0;
// Exit code of verify, diff and bisect if they find a difference, and of other commands if they
// fail for another reason than bad input.
inline constexpr int exit_differs = 1;
inline constexpr int exit_bad_input = 2;  // a file, name or option cannot be used

/// Printer of a subcommand's errors. Example: constexpr Failure fail{"bench link"};
struct Failure {
  const char* command;  // without the name of the program

  /// Prints the error as one line on stderr and returns the exit code.
  int operator()(const std::string& words, int code = exit_bad_input) const;
};

/// The function that runs a subcommand after its options were read. Returns the exit code.
using Command = std::function<int()>;

// Each of these functions adds one subcommand to `app` and returns the function that runs it. A
// subcommand reports an error as one line on stderr.
Command add_record(command_line::App app);
Command add_verify(command_line::App app);
Command add_diff(command_line::App app);
Command add_bisect(command_line::App app);
Command add_trace(command_line::App app);
Command add_info(command_line::App app);
Command add_export(command_line::App app);
Command add_bots(command_line::App app);
Command add_bench(command_line::App app);
Command add_check(command_line::App app);
Command add_net(command_line::App app);
Command add_snapshot_decoder(command_line::App app);
Command add_load_bots(command_line::App app);
Command add_load_noise(command_line::App app);
Command add_simulate(command_line::App app);
Command add_state(command_line::App app);
Command add_token(command_line::App app);
Command add_psk(command_line::App app);
Command add_key(command_line::App app);

// The subcommands of `bench`: `snapshots`, `link`, `server`, `rollback`, `web`
// and `audience`.
Command add_snapshot_bench(command_line::App bench);
Command add_link_bench(command_line::App bench);
Command add_server_bench(command_line::App bench);
Command add_rollback_bench(command_line::App bench);
Command add_web_bench(command_line::App bench);
Command add_audience_bench(command_line::App bench);

}  // namespace jostle::tools
