#include "server/command_line.h"

#include "protocol/player_name.h"
#include "shared/base/program_names.h"
#include "shared/command_line/command_line.h"
#include "shared/command_line/suggestion.h"
#include "shared/keyring/folders.h"
#include "shared/program_options/program_options.h"
#include "shared/record/timed_fault.h"
#include "shared/scene_files/scene_files.h"
#include "shared/version/version_report.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>

namespace jostle::server {
namespace {

constexpr double max_duration_seconds = 1e9, max_ring_seconds = 86'400;

/// Values of the access options; empty if an option was not given.
struct AccessTexts {
  std::string auth, psk, keys;
};

void add_access_options(command_line::App app, CommandLine& options, AccessTexts& texts) {
  app.add_option(
         "--auth", texts.auth,
         "Authentication of clients: token (each client needs a token from `" +
             base::program_names().tool +
             " token issue`), psk (clients need the shared key of --psk), none. Default: none if "
             "--bind is a loopback address, token otherwise")
      .check([](const std::string& text) {
        return command_line::word_fault(text, {"token", "psk", "none"});
      })
      .type_name("MODE");
  app.add_option("--psk", texts.psk,
                 "File with the key that all clients share, created by `" +
                     base::program_names().tool + " psk new`; implies --auth psk")
      .type_name("FILE");
  app.add_option(
         "--keys", texts.keys,
         "Folder of this server's keys and tokens, created if it is missing. Default: "
         "~/.config/jostle/server; if --bind is a loopback address and --auth is not token, "
         "DIR/keys with --state DIR, and otherwise a temporary key that is not stored")
      .type_name("DIR");
  app.add_flag("--insecure", options.is_insecure,
               "Allow clients from other machines without authentication; implies --auth none. "
               "Traffic is still encrypted");
}

/// Copies the access options to `options`. Returns an error message if they are invalid, otherwise
/// an empty string.
std::string take_access(const AccessTexts& texts, CommandLine& options) {
  const bool is_web_local =
      options.web.listen.empty() || net::is_loopback(*net::parse_endpoint(options.web.listen));
  const bool is_local = net::is_loopback(options.address) && is_web_local;
  std::string auth = texts.auth;
  if (auth.empty())
    auth = !texts.psk.empty() ? "psk" : options.is_insecure || is_local ? "none" : "token";
  if (auth != "psk" && !texts.psk.empty()) return "--psk requires --auth psk, not " + auth;
  if (auth == "psk" && texts.psk.empty())
    return "--auth psk requires --psk FILE (`" + base::program_names().tool +
           " psk new FILE` creates one)";
  if (auth != "none" && options.is_insecure)
    return "--insecure turns authentication off: it requires --auth none, not " + auth;
  if (auth == "none" && !is_local && !options.is_insecure) {
    return (!is_web_local       ? "--web " + options.web.listen
            : options.is_on_lan ? "--lan"
                                : "--bind " + net::to_string(options.address.ip)) +
           " can be reached from other machines: to serve them without authentication (--auth "
           "none), add --insecure";
  }
  options.access.mode = auth == "token" ? secure::AccessMode::Token
                        : auth == "psk" ? secure::AccessMode::SharedKey
                                        : secure::AccessMode::Open;
  options.access.psk_path = texts.psk;
  options.access.keys_folder = texts.keys;
  if (!texts.keys.empty() || (auth != "token" && is_local)) return {};
  const auto folder = keyring::config_folder();
  if (!folder)
    return std::string(keyring::no_config_folder) + ": give a folder for the keys with --keys DIR";
  options.access.keys_folder = *folder + "/server";
  return {};
}

ParsedCommandLine refused(const std::string& words) {
  std::fprintf(stderr, "jostled: %s (see %s --help)\n", words.c_str(),
               base::program_names().server.c_str());
  return {.options = {}, .exit_code = 2};
}

const std::map<std::string, base::LogLevel> log_levels{{"debug", base::LogLevel::Debug},
                                                       {"info", base::LogLevel::Info},
                                                       {"warn", base::LogLevel::Warn},
                                                       {"error", base::LogLevel::Error}};

/// Option values that need conversion before they go into CommandLine.
struct Texts {
  std::string bind = "127.0.0.1", level = "info", record;
  std::string mode = "snapshots";
  std::string durability = "group";
  int state_quota_mib = 1'024, record_quota_mib = 0;
  int max_per_address = -1;  // -1: the default
  std::vector<std::string> faults;
  int max_rate_kbps = 0;
  AccessTexts access;
};

void add_world_options(command_line::App app, CommandLine& options) {
  app.begin_group("World");
  app.add_option("--scene", options.scene, "Name of a scene in scenes/, or a path")
      .type_name("SCENE")
      .capture_default_str();
  program_options::add_tick_rate(app, options.server.tick_rate_hz);
  program_options::add_snapshot_interval(app, options.server.snapshot_interval_ticks);
  program_options::add_seed(app, options.server.seed, "Seed of the random numbers that rules use");
}

void add_address_options(command_line::App app, CommandLine& options, Texts& texts) {
  app.begin_group("Address and authentication");
  app.add_option("--port", options.address.port, "UDP port; 0: chosen by the operating system")
      .check(command_line::in_range(0, 65535))
      .type_name("PORT")
      .capture_default_str();
  app.add_option("--bind", texts.bind,
                 "IPv4 or IPv6 address to listen on; :: means all addresses of this machine")
      .check(net::ip_fault)
      .type_name("IP")
      .capture_default_str();
  app.add_flag("--lan", options.is_on_lan,
               "Listen on all addresses and answer discovery on the local network (" +
                   base::program_names().view + " --lan). Authentication is as with --bind ::");
  add_access_options(app, options, texts.access);
}

constexpr const char* default_web_address = "127.0.0.1:7780";

/// Returns the arguments with the default address after a --web without one.
std::vector<std::string> with_web_address(int argc, char** argv) {
  std::vector<std::string> arguments(argv, argv + argc);
  for (std::size_t i = 1; i < arguments.size(); ++i) {
    const bool has_value = i + 1 < arguments.size() && !arguments[i + 1].starts_with('-');
    if (arguments[i] == "--web" && !has_value)
      arguments[i] = std::string("--web=") + default_web_address;
  }
  return arguments;
}

void add_web_options(command_line::App app, CommandLine& options) {
  app.begin_group("Browsers");
  app.add_option("--web", options.web.listen,
                 "Start jostle-gate, which serves the page and its data at this TCP address; port "
                 "0: any free port. Without a value: 127.0.0.1:7780")
      .check([](const std::string& text) {
        const auto endpoint = net::parse_endpoint(text);
        return endpoint ? std::string() : endpoint.error();
      })
      .type_name("[IP:PORT]");
  app.add_option("--web-page", options.web.page_folder, "Folder of the page that --web serves")
      .check(command_line::is_folder())
      .type_name("DIR")
      .default_str("the installed page");
  app.add_option("--web-gate", options.web.gate_arguments,
                 "Argument for the gate that --web starts, such as --web-gate=--host=example.org. "
                 "May be given several times")
      .one_each()
      .type_name("ARGUMENT");
  app.add_option("--web-socket", options.web.socket_path,
                 "Path of a Unix socket for a jostle-gate that is started separately")
      .type_name("PATH");
  app.add_option("--web-user", options.web.socket_user,
                 "Another user whose gate may connect to --web-socket. This process must be a "
                 "member of that user's group")
      .type_name("USER");
  app.add_flag("--web-public", options.web.is_public,
               "Admit viewers in browsers without a token as spectators, although clients need a "
               "token or a key");
}

/// Returns an error message if the web options contradict each other, otherwise an empty string.
std::string fault_of_web(const std::vector<std::string>& given, const WebOptions& web) {
  const auto is_given = [&](const char* name) {
    return std::find(given.begin(), given.end(), name) != given.end();
  };
  if (is_given("--web-user") && web.socket_path.empty()) return "--web-user needs --web-socket";
  for (const char* const name : {"--web-page", "--web-gate"})
    if (is_given(name) && web.listen.empty()) return std::string(name) + " needs --web";
  if (web.is_public && !web.is_wanted()) return "--web-public needs --web or --web-socket";
  return {};
}

void add_client_options(command_line::App app, CommandLine& options, Texts& texts) {
  app.begin_group("Clients");
  app.add_option("--max-players", options.server.max_players,
                 "Maximum number of players; raises --max-clients to it if that is not given")
      .check(command_line::in_range(1, 1000))
      .type_name("N")
      .capture_default_str();
  app.add_option("--max-clients", options.server.max_sessions,
                 "Maximum number of players plus spectators; lowers --max-players to it if that is "
                 "not given")
      .check(command_line::in_range(1, 4000))
      .type_name("N")
      .capture_default_str();
  app.add_option("--max-per-address", texts.max_per_address,
                 "Maximum number of places of one address (IPv6: one /64); an eighth of the places "
                 "is kept for addresses without one. 0: no limit. Default: half of the places for "
                 "remote addresses, no limit for this machine")
      .check(command_line::in_range(0, 4000))
      .type_name("N")
      .default_str("half");
  app.add_option("--idle-timeout", options.server.idle_seconds,
                 "Time without an input after which a player loses its place to a client that "
                 "finds the server full; 0: never")
      .check(command_line::in_range(0.0, 1e6))
      .type_name("SECONDS")
      .capture_default_str();
  program_options::add_max_rate(
      app, texts.max_rate_kbps,
      "Maximum rate of world data and snapshots to each client, in kbit/s; bodies that matter "
      "most to the client are sent first. 0: limited only by the client's link");
  app.add_option("--reconnect-window", options.server.reconnect_window_seconds,
                 "Time in which a player whose connection broke can reconnect to the same body")
      .check(command_line::in_range(0.0, 86'400.0))
      .type_name("SECONDS")
      .capture_default_str();
  app.add_option("--name", options.server.name, "Name of the server, shown to clients")
      .check(protocol::name_fault)
      .type_name("TEXT")
      .capture_default_str();
  program_options::add_net_sim(app, options.net_sim, "Simulate a bad network at this end");
  app.add_flag("--sandbox", options.server.is_sandbox,
               "Allow every client to pause, step, slow down, reset and change the scene");
  app.add_flag(
      "--prediction-baselines", options.server.uses_prediction_baseline,
      "For clients that predict, encode snapshots against a simulated prediction: fewer bytes "
      "when many bodies move, more CPU time");
}

void add_lockstep_options(command_line::App app, CommandLine& options, Texts& texts) {
  app.begin_group("Lockstep");
  app.add_option("--mode", texts.mode,
                 "lockstep: send clients that request it (" + base::program_names().view +
                     " --lockstep) the commands of each tick, and compare state hashes; other "
                     "clients get snapshots in both modes")
      .check(command_line::one_of({"snapshots", "lockstep"}))
      .capture_default_str();
  program_options::add_on_desync(
      app, options.stops_on_desync,
      "Reaction when a lockstep client's state differs from the server's, besides logging and "
      "recording it; stop: end with exit code 1, so any client can end the server by reporting a "
      "difference");
  program_options::add_faults(app, texts.faults);
  program_options::add_sync_test(app, options.server.sync_test_ticks,
                                 "; the exit code is 1 if a hash differs");
}

void add_state_options(command_line::App app, CommandLine& options, Texts& texts) {
  app.begin_group("State");
  app.add_option("--state", options.state.folder,
                 "Folder in which the world is kept: the server continues from there after a "
                 "restart or a crash, with the scene, tick rate and seed of the folder. Created if "
                 "it is missing")
      .type_name("DIR");
  app.add_option("--durability", texts.durability,
                 "Needs --state. none: the state survives the end of the process, not that of the "
                 "machine; group: it is synced to the disk every 50 ms; strict: a tick is sent to "
                 "clients only when it is synced. If the disk is full or takes more than 1 s, the "
                 "log says so, and ticks are sent without that until the disk has caught up; the "
                 "durable tick that clients learn is right all the time")
      .check(command_line::one_of({"none", "group", "strict"}))
      .capture_default_str();
  app.add_option("--state-quota", texts.state_quota_mib,
                 "Needs --state. Size of the journal from which on its oldest files are deleted, "
                 "in MiB; 0: no limit")
      .check(command_line::in_range(0, 1'000'000))
      .type_name("MIB")
      .capture_default_str();
}

/// Returns an error message for an invalid value of --record, otherwise an empty string.
std::string record_fault(const std::string& text) {
  if (text == "off" || text == "ring") return {};
  const std::string fault = program_options::recording_fault(text);
  const std::string hint = command_line::suggestion(text, {"off", "ring"});
  return fault.empty() || hint.empty() ? fault : "'" + text + "' does not end with .jrec" + hint;
}

void add_output_options(command_line::App app, CommandLine& options, Texts& texts) {
  app.begin_group("Output and duration");
  app.add_option("--record", texts.record,
                 "Record the run to this file, which ends with .jrec; an existing file stays as it "
                 "is, and FILE-2.jrec is written. SIGHUP begins the next file; ring: keep the last "
                 "--record-seconds in memory "
                 "and write them to a file in --record-folder on SIGUSR1; off: do not record")
      .check(record_fault)
      .type_name("off|ring|FILE.jrec")
      .default_str("off; ring with --mode lockstep");
  app.add_option("--record-seconds", options.recording.seconds,
                 "Length of the recording that --record ring keeps")
      .check(command_line::in_range(1.0, max_ring_seconds))
      .type_name("SECONDS")
      .capture_default_str();
  program_options::add_record_folder(
      app, options.recording.folder,
      "Folder for the files of --record ring, which are written on SIGUSR1 and after a "
      "desync; created if it is missing");
  app.add_option("--record-quota", texts.record_quota_mib,
                 "Limit in MiB. --record FILE: on the files of this run, the oldest of which is "
                 "deleted; 0: none. --record ring: on the recordings in --record-folder, to which "
                 "none is added any more; 0: 1024")
      .check(command_line::in_range(0, 1'000'000))
      .type_name("MIB")
      .capture_default_str();
  app.add_option("--hash-log", options.hash_log_path,
                 "Write a line 'tick hash' for each snapshot to this text file")
      .check(program_options::log_fault)
      .type_name("FILE");
  app.add_option("--duration", options.duration_seconds, "Stop after this time; 0: never")
      .check(command_line::in_range(0.0, max_duration_seconds))
      .type_name("SECONDS")
      .capture_default_str();
  app.add_option("--log", texts.level,
                 "Lowest level of log lines to print: debug, info, warn, error")
      .check([](const std::string& text) {
        return command_line::word_fault(text, {"debug", "info", "warn", "error"});
      })
      .type_name("LEVEL")
      .capture_default_str();
  app.add_option("--log-status", options.status_interval_seconds,
                 "Log the load of the server at this interval; 0: never")
      .check(command_line::in_range(0.0, 86'400.0))
      .type_name("SECONDS")
      .capture_default_str();
}

/// Ensures that the maximum number of players is at most that of clients. If one of the two options
/// has its default, adjusts the default. Returns an error message if both are given and contradict
/// each other, otherwise an empty string.
std::string take_limits(const std::vector<std::string>& given, Options& options) {
  if (options.max_players <= options.max_sessions) return {};
  const auto is_given = [&](const char* name) {
    return std::find(given.begin(), given.end(), name) != given.end();
  };
  if (is_given("--max-players") && is_given("--max-clients"))
    return "--max-players " + std::to_string(options.max_players) + " is more than --max-clients " +
           std::to_string(options.max_sessions) + ", which counts players and spectators";
  if (is_given("--max-players"))
    options.max_sessions = options.max_players;
  else
    options.max_players = options.max_sessions;
  return {};
}

/// Returns an error message if a file to write is another file of the command line, otherwise an
/// empty string.
std::string fault_of_outputs(const CommandLine& options) {
  return program_options::output_fault(
      {{"--record", options.recording.path}, {"--hash-log", options.hash_log_path}},
      {{"--scene", scene::scene_path(options.scene)},
       {"--psk", options.access.psk_path},
       {"--keys", options.access.keys_folder, true}});
}

/// Returns an error message if a fault cannot be injected in any tick of the run, otherwise an
/// empty string.
std::string fault_of_faults(const std::vector<std::string>& faults, const CommandLine& options) {
  constexpr std::uint64_t most_ticks = std::numeric_limits<std::uint32_t>::max();
  const std::uint64_t ticks = ticks_of_run(options);
  const std::string fault = record::why_not_in_run(
      faults, static_cast<std::uint32_t>(ticks == 0 ? most_ticks : std::min(ticks, most_ticks)));
  return fault.empty() ? fault : "--inject: " + fault;
}

/// Returns an error message if an option has no effect because it needs another option that is not
/// given. Otherwise returns an empty string.
std::string fault_of_unused(const std::vector<std::string>& given, const CommandLine& options) {
  const bool has_ring = options.recording.mode == RecordingOptions::Mode::Ring;
  for (const std::string& name : given) {
    if (name == "--on-desync" && !options.server.is_lockstep)
      return name + " needs --mode lockstep";
    if ((name == "--record-folder" || name == "--record-seconds") && !has_ring)
      return name + " needs --record ring";
    if ((name == "--durability" || name == "--state-quota") && options.state.folder.empty())
      return name + " needs --state";
    if (name == "--record-quota" && options.recording.mode == RecordingOptions::Mode::Off)
      return name + " needs --record";
  }
  return {};
}

/// Returns an error message if the ring recording cannot be written to the default folder, or an
/// empty string.
std::string fault_of_record_folder(const std::vector<std::string>& given,
                                   const RecordingOptions& recording) {
  const bool is_given = std::find(given.begin(), given.end(), "--record-folder") != given.end();
  if (is_given || recording.mode != RecordingOptions::Mode::Ring) return {};
  const std::string fault = program_options::default_record_folder_fault(recording.folder);
  return fault.empty() ? fault : fault + ", or use --record off";
}

void handle_lockstep(const Texts& texts, CommandLine& options) {
  options.server.is_lockstep = texts.mode == "lockstep";
  options.faults = record::parse_faults(texts.faults);
  // In lockstep mode a ring recording runs by default, so that a desync can be investigated.
  if (options.server.is_lockstep && texts.record.empty())
    options.recording.mode = RecordingOptions::Mode::Ring;
}

void take_state(const Texts& texts, CommandLine& options) {
  using journal::Durability;
  options.state.durability = texts.durability == "none"    ? Durability::None
                             : texts.durability == "group" ? Durability::Group
                                                           : Durability::Strict;
  options.state.quota_bytes = static_cast<std::uint64_t>(texts.state_quota_mib) << 20;
  options.recording.quota_bytes = static_cast<std::uint64_t>(texts.record_quota_mib) << 20;
  if (texts.record_quota_mib != 0)
    options.recording.folder_quota_bytes = options.recording.quota_bytes;
  // Clients that reconnect after a restart expect the same key.
  if (!options.state.folder.empty() && options.access.keys_folder.empty())
    options.access.keys_folder = options.state.folder + "/keys";
}

}  // namespace

std::uint64_t ticks_of_run(const CommandLine& options) {
  return static_cast<std::uint64_t>(
      std::ceil(options.duration_seconds * options.server.tick_rate_hz));
}

ParsedCommandLine parse_command_line(int argc, char** argv) {
  ParsedCommandLine parsed;
  CommandLine& options = parsed.options;
  Texts texts;
  command_line::Program app{
      base::program_names().server,
      "jostled simulates a physics world and sends it to the clients that connect."};
  app.set_version(version::version_report("jostled"));
  add_world_options(app, options);
  add_address_options(app, options, texts);
  add_client_options(app, options, texts);
  add_web_options(app, options);
  add_lockstep_options(app, options, texts);
  add_state_options(app, options, texts);
  add_output_options(app, options, texts);
  const std::vector<std::string> arguments = with_web_address(argc, argv);
  std::vector<const char*> pointers;
  for (const std::string& argument : arguments)
    pointers.push_back(argument.c_str());
  if (const auto ending = app.parse(argc, pointers.data())) {
    if (ending->is_refused) return refused(ending->text);
    std::puts(ending->text.c_str());
    parsed.exit_code = 0;
    return parsed;
  }
  const auto given = app.given();
  for (const char* const name : {"--scene", "--hz", "--seed"})
    if (std::find(given.begin(), given.end(), name) != given.end())
      options.world_options.emplace_back(name);
  if (options.is_on_lan && std::find(given.begin(), given.end(), "--bind") != given.end())
    return refused("--lan and --bind exclude each other: --lan listens on all addresses");
  if (const std::string fault = take_limits(given, options.server); !fault.empty())
    return refused(fault);
  options.address.ip = options.is_on_lan ? net::any_ip6 : *net::parse_ip(texts.bind);
  if (const std::string fault = fault_of_web(given, options.web); !fault.empty())
    return refused(fault);
  if (const std::string fault = take_access(texts.access, options); !fault.empty())
    return refused(fault);
  if (options.is_insecure && !options.web.listen.empty())
    options.web.gate_arguments.emplace_back("--insecure");
  take_record_text(texts.record.empty() ? "off" : texts.record, options.recording);
  if (const std::string fault = fault_of_faults(texts.faults, options); !fault.empty())
    return refused(fault);
  handle_lockstep(texts, options);
  take_state(texts, options);
  if (texts.max_per_address >= 0)
    options.server.max_per_address = static_cast<std::size_t>(texts.max_per_address);
  if (const std::string fault = fault_of_unused(given, options); !fault.empty())
    return refused(fault);
  if (const std::string fault = fault_of_outputs(options); !fault.empty()) return refused(fault);
  if (const std::string fault = fault_of_record_folder(given, options.recording); !fault.empty())
    return refused(fault);
  options.log_level = log_levels.at(texts.level);
  if (texts.max_rate_kbps > 0)
    options.server.max_client_bytes_per_second = texts.max_rate_kbps * 125.0;
  return parsed;
}

}  // namespace jostle::server
