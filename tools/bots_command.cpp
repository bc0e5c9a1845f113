#include "client/client.h"
#include "shared/base/counted.h"
#include "shared/base/printable.h"
#include "shared/command_line/command_line.h"
#include "shared/keyring/client_access.h"
#include "shared/keyring/folders.h"
#include "shared/net/system_io.h"
#include "shared/program_options/program_options.h"
#include "tools/bench/json_object.h"
#include "tools/commands.h"
#include "tools/load/swarm.h"
#include "tools/load_options.h"

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace jostle::tools {
namespace {

struct BotOptions {
  load::SwarmOptions swarm;
  std::string ip = "127.0.0.1";
  std::uint16_t port = 7777;
  keyring::ClientAccessOptions access;
  double duration_seconds = 10;
  std::uint32_t ticks = 0;   // ticks of the server after which the run ends; 0: no limit
  std::string scene;         // scene that the first bot will request; empty: none
  bool wants_scene = false;  // a scene is or was requested
  bool as_json = false;
};

constexpr Failure fail{"bots"};

void print_bot(std::size_t index, const client::Client& client) {
  const client::Metrics& m = client.metrics();
  std::printf(
      "bot %zu: %s, tick %u, RTT %.1f ms, %.0f bytes/s down, %.0f up, loss %.1f %%, "
      "snapshot age %.1f ms, interpolation delay %.1f ms\n",
      index + 1, base::counted(m.snapshots_complete, "snapshot").c_str(), m.newest_tick.number,
      m.round_trip_ms, m.bytes_per_second_down, m.bytes_per_second_up, 100.0 * m.loss,
      m.snapshot_age_ms, m.interpolation_delay_ms);
  if (m.durable_tick.number > 0)
    std::printf("bot %zu: the server has stored tick %u\n", index + 1, m.durable_tick.number);
}

std::string ledger_json(const load::Swarm& swarm,
                        net::TrafficBreakdown net::TransportCounters::*direction) {
  std::map<std::string, std::uint64_t> bytes;
  const auto add = [&](const net::TransportCounters& counters) {
    for (const net::TrafficLine& line : net::lines_of(counters.*direction))
      bytes[line.name] += line.bytes;
  };
  for (const auto& bot : swarm.whole())
    add(bot->counters());
  for (const auto& group : swarm.light())
    add(group->counters());
  bench::JsonObject json(6);
  for (const auto& [name, count] : bytes)
    json.add(name, static_cast<long long>(count));
  return json.finish();
}

void print_json(const BotOptions& options, const load::Swarm& swarm) {
  const double seconds = options.duration_seconds;
  std::vector<double> ages;
  double down = 0, up = 0, complete = 0;
  const auto add = [&](const net::TransportCounters& counters) {
    down += static_cast<double>(counters.bytes_received);
    up += static_cast<double>(counters.bytes_sent);
  };
  for (const auto& bot : swarm.whole()) {
    const client::Metrics& m = bot->client().metrics();
    ages.push_back(m.snapshot_age_ms);
    complete += static_cast<double>(m.snapshots_complete);
    add(bot->counters());
  }
  for (const auto& group : swarm.light())
    add(group->counters());
  complete += static_cast<double>(swarm.light_snapshots());
  std::sort(ages.begin(), ages.end());
  const auto clients = static_cast<double>(options.swarm.clients);
  bench::JsonObject json(6);
  json.add("clients", static_cast<long long>(clients));
  json.add("seconds", seconds);
  json.add("snapshots_per_client_second", complete / clients / seconds);
  json.add("bytes_per_client_second_down", down / clients / seconds);
  json.add("bytes_per_client_second_up", up / clients / seconds);
  json.add("snapshot_age_median_ms", ages[ages.size() / 2]);
  json.add("snapshot_age_largest_ms", ages.back());
  json.add_object("wire_bytes_down", ledger_json(swarm, &net::TransportCounters::received));
  json.add_object("wire_bytes_up", ledger_json(swarm, &net::TransportCounters::sent));
  std::printf("%s\n", json.finish().c_str());
}

/// Returns ": " and the error of the first full client that failed to join, or an empty string if
/// none failed.
std::string why_idle(const load::Swarm& swarm) {
  for (const auto& bot : swarm.whole()) {
    const client::Status status = bot->client().status();
    if (status.state == client::ClientState::Failed) return ": " + status.text;
  }
  return {};
}

/// Returns true if all bots have played for `ticks` ticks of the server, or if one of them has
/// failed. `first` stores the tick in which all bots played for the first time.
bool has_played(const load::Swarm& swarm, std::uint32_t ticks, std::optional<state::Tick>& first) {
  if (!why_idle(swarm).empty()) return true;
  if (!swarm.is_everyone_playing()) return false;
  const state::Tick now = swarm.whole()[0]->client().metrics().newest_tick;
  if (!first) first = now;
  return now.number >= first->number + ticks;
}

/// Makes the first bot request the scene of the options, once all bots play. Prints the server's
/// answer if it refuses.
void request_scene(const load::Swarm& swarm, BotOptions& options) {
  if (!options.wants_scene) return;
  client::Client& client = swarm.whole()[0]->client();
  if (const auto notice = client.take_notice())
    std::fprintf(stderr, "jostle bots: --load-scene: %s\n", base::printable(*notice).c_str());
  if (options.scene.empty() || !swarm.is_everyone_playing()) return;
  client.load_scene(std::exchange(options.scene, {}));
}

/// 1 after SIGINT or SIGTERM. The program then prints its figures and disconnects from the server
/// before it ends.
volatile std::sig_atomic_t should_end = 0;
void note_end(int) {
  should_end = 1;
}
constexpr std::int64_t slice_us = 200'000;  // maximum time until a signal is noticed

int run_bots(BotOptions options) {
  net::SystemIo io;
  options.swarm.server = {*net::parse_ip(options.ip), options.port};
  auto access = keyring::ClientAccess::create(
      io, options.access, {options.ip, options.swarm.server}, keyring::config_folder());
  if (!access) return fail(access.error(), exit_bad_input);
  options.swarm.security = [&access](std::size_t number) { return access->security(number); };
  // Shorten the timeout, so that clients that cannot connect report the reason before the run ends.
  options.swarm.connect_timeout_us =
      std::min(options.swarm.connect_timeout_us,
               static_cast<std::int64_t>(0.8e6 * options.duration_seconds));
  auto created = load::Swarm::create(io, options.swarm);
  if (!created) return fail(created.error(), exit_differs);
  load::Swarm& swarm = **created;
  std::signal(SIGINT, note_end);
  std::signal(SIGTERM, note_end);
  const std::int64_t begin_us = io.now_us();
  const auto end_us = begin_us + static_cast<std::int64_t>(options.duration_seconds * 1e6);
  std::optional<state::Tick> first;
  while (io.now_us() < end_us && should_end == 0) {
    request_scene(swarm, options);
    if (options.ticks > 0 && has_played(swarm, options.ticks, first)) break;
    if (!swarm.run_until(std::min(end_us, io.now_us() + slice_us)))
      return fail(swarm.error(), exit_differs);
  }
  options.duration_seconds = static_cast<double>(io.now_us() - begin_us) * 1e-6;
  if (!options.scene.empty())
    std::fprintf(stderr,
                 "jostle bots: --load-scene: '%s' was not requested, because not all bots "
                 "played\n",
                 base::printable(options.scene).c_str());
  if (const auto server = swarm.whole()[0]->client().server()) {
    if (const auto words = access->meet(io, server->key))
      std::fprintf(stderr, "jostle bots: %s\n", words->c_str());
  }

  const std::size_t idle = options.swarm.clients - swarm.playing();
  if (options.as_json) {
    print_json(options, swarm);
  } else {
    for (std::size_t i = 0; i < swarm.whole().size(); ++i)
      print_bot(i * options.swarm.decode_every, swarm.whole()[i]->client());
    const std::size_t light = options.swarm.clients - swarm.whole().size();
    if (light > 0)
      std::printf("%s that acknowledge snapshots without decoding them: %s\n",
                  base::counted(light, "more bot").c_str(),
                  base::counted(swarm.light_snapshots(), "snapshot").c_str());
  }
  const std::string why = why_idle(swarm);
  swarm.close();
  return idle == 0
             ? exit_ok
             : fail(base::counted(idle, "bot") + " did not join the world" + why, exit_differs);
}

}  // namespace

Command add_bots(command_line::App app) {
  auto options = std::make_shared<BotOptions>();
  command_line::App command =
      app.add_subcommand("bots", "Connect simulated clients with random input to a server");
  command_line::Option players = add_swarm_options(command, options->swarm).default_str("all");
  command.add_option("--ip", options->ip, "IPv4 or IPv6 address of the server")
      .check(net::ip_fault)
      .type_name("IP")
      .capture_default_str();
  command.add_option("--port", options->port, "UDP port of the server")
      .check(command_line::in_range(1, 65535))
      .capture_default_str();
  if (const char* const token = std::getenv("JOSTLE_TOKEN")) options->access.token_there = token;
  program_options::add_client_access(
      command, options->access, ". A file may hold one token per line; each client gets the next");
  command.add_option("--seconds", options->duration_seconds, "Duration of the run, in seconds")
      .check(command_line::in_range(0.1, 1e6))
      .capture_default_str();
  command
      .add_option("--ticks", options->ticks,
                  "End before --seconds are over if all bots have played for this number of the "
                  "server's ticks, or if a bot was rejected; 0: no limit")
      .check(command_line::in_range(0, 100'000'000))
      .type_name("TICKS")
      .capture_default_str();
  command
      .add_option("--load-scene", options->scene,
                  "Scene that the first bot requests once all bots play; the server must allow it")
      .type_name("SCENE");
  program_options::add_profile(command, options->swarm.profile,
                               "Precision of the snapshots: visual, fine or lossless");
  command.add_flag("--json", options->as_json,
                   "Print one JSON object, with a breakdown of all bytes on the wire");
  return [options, players] {
    if (players.count() == 0) options->swarm.players = options->swarm.clients;
    options->wants_scene = !options->scene.empty();
    return run_bots(*options);
  };
}

}  // namespace jostle::tools
