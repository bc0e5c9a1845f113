#pragma once

#include <CLI/CLI.hpp>

#include <functional>

namespace jostle::tools {

// Exit codes of every subcommand.
inline constexpr int exit_ok = 0;
inline constexpr int exit_differs = 1;    // verify: the run went another way; others: it failed
inline constexpr int exit_bad_input = 2;  // a file, a name or an option that cannot be used

/// What a subcommand does once its options are read.
using Command = std::function<int()>;

// Each adds its subcommand and returns what it does; one line to stderr says what went wrong.
Command add_record(CLI::App& app);
Command add_verify(CLI::App& app);
Command add_diff(CLI::App& app);
Command add_bisect(CLI::App& app);
Command add_trace(CLI::App& app);
Command add_info(CLI::App& app);
Command add_export(CLI::App& app);
Command add_bots(CLI::App& app);
Command add_bench(CLI::App& app);
Command add_check(CLI::App& app);
Command add_net(CLI::App& app);
Command add_snapshot_decoder(CLI::App& app);
Command add_load_bots(CLI::App& app);
Command add_load_noise(CLI::App& app);
Command add_token(CLI::App& app);
Command add_psk(CLI::App& app);
Command add_key(CLI::App& app);

// `snapshots`, `link` and `server`, below `bench`.
Command add_snapshot_bench(CLI::App& bench);
Command add_link_bench(CLI::App& bench);
Command add_server_bench(CLI::App& bench);

}  // namespace jostle::tools
