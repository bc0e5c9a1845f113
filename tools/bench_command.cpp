#include "shared/base/program_names.h"
#include "shared/command_line/command_line.h"
#include "shared/forces/integrators.h"
#include "shared/net/system_io.h"
#include "shared/program_options/program_options.h"
#include "tools/bench/figures.h"
#include "tools/bench/particles.h"
#include "tools/bench/suite.h"
#include "tools/bench/trace.h"
#include "tools/bench_suite.h"
#include "tools/commands.h"
#include "tools/workload/body_state.h"
#include "tools/workload_file.h"

#include <cstdio>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jostle::tools {
namespace {

struct BenchOptions {
  std::string scene;
  bench::MeasureOptions measure;
  std::string peer, dump, trace, without;
  std::string suite;
  std::optional<std::uint32_t> seed;
  int finer = 1;
  bool as_json = false;
};

/// Returns the scene with `finer` times as many steps, each 1/`finer` as long. Returns an error
/// message if the scene has kinematic motions or pushes.
base::Result<workload::Scene, std::string> make_finer(workload::Scene scene, int finer) {
  if (!scene.pushes.empty() || !scene.kinematic_motions.empty())
    return "--step-divisor: scene '" + scene.name +
           "' has kinematic motions or actuators, which depend on the length of a step";
  scene.step_seconds /= static_cast<float>(finer);
  scene.warm_up_steps *= finer;
  scene.timed_steps *= finer;
  return scene;
}

constexpr Failure fail{"bench physics"};

std::vector<std::string> stabilizers() {
  return {physics::stabilizer_names.begin(), physics::stabilizer_names.end()};
}
int fail_to_write(const char* option, const std::string& path, net::IoError error, int code) {
  return fail(
      std::string(option) + ": cannot write '" + path + "': " + std::string(net::describe(error)),
      code);
}

void print(const std::string& line) {
  std::fputs(line.c_str(), stdout);
  if (!line.ends_with('\n')) std::fputc('\n', stdout);
}

/// Checks that the output files can be written, before a run that may take minutes. Changes no
/// files. Returns exit_ok, or prints an error and returns another exit code.
int try_files(const BenchOptions& options) {
  if (const auto fault = program_options::output_fault(
          {{"--dump", options.dump}, {"--trace", options.trace}}, {{"--scene", options.scene}});
      !fault.empty())
    return fail(fault);
  if (const auto fault = program_options::log_fault(options.dump); !fault.empty())
    return fail("--dump: " + fault);
  if (options.trace.ends_with(".jrec") || options.trace.ends_with(".scene.json"))
    return fail("--trace: '" + options.trace + "' is named like a recording or a scene");
  net::SystemIo io;
  for (const auto& [option, path] :
       {std::pair("--dump", options.dump), std::pair("--trace", options.trace)}) {
    if (path.empty()) continue;
    const auto writable = io.check_writable(path);
    if (!writable) return fail_to_write(option, path, writable.error(), exit_bad_input);
  }
  return exit_ok;
}

int write_files(const BenchOptions& options, const bench::Measurement& measured) {
  net::SystemIo io;
  const bench::Round& last = measured.rounds.back();
  if (!options.dump.empty()) {
    const auto written = io.write_file(options.dump, workload::encode_dump(last.states));
    if (!written) return fail_to_write("--dump", options.dump, written.error(), exit_differs);
  }
  if (!options.trace.empty()) {
    const std::string trace = bench::to_chrome_trace(measured.engine, last);
    const auto written = io.write_file(options.trace, std::as_bytes(std::span(trace)));
    if (!written) return fail_to_write("--trace", options.trace, written.error(), exit_differs);
  }
  return exit_ok;
}

int report(const BenchOptions& options, const workload::Scene& scene,
           const std::vector<bench::Measurement>& measured) {
  std::vector<bench::Figures> figures;
  for (const bench::Measurement& measurement : measured) {
    if (!measurement.failure.empty())
      return fail(measurement.engine + ": " + measurement.failure, exit_differs);
    figures.push_back(bench::summarise(scene, measurement, options.measure));
    print(options.as_json ? to_json(figures.back()) : to_text(figures.back()));
  }
  if (figures.size() == 2) {
    print(options.as_json ? to_json_quotients(figures[0], figures[1])
                          : to_text_quotients(figures[0], figures[1]));
  }
  return write_files(options, measured.front());
}

/// Adds Bullet to the engines if the options request it. Prints an error and returns false if this
/// program was built without Bullet.
bool add_peer(const BenchOptions& options, std::vector<bench::EngineKind>& engines) {
  if (options.peer.empty()) return true;
  engines.push_back(bench::bullet_engine());
  if (engines.back().make != nullptr) return true;
  fail(
      "--peer bullet: this program was built without Bullet; install libbullet-dev and configure "
      "again (./run bench does both)");
  return false;
}

int run_wide_suite(const BenchOptions& options) {
  std::vector<bench::EngineKind> engines{bench::jostle_engine()};
  if (!add_peer(options, engines)) return exit_bad_input;
  const std::uint32_t seed = options.seed.value_or(bench::default_suite_seed());
  return run_suite({options.suite, seed, options.as_json}, engines, options.measure);
}

int run_bench(BenchOptions options) {
  if (const auto off = physics::stabilizer_named(options.without))
    options.measure.settings.stabilizers = physics::Stabilizers{}.without(*off);
  if (!options.suite.empty()) return run_wide_suite(options);
  if (options.scene.empty())
    return fail("--scene or --suite is required (see " + base::program_names().tool +
                " bench physics --help)");
  auto scene = load_workload(options.scene);
  if (!scene) return fail(scene.error());
  if (scene->file && !options.without.empty())
    return fail("--without: only benchmark scenes are accepted, not scene files");
  if (options.finer > 1) {
    if (scene->file)
      return fail("--step-divisor: only benchmark scenes are accepted, not scene files");
    auto finer = make_finer(std::move(scene->workload), options.finer);
    if (!finer) return fail(finer.error());
    scene->workload = *std::move(finer);
  }
  std::vector<bench::EngineKind> engines{scene->file ? bench::jostle_engine(*scene->file)
                                                     : bench::jostle_engine()};
  if (!add_peer(options, engines)) return exit_bad_input;
  if (const int code = try_files(options); code != exit_ok) return code;
  return report(options, scene->workload,
                bench::measure(scene->workload, engines, options.measure));
}

void add_physics_options(command_line::App command, BenchOptions& options) {
  const command_line::Option scene = command.add_option(
      "--scene", options.scene,
      "A benchmark scene, boxesN, randomSEED, FAMILY@SEED, or a .scene.json file");
  const command_line::Option suite =
      command
          .add_option("--suite", options.suite,
                      "Run one scene of each family of this suite, in place of --scene: wide")
          .check(command_line::one_of({wide_suite}))
          .excludes(scene);
  command
      .add_option("--seed", options.seed,
                  "Seed of the suite's scenes; default: from the last commit that touched "
                  "shared/physics")
      .needs(suite);
  command
      .add_option("--steps", options.measure.steps, "Number of timed steps; 0: the scene's default")
      .check(command_line::in_range(0, 1'000'000))
      .capture_default_str();
  command
      .add_option("--step-divisor", options.finer,
                  "Divide the step by N and run N times as many steps, to see the effect of the "
                  "step length")
      .check(command_line::in_range(1, 64))
      .capture_default_str()
      .excludes(suite);
  command
      .add_option("--rounds", options.measure.rounds,
                  "Number of timed runs; the results are medians. A run that is not timed comes "
                  "first")
      .check(command_line::in_range(1, 1'000))
      .capture_default_str();
  command.add_option("--threads", options.measure.settings.threads, "Threads of the engine")
      .check(command_line::in_range(1, 64))
      .capture_default_str();
  command
      .add_option("--simd", options.measure.settings.simd,
                  "SIMD instructions of the solver: auto, plain, sse2, avx2 or neon")
      .check(bench::simd_fault)
      .capture_default_str();
  command
      .add_option("--without", options.without,
                  "Turn off one stabilizer of the engine (docs/ENGINE.md), in benchmark scenes")
      .check(command_line::one_of(stabilizers()));
  command
      .add_option("--peer", options.peer,
                  "Also run the scene on this engine; the engines alternate every 10 steps")
      .check(command_line::one_of({"bullet"}));
  command
      .add_option("--dump", options.dump, "Write the poses and velocities at the end to this file")
      .excludes(suite);
  command
      .add_option("--trace", options.trace,
                  "Write the times of all stages to this file as a Chrome trace")
      .excludes(suite);
  command.add_flag("--json", options.as_json, "Print one line of JSON per engine");
}

void add_particle_options(command_line::App command, bench::ParticleBench& options) {
  command.add_option("--count", options.count, "Number of particles")
      .check(command_line::in_range(1, 1'000'000))
      .capture_default_str();
  command.add_option("--steps", options.steps, "Number of timed steps")
      .check(command_line::in_range(1, 1'000'000))
      .capture_default_str();
  command.add_option("--threads", options.threads, "Threads of the engine")
      .check(command_line::in_range(1, 64))
      .capture_default_str();
  command
      .add_option("--integrator", options.integrator, "Name of the integrator, as in scene files")
      .check(command_line::one_of(std::vector<std::string>(forces::integrator_names.begin(),
                                                           forces::integrator_names.end())))
      .capture_default_str();
  command.add_option("--crates", options.crates, "Number of boxes on the ground")
      .check(command_line::in_range(0, 10'000))
      .capture_default_str();
}

int run_particles(const bench::ParticleBench& options) {
  print(bench::measure_particles(options));
  return exit_ok;
}

}  // namespace

Command add_bench(command_line::App app) {
  auto options = std::make_shared<BenchOptions>();
  command_line::App command = app.add_subcommand(
      "bench",
      "Measure the engine, snapshots, play over bad networks and the server (docs/BENCHMARKS.md)");
  command.require_subcommand();
  command_line::App physics = command.add_subcommand(
      "physics", "Simulate a scene and print times, counts and the quality of the result");
  add_physics_options(physics, *options);
  auto particles = std::make_shared<bench::ParticleBench>();
  command_line::App bulk = command.add_subcommand(
      "particles",
      "Simulate particles above a ground, under wind and an attraction, and print times");
  add_particle_options(bulk, *particles);
  const Command snapshots = add_snapshot_bench(command), link = add_link_bench(command),
                server = add_server_bench(command), rollback = add_rollback_bench(command),
                web = add_web_bench(command), audience = add_audience_bench(command);
  const command_line::App link_command = command.subcommand("link");
  const command_line::App server_command = command.subcommand("server"),
                          rollback_command = command.subcommand("rollback"),
                          web_command = command.subcommand("web"),
                          audience_command = command.subcommand("audience");
  return [options, particles, bulk, physics, snapshots, link, link_command, server, server_command,
          rollback, rollback_command, web, web_command, audience, audience_command] {
    if (web_command.is_parsed()) return web();
    if (audience_command.is_parsed()) return audience();
    if (server_command.is_parsed()) return server();
    if (rollback_command.is_parsed()) return rollback();
    if (bulk.is_parsed()) return run_particles(*particles);
    if (link_command.is_parsed()) return link();
    if (!physics.is_parsed()) return snapshots();
    options->measure.keeps_stage_spans = !options->trace.empty();
    return run_bench(*options);
  };
}

}  // namespace jostle::tools
