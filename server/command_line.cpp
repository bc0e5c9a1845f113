#include "server/command_line.h"

#include "server/seed_fault.h"
#include "shared/base/nan_fault.h"
#include "shared/base/version.h"
#include "shared/net/net_sim.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <cstdlib>
#include <map>

namespace jostle::server {
namespace {

constexpr double max_duration_seconds = 1e9;

}  // namespace

ParsedCommandLine parse_command_line(int argc, char** argv) {
  ParsedCommandLine parsed;
  CommandLine& options = parsed.options;
  std::string bind = "127.0.0.1";
  int max_rate_kbps = 0;

  CLI::App app{"jostled steps a physics world and sends it to whoever connects.", "jostled"};
  app.set_version_flag("--version", base::build_description());
  app.add_option("--scene", options.scene, "Name of a scene in scenes/, or a path")
      ->capture_default_str();
  app.add_option("--port", options.address.port, "UDP port; 0 lets the system choose")
      ->check(CLI::Range(0, 65535))
      ->capture_default_str();
  app.add_option("--bind", bind, "IPv4 or IPv6 address to listen at; :: is all of this machine's")
      ->check(net::ip_fault)
      ->type_name("IP")
      ->capture_default_str();
  app.add_flag("--insecure", options.is_insecure,
               "Allow --bind beyond this machine: everybody who reaches it may come in");
  app.add_option("--hz", options.server.tick_rate_hz, "Ticks per second")
      ->check(CLI::Range(state::min_tick_rate_hz, state::max_tick_rate_hz))
      ->capture_default_str();
  app.add_option("--snapshot-interval", options.server.snapshot_interval_ticks,
                 "Ticks from one snapshot to the next")
      ->check(CLI::Range(1, 10))
      ->capture_default_str();
  app.add_option("--seed", options.server.seed, "Of the random numbers that rules draw")
      ->check(seed_fault)
      ->capture_default_str();
  app.add_option("--max-players", options.server.max_players, "Players at the same time")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_option("--max-clients", options.server.max_sessions, "Players and spectators together")
      ->check(CLI::Range(1, 4000))
      ->capture_default_str();
  app.add_option("--max-rate", max_rate_kbps,
                 "Send each client at most so many kbit/s of snapshots, what matters most to it "
                 "first; 0: what its link takes")
      ->check(CLI::Range(0, 10'000'000))
      ->check([](const std::string& text) {
        const int rate = std::atoi(text.c_str());
        return rate == 0 || rate >= 64 ? std::string()
                                       : "'" + text + "' is neither 0 nor 64 or more";
      })
      ->type_name("KBPS")
      ->capture_default_str();
  app.add_option("--keep-places", options.server.keep_place_seconds,
                 "Keep body and place of a player whose connection broke for so long")
      ->check(CLI::Range(0.0, 86'400.0))
      ->check(base::nan_fault)
      ->type_name("SECONDS")
      ->capture_default_str();
  app.add_option("--name", options.server.name, "What clients see")->capture_default_str();
  app.add_option(
         "--net-sim", options.net_sim,
         "Put a bad network in front of this end: LATENCY/JITTER/LOSS% each way, in ms, or " +
             net::net_profile_names())
      ->check(net::net_sim_fault)
      ->type_name("NETWORK");
  app.add_flag("--sandbox", options.server.is_sandbox,
               "Let every client pause, step, slow down, reset and change the scene");
  app.add_flag("--foresee", options.server.foresees,
               "Code snapshots for predicting clients by simulating ahead: fewer bytes, more work");
  app.add_option("--record", options.record_path, "Write the run to this .jrec file");
  app.add_option("--hash-log", options.hash_log_path,
                 "Write a line 'tick hash' per snapshot to this file");
  app.add_option("--duration", options.duration_seconds, "Stop after so many seconds; 0: never")
      ->check(CLI::Range(0.0, max_duration_seconds))
      ->check(base::nan_fault)
      ->capture_default_str();
  const std::map<std::string, base::LogLevel> levels{{"debug", base::LogLevel::Debug},
                                                     {"info", base::LogLevel::Info},
                                                     {"warn", base::LogLevel::Warn},
                                                     {"error", base::LogLevel::Error}};
  std::string level = "info";
  app.add_option("--log", level, "Least important lines to print: debug, info, warn, error")
      ->check([&levels](const std::string& text) {
        return levels.contains(text) ? std::string()
                                     : "'" + text + "' is none of debug, info, warn, error";
      })
      ->capture_default_str();

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& wanted) {
    parsed.exit_code = app.exit(wanted);
    return parsed;
  } catch (const CLI::ParseError& error) {
    std::fprintf(stderr, "jostled: %s (see jostled --help)\n", error.what());
    parsed.exit_code = 2;
    return parsed;
  }
  options.address.ip = *net::parse_ip(bind);
  options.log_level = levels.at(level);
  if (max_rate_kbps > 0) options.server.max_client_bytes_per_second = max_rate_kbps * 125.0;
  return parsed;
}

}  // namespace jostle::server
