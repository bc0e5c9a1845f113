#include "shared/command_line/command_line.h"
#include "shared/net/system_io.h"
#include "shared/program_options/program_options.h"
#include "shared/scene_files/scene_files.h"
#include "tools/bench/rollback.h"
#include "tools/commands.h"

#include <cstdio>
#include <memory>
#include <string>
#include <utility>

namespace jostle::tools {
namespace {

struct RollbackOptions {
  bench::RollbackBench bench;
  bool as_json = false;
};

constexpr Failure fail{"bench rollback"};

int run(const RollbackOptions& options) {
  net::SystemIo io;
  auto scene = scene::load_scene(io, options.bench.scene);
  if (!scene) return fail(scene.error(), exit_bad_input);
  if (scene->spawns.empty())
    return fail("the scene has no spawns for the random players: choose another scene",
                exit_bad_input);
  const bench::RollbackFigures figures = bench::measure_rollback(*scene, options.bench);
  const std::string text =
      options.as_json ? to_json(figures, options.bench) + "\n" : to_text(figures, options.bench);
  std::fputs(text.c_str(), stdout);
  if (figures.is_same) return exit_ok;
  return fail("resimulation gave a different state: the engine is not deterministic here",
              exit_differs);
}

}  // namespace

Command add_rollback_bench(command_line::App app) {
  auto options = std::make_shared<RollbackOptions>();
  bench::RollbackBench& bench = options->bench;
  command_line::App command = app.add_subcommand(
      "rollback", "Roll back some ticks in every tick, simulate them again, and print the cost");
  command.add_option("--scene", bench.scene, "Name of a scene, or a .scene.json file")
      .capture_default_str();
  command.add_option("--ticks", bench.ticks, "Number of ticks to roll back")
      .check(command_line::in_range(1, 600))
      .capture_default_str();
  command.add_option("--skip", bench.skip, "Number of ticks before the first measured tick")
      .check(command_line::in_range(0, 100'000))
      .capture_default_str();
  command.add_option("--rounds", bench.rounds, "Number of measured ticks")
      .check(command_line::in_range(1, 100'000))
      .capture_default_str();
  command.add_option("--threads", bench.threads, "Threads of the engine")
      .check(command_line::in_range(1, 64))
      .capture_default_str();
  program_options::add_seed(command, bench.seed, "Seed of the two random players");
  command.add_flag("--json", options->as_json, "Print one JSON object");
  return [options] { return run(*options); };
}

}  // namespace jostle::tools
