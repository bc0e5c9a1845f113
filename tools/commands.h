#pragma once

#include "shared/command_line/command_line.h"

#include <functional>

namespace jostle::tools {

// Exit codes of every subcommand.
inline constexpr int exit_ok = 0;
inline constexpr int exit_differs = 1;    // verify: the run went another way; others: it failed
inline constexpr int exit_bad_input = 2;  // a file, a name or an option that cannot be used

/// What a subcommand does once its options are read.
using Command = std::function<int()>;

// Each adds its subcommand and returns what it does; one line to stderr says what went wrong.
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
Command add_token(command_line::App app);
Command add_psk(command_line::App app);
Command add_key(command_line::App app);

// `snapshots`, `link`, `server` and `rollback`, below `bench`.
Command add_snapshot_bench(command_line::App bench);
Command add_link_bench(command_line::App bench);
Command add_server_bench(command_line::App bench);
Command add_rollback_bench(command_line::App bench);

}  // namespace jostle::tools
