#include "server/command_line.h"

#include "server/seed_fault.h"
#include "shared/base/nan_fault.h"
#include "shared/base/parse_number.h"
#include "shared/command_line/command_line.h"
#include "shared/keyring/folders.h"
#include "shared/net/net_sim.h"
#include "shared/record/timed_fault.h"
#include "shared/rewind/rollback_check.h"
#include "shared/version/version_report.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace jostle::server {
namespace {

constexpr double max_duration_seconds = 1e9, max_ring_seconds = 86'400;

/// What the command line says of who may come in; empty where it says nothing.
struct AccessTexts {
  std::string auth, psk, keys;
};

void add_access_options(command_line::App app, CommandLine& options, AccessTexts& texts) {
  app.add_option("--auth", texts.auth,
                 "Who may come in: token (who has one of `jostle token issue`), psk (who has the "
                 "key of --psk), none (everybody). Without it: token where --bind is reached from "
                 "beyond this machine, none elsewhere")
      .check([](const std::string& text) {
        return text == "token" || text == "psk" || text == "none"
                   ? std::string()
                   : "'" + text + "' is none of token, psk, none";
      })
      .type_name("MODE");
  app.add_option("--psk", texts.psk,
                 "The file with the key that everybody who may come in has, from `jostle psk new`; "
                 "means --auth psk")
      .check(command_line::is_not_empty())
      .type_name("FILE");
  app.add_option("--keys", texts.keys,
                 "Folder of this server's keys and tokens, made where it is missing. Without it: "
                 "~/.config/jostle/server; and on this machine alone, with --auth none or psk, a "
                 "key that ends with the server")
      .check(command_line::is_not_empty())
      .type_name("DIR");
  app.add_flag("--insecure", options.is_insecure,
               "Let everybody in from beyond this machine, too: means --auth none. What is sent is "
               "sealed, but nobody is asked who he is");
}

/// What is wrong with what was said, or nothing: then `options` has it.
std::string take_access(const AccessTexts& texts, CommandLine& options) {
  const bool is_local = net::is_loopback(options.address);
  std::string auth = texts.auth;
  if (auth.empty())
    auth = !texts.psk.empty() ? "psk" : options.is_insecure || is_local ? "none" : "token";
  if (auth != "psk" && !texts.psk.empty()) return "--psk goes with --auth psk, not " + auth;
  if (auth == "psk" && texts.psk.empty())
    return "--auth psk needs --psk FILE (`jostle psk new FILE` makes one)";
  if (auth != "none" && options.is_insecure)
    return "--insecure lets everybody in: it goes with --auth none, not " + auth;
  if (auth == "none" && !is_local && !options.is_insecure) {
    return (options.is_on_lan ? "--lan" : "--bind " + net::to_string(options.address.ip)) +
           " is reached from beyond this machine: --auth none, which lets everybody in, takes "
           "--insecure there";
  }
  options.access.mode = auth == "token" ? secure::AccessMode::Token
                        : auth == "psk" ? secure::AccessMode::SharedKey
                                        : secure::AccessMode::Open;
  options.access.psk_path = texts.psk;
  options.access.keys_folder = texts.keys;
  if (!texts.keys.empty() || (auth != "token" && is_local)) return {};
  const auto folder = keyring::config_folder();
  if (!folder) return std::string(keyring::no_config_folder) + ": --keys DIR says where keys are";
  options.access.keys_folder = *folder + "/server";
  return {};
}

ParsedCommandLine refused(const std::string& words) {
  std::fprintf(stderr, "jostled: %s (see jostled --help)\n", words.c_str());
  return {.options = {}, .exit_code = 2};
}

std::string rate_fault(const std::string& text) {
  constexpr int least_kbps = 64, most_kbps = 10'000'000;
  const auto rate = base::parse_number<int>(text);
  const bool is_one = rate && (*rate == 0 || (*rate >= least_kbps && *rate <= most_kbps));
  return is_one ? std::string() : "'" + text + "' is neither 0 nor 64 to 10000000";
}

const std::map<std::string, base::LogLevel> log_levels{{"debug", base::LogLevel::Debug},
                                                       {"info", base::LogLevel::Info},
                                                       {"warn", base::LogLevel::Warn},
                                                       {"error", base::LogLevel::Error}};

/// What is worked on before it stands in CommandLine.
struct Texts {
  std::string bind = "127.0.0.1", level = "info", record;
  std::string mode = "snapshots", on_desync = "go-on";
  std::vector<std::string> faults;
  int max_rate_kbps = 0;
  AccessTexts access;
};

void add_world_options(command_line::App app, CommandLine& options) {
  app.begin_group("World");
  app.add_option("--scene", options.scene, "Name of a scene in scenes/, or a path")
      .type_name("SCENE")
      .capture_default_str();
  app.add_option("--hz", options.server.tick_rate_hz, "Ticks per second")
      .check(command_line::in_range(state::min_tick_rate_hz, state::max_tick_rate_hz))
      .type_name("HZ")
      .capture_default_str();
  app.add_option("--snapshot-interval", options.server.snapshot_interval_ticks,
                 "Ticks from one snapshot to the next")
      .check(command_line::in_range(1, 10))
      .type_name("TICKS")
      .capture_default_str();
  app.add_option("--seed", options.server.seed, "Of the random numbers that rules draw")
      .check(seed_fault)
      .type_name("N")
      .capture_default_str();
}

void add_address_options(command_line::App app, CommandLine& options, Texts& texts) {
  app.begin_group("Address, and who may come in");
  app.add_option("--port", options.address.port, "UDP port; 0 lets the system choose")
      .check(command_line::in_range(0, 65535))
      .type_name("PORT")
      .capture_default_str();
  app.add_option("--bind", texts.bind,
                 "IPv4 or IPv6 address to listen at; :: is all of this machine's")
      .check(net::ip_fault)
      .type_name("IP")
      .capture_default_str();
  app.add_flag("--lan", options.is_on_lan,
               "Listen at all addresses, and be found on the local network: jostle-view --lan. Who "
               "may come in is as with --bind ::");
  add_access_options(app, options, texts.access);
}

void add_client_options(command_line::App app, CommandLine& options, Texts& texts) {
  app.begin_group("Clients");
  app.add_option("--max-players", options.server.max_players, "Players at the same time")
      .check(command_line::in_range(1, 1000))
      .type_name("N")
      .capture_default_str();
  app.add_option("--max-clients", options.server.max_sessions, "Players and spectators together")
      .check(command_line::in_range(1, 4000))
      .type_name("N")
      .capture_default_str();
  app.add_option(
         "--max-rate", texts.max_rate_kbps,
         "Send each client at most so many kbit/s of world and snapshots, what matters most to it "
         "first; 0: what its link takes")
      .check(rate_fault)
      .type_name("KBPS")
      .capture_default_str();
  app.add_option("--keep-places", options.server.keep_place_seconds,
                 "Keep body and place of a player whose connection broke for so long")
      .check(command_line::in_range(0.0, 86'400.0))
      .check(base::nan_fault)
      .type_name("SECONDS")
      .capture_default_str();
  app.add_option("--name", options.server.name, "What clients see")
      .type_name("TEXT")
      .capture_default_str();
  app.add_option(
         "--net-sim", options.net_sim,
         "Put a bad network in front of this end: LATENCY/JITTER/LOSS% each way, in ms, or " +
             net::net_profile_names())
      .check(net::net_sim_fault)
      .type_name("NETWORK");
  app.add_flag("--sandbox", options.server.is_sandbox,
               "Let every client pause, step, slow down, reset and change the scene");
  app.add_flag("--foresee", options.server.foresees,
               "Code snapshots for predicting clients by simulating ahead: fewer bytes, more work");
}

void add_lockstep_options(command_line::App app, CommandLine& options, Texts& texts) {
  app.begin_group("Lockstep");
  app.add_option(
         "--mode", texts.mode,
         "lockstep: tell those who ask for it (jostle-view --lockstep) what is done in each "
         "tick, and compare their hashes; others get snapshots in both modes")
      .check(command_line::one_of({"snapshots", "lockstep"}))
      .capture_default_str();
  app.add_option(
         "--on-desync", texts.on_desync,
         "When a peer's simulation has parted from the server's, which is written down; with stop, "
         "whoever may come in can end the server by saying so")
      .check(command_line::one_of({"go-on", "stop"}))
      .capture_default_str();
  app.add_option("--inject", texts.faults,
                 "Flip the last bit of a body's number after a tick, such as "
                 "ulp:1841:37:linear_velocity.y")
      .check(record::why_no_fault)
      .type_name("ulp:TICK:BODY:FIELD");
  app.add_option("--sync-test", options.server.sync_test_ticks,
                 "In each tick, also go so many back, do them again and compare; ends with 1 where "
                 "one came out otherwise")
      .check(command_line::in_range(0, rewind::RollbackCheck::max_ticks))
      .type_name("TICKS")
      .capture_default_str();
}

void add_output_options(command_line::App app, CommandLine& options, Texts& texts) {
  app.begin_group("Output, and the end");
  app.add_option("--record", texts.record,
                 "Write the run to this .jrec file; ring: keep the last --record-seconds of it in "
                 "memory, and write them to a file of --record-folder when SIGUSR1 comes; off")
      .type_name("off|ring|FILE")
      .default_str("off, in lockstep ring");
  app.add_option("--record-seconds", options.recording.seconds, "So far back --record ring reaches")
      .check(command_line::in_range(1.0, max_ring_seconds))
      .check(base::nan_fault)
      .type_name("SECONDS")
      .capture_default_str();
  app.add_option("--record-folder", options.recording.folder, "Where --record ring makes its files")
      .check(command_line::is_folder())
      .type_name("DIR")
      .capture_default_str();
  app.add_option("--hash-log", options.hash_log_path,
                 "Write a line 'tick hash' per snapshot to this file")
      .type_name("FILE");
  app.add_option("--duration", options.duration_seconds, "Stop after so many seconds; 0: never")
      .check(command_line::in_range(0.0, max_duration_seconds))
      .check(base::nan_fault)
      .type_name("SECONDS")
      .capture_default_str();
  app.add_option("--log", texts.level, "Least important lines to print: debug, info, warn, error")
      .check([](const std::string& text) {
        return log_levels.contains(text) ? std::string()
                                         : "'" + text + "' is none of debug, info, warn, error";
      })
      .type_name("LEVEL")
      .capture_default_str();
}

void take_lockstep(const Texts& texts, CommandLine& options) {
  options.server.is_lockstep = texts.mode == "lockstep";
  options.stops_on_desync = texts.on_desync == "stop";
  options.faults = record::parse_faults(texts.faults);
  // What has parted is to be looked into.
  if (options.server.is_lockstep && texts.record.empty())
    options.recording.mode = RecordingOptions::Mode::Ring;
}

}  // namespace

ParsedCommandLine parse_command_line(int argc, char** argv) {
  ParsedCommandLine parsed;
  CommandLine& options = parsed.options;
  Texts texts;
  command_line::Program app{"jostled",
                            "jostled steps a physics world and sends it to whoever connects."};
  app.set_version(version::version_report("jostled"));
  add_world_options(app, options);
  add_address_options(app, options, texts);
  add_client_options(app, options, texts);
  add_lockstep_options(app, options, texts);
  add_output_options(app, options, texts);
  if (const auto ending = app.parse(argc, argv)) {
    if (ending->is_refused) return refused(ending->words);
    std::puts(ending->words.c_str());
    parsed.exit_code = 0;
    return parsed;
  }
  const auto given = app.given();
  if (options.is_on_lan && std::find(given.begin(), given.end(), "--bind") != given.end())
    return refused("--lan and --bind exclude each other: --lan listens at all addresses");
  options.address.ip = options.is_on_lan ? net::any_ip6 : *net::parse_ip(texts.bind);
  if (const std::string fault = take_access(texts.access, options); !fault.empty())
    return refused(fault);
  take_record_text(texts.record.empty() ? "off" : texts.record, options.recording);
  take_lockstep(texts, options);
  options.log_level = log_levels.at(texts.level);
  if (texts.max_rate_kbps > 0)
    options.server.max_client_bytes_per_second = texts.max_rate_kbps * 125.0;
  return parsed;
}

}  // namespace jostle::server
