#include "shared/base/counted.h"
#include "shared/command_line/command_line.h"
#include "shared/net/system_io.h"
#include "shared/program_options/program_options.h"
#include "shared/record/recording_writer.h"
#include "shared/record/replay.h"
#include "shared/record/timed_fault.h"
#include "shared/scene_files/scene_files.h"
#include "shared/sim/default_rules.h"
#include "shared/sim/random_inputs.h"
#include "shared/sim/simulation.h"
#include "tools/commands.h"
#include "tools/input_script.h"
#include "tools/new_file.h"

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace jostle::tools {
namespace {

constexpr int max_random_players = 1'000;
constexpr std::size_t max_script_bytes = 16U << 20;

struct RecordOptions {
  std::string scene = "crates";
  std::uint64_t seed = 0;
  std::uint32_t ticks = 600;
  int tick_rate_hz = state::default_tick_rate_hz;
  int players = 0;  // number of players with random inputs
  std::string script;
  std::vector<std::string> faults;
  std::string output;
};

constexpr Failure fail{"record"};

base::Result<InputScript, std::string> read_script(net::Io& io, const std::string& path) {
  const auto bytes = io.read_file(path, max_script_bytes);
  if (!bytes) return "--script: '" + path + "': " + std::string(net::describe(bytes.error()));
  return InputScript::parse({reinterpret_cast<const char*>(bytes->data()), bytes->size()}, path);
}

int record(const RecordOptions& options) {
  if (const auto fault = program_options::output_fault(
          {{"--output", options.output}},
          {{"--scene", scene::scene_path(options.scene)}, {"--script", options.script}});
      !fault.empty())
    return fail(fault);
  net::SystemIo io;
  auto scene = scene::load_scene(io, options.scene);
  if (!scene) return fail(scene.error());
  std::optional<InputScript> script;
  if (!options.script.empty()) {
    auto read = read_script(io, options.script);
    if (!read) return fail(read.error());
    script = *std::move(read);
    if (script->last_tick() > options.ticks) {
      std::fprintf(stderr,
                   "jostle record: --script: '%s' has events up to tick %u, but the run ends with "
                   "tick %u\n",
                   options.script.c_str(), script->last_tick(), options.ticks);
    }
  }
  if (const auto fault = record::why_not_in_run(options.faults, options.ticks); !fault.empty())
    return fail("--inject: " + fault);
  const record::FaultsByTick faults = record::parse_faults(options.faults);
  NewFile file(options.output);
  if (file.error()) return fail(cannot_write("--output", options.output, file.error()));

  auto rules = sim::default_rules();
  const std::vector<std::string> rule_names = record::rule_names(rules);
  sim::Simulation simulation(*std::move(scene), {options.tick_rate_hz, options.seed},
                             std::move(rules));
  record::RecordingWriter writer(
      simulation, rule_names, scene::scene_path(options.scene),
      [&](std::span<const std::byte> bytes) {
        file.write({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
        return !file.error();
      });
  sim::RandomInputs players(options.seed, static_cast<std::uint16_t>(options.players));
  for (std::uint32_t i = 0; i < options.ticks && writer.is_healthy(); ++i) {
    const state::TickCommands commands =
        script ? script->next(simulation.tick() + 1) : players.next(simulation);
    simulation.step(commands);
    const auto due = faults.find(simulation.tick());
    const std::vector<record::RecordedFault> made =
        due == faults.end() ? std::vector<record::RecordedFault>{} : due->second;
    for (const record::RecordedFault& fault : made) {
      if (simulation.flip_lowest_bit(fault.body, fault.field)) continue;
      return fail("--inject: in tick " + std::to_string(simulation.tick().number) + ", " +
                  record::why_not_injected(simulation, fault));
    }
    writer.add_tick(commands, simulation, made);
  }
  writer.close(simulation);
  if (const auto error = file.finish())
    return fail(cannot_write("--output", options.output, error), exit_differs);
  std::printf("recorded %s: %s of %s, seed %llu, %llu bytes, hash %016llx\n",
              options.output.c_str(), base::counted(options.ticks, "tick").c_str(),
              simulation.scene().name.c_str(), static_cast<unsigned long long>(options.seed),
              static_cast<unsigned long long>(writer.bytes_written()),
              static_cast<unsigned long long>(simulation.hash().total));
  return exit_ok;
}

}  // namespace

Command add_record(command_line::App app) {
  auto options = std::make_shared<RecordOptions>();
  command_line::App command =
      app.add_subcommand("record", "Run a scene without a server and record its inputs and hashes");
  command.add_option("--scene", options->scene, "Name of a scene in scenes/, or a path")
      .capture_default_str();
  program_options::add_seed(
      command, options->seed,
      "Seed of the random numbers of the rules and of the players of --players");
  command.add_option("--ticks", options->ticks, "Length of the run in ticks")
      .check(command_line::in_range(1, 100'000'000))
      .capture_default_str();
  program_options::add_tick_rate(command, options->tick_rate_hz);
  command_line::Option players =
      command
          .add_option("--players", options->players,
                      "Number of players with random inputs, which join 30 ticks apart")
          .check(command_line::in_range(0, max_random_players))
          .capture_default_str();
  command
      .add_option("--script", options->script,
                  "Text file with players and their inputs (docs/DETERMINISM.md)")
      .excludes(players);
  program_options::add_faults(command, options->faults);
  command.add_option("-o,--output", options->output, "The .jrec file to write")
      .check(program_options::recording_fault)
      .required();
  return [options] { return record(*options); };
}

}  // namespace jostle::tools
