#include "server/scene_catalogue.h"
#include "shared/base/counted.h"
#include "shared/command_line/command_line.h"
#include "shared/command_line/suggestion.h"
#include "shared/net/system_io.h"
#include "shared/program_options/program_options.h"
#include "shared/scene_files/scene_files.h"
#include "tools/commands.h"
#include "tools/load/server_load.h"
#include "tools/load_options.h"

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>

namespace jostle::tools {
namespace {

constexpr double most_seconds = 3'600;

constexpr Failure fail{"bench server"};

int run_server_load(load::ServerLoadOptions options, bool as_json) {
  options.program = "/proc/self/exe";
  net::SystemIo io;
  auto scene = scene::load_scene(io, options.scene);
  if (!scene) return fail(scene.error(), exit_bad_input);
  if (const auto why = server::why_not_servable(*scene, options.bots.players))
    return fail(*why, exit_bad_input);
  const auto figures = load::measure_server_load(options, *std::move(scene));
  if (!figures) return fail(figures.error(), exit_differs);
  std::fputs((as_json ? to_json(options, *figures) : to_text(options, *figures)).c_str(), stdout);
  return figures->snapshots_differing == 0
             ? exit_ok
             : fail(base::counted(figures->snapshots_differing, "snapshot") +
                        (figures->snapshots_differing == 1 ? " differs" : " differ") +
                        " from the server's",
                    exit_differs);
}

}  // namespace

command_line::Option add_swarm_options(command_line::App command, load::SwarmOptions& bots) {
  command.add_option("--clients", bots.clients, "Number of clients")
      .check(command_line::in_range(1, 4'000))
      .capture_default_str();
  command_line::Option players =
      command
          .add_option("--players", bots.players,
                      "Number of players among the clients; the others are spectators")
          .check(command_line::in_range(0, 1'000));
  command
      .add_option("--decode-every", bots.decode_every,
                  "One client in this many decodes its snapshots; the others acknowledge "
                  "snapshots without decoding them")
      .check(command_line::in_range(1, 4'000))
      .capture_default_str();
  command
      .add_option("--per-socket", bots.per_socket,
                  "Number of non-decoding clients that share a socket, to lower the CPU cost of "
                  "their process")
      .check(command_line::in_range(1, 256))
      .capture_default_str();
  command
      .add_text(
          "--input", [&bots](const std::string& name) { bots.mix = *load::parse_input_mix(name); },
          "Behaviour of the players: idle (no input), move (walk and jump), push (push and "
          "pull bodies without walking), mix (both)")
      .check(command_line::Check::Fault([](const std::string& name) {
        return command_line::word_fault(
            name, {load::input_mix_names.begin(), load::input_mix_names.end()});
      }))
      .type_name("MIX")
      .default_str("mix");
  program_options::add_seed(command, bots.seed, "Seed of the random inputs of the players");
  command.check_at_end("--players", [players, &bots] {
    if (players.count() == 0) bots.players = std::min(bots.players, bots.clients);
    return bots.players <= bots.clients
               ? std::string()
               : std::to_string(bots.players) + " players are more than the " +
                     std::to_string(bots.clients) + " clients";
  });
  return players;
}

Command add_server_bench(command_line::App bench) {
  auto options = std::make_shared<load::ServerLoadOptions>();
  auto as_json = std::make_shared<bool>(false);
  command_line::App command = bench.add_subcommand(
      "server",
      "Run a server with many clients on this machine and print its cost (docs/BENCHMARKS.md)");
  add_swarm_options(command, options->bots).capture_default_str();
  command.add_option("--scene", options->scene, "Name of a scene, or a .scene.json file")
      .capture_default_str();
  program_options::add_tick_rate(
      command, options->tick_rate_hz,
      "Ticks per second. On a slow machine choose less than 60; the time per tick stays valid");
  program_options::add_snapshot_interval(command, options->snapshot_interval_ticks);
  command
      .add_option("--seconds", options->seconds,
                  "Duration of the measurement in seconds, after all clients have joined")
      .check(command_line::in_range(0.5, most_seconds))
      .capture_default_str();
  command
      .add_option(
          "--noise", options->noise_per_second,
          "Also send this many invalid datagrams per second, while well-behaved clients connect "
          "and disconnect")
      .check(command_line::in_range(0.0, 1e6))
      .capture_default_str();
  command.add_flag("--json", *as_json, "Print one line of JSON");
  return [options, as_json] { return run_server_load(*options, *as_json); };
}

Command add_load_bots(command_line::App app) {
  auto bots = std::make_shared<load::SwarmOptions>();
  auto seconds = std::make_shared<double>(1);
  command_line::App command = app.add_subcommand("load-bots", "Run the clients of `bench server`");
  command.group("");  // internal: hidden from --help
  add_swarm_options(command, *bots);
  command.add_option("--port", bots->server.port)
      .required()
      .check(command_line::in_range(1, 65'535));
  command.add_option("--seconds", *seconds)
      .required()
      .check(command_line::in_range(0.5, most_seconds + 10));
  return [bots, seconds] {
    std::string error;
    if (load::serve_bots(*bots, *seconds, error)) return exit_ok;
    std::printf("error %s\n", error.c_str());
    return exit_differs;
  };
}

Command add_load_noise(command_line::App app) {
  auto options = std::make_shared<load::NoiseOptions>();
  command_line::App command =
      app.add_subcommand("load-noise", "Send the invalid datagrams of `bench server`");
  command.group("");  // internal: hidden from --help
  command.add_option("--port", options->server.port)
      .required()
      .check(command_line::in_range(1, 65'535));
  command.add_option("--per-second", options->per_second)
      .required()
      .check(command_line::in_range(0.0, 1e6));
  command.add_option("--seconds", options->seconds)
      .required()
      .check(command_line::in_range(0.5, most_seconds));
  return [options] {
    std::string error;
    if (load::make_noise_lines(*options, error)) return exit_ok;
    std::printf("error %s\n", error.c_str());
    return exit_differs;
  };
}

}  // namespace jostle::tools
