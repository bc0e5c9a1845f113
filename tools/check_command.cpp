#include "shared/base/counted.h"
#include "shared/base/program_names.h"
#include "shared/command_line/command_line.h"
#include "shared/net/system_io.h"
#include "tools/bench/json_object.h"
#include "tools/check/penetration.h"
#include "tools/check/quality.h"
#include "tools/commands.h"
#include "tools/workload/body_state.h"
#include "tools/workload_file.h"

#include <cstdio>
#include <memory>
#include <string>

namespace jostle::tools {
namespace {

constexpr std::size_t max_dump_bytes = 256U << 20;

struct CheckOptions {
  std::string dump, scene;
  bool as_json = false;
};

constexpr Failure fail{"check"};

void print_text(const check::Quality& quality, const check::Penetrations& penetrations,
                const check::JointGaps& gaps) {
  std::printf("penetration   deepest %.6f m, p99 %.6f m, median %.6f m, in %zu overlapping pairs\n",
              penetrations.deepest, penetrations.p99, penetrations.median, penetrations.pairs);
  if (penetrations.pairs > 0) {
    std::printf("deepest pair  bodies %u and %u\n", penetrations.body_a, penetrations.body_b);
  }
  std::printf("lost          %d below the floor, %d outside, %d non-finite, of %d bodies\n",
              quality.below_floor, quality.outside, quality.nonfinite, quality.dynamic_bodies);
  std::printf(
      "moved         drift at most %.6f m, mean %.6f m along the ground, %d dropped, kinetic "
      "energy %.4g J\n",
      quality.drift_max, quality.travel_mean, quality.dropped, quality.kinetic_energy);
  std::printf("joint gap     at most %.6f m\n", gaps.largest);
}

void print_json(const check::Quality& quality, const check::Penetrations& penetrations,
                const check::JointGaps& gaps) {
  bench::JsonObject json(9);
  json.add("bodies", static_cast<long long>(quality.dynamic_bodies));
  json.add("overlapping_pairs", static_cast<long long>(penetrations.pairs));
  json.add("penetration_max", penetrations.deepest);
  json.add("penetration_p99", penetrations.p99);
  json.add("penetration_median", penetrations.median);
  json.add("below_floor", static_cast<long long>(quality.below_floor));
  json.add("outside", static_cast<long long>(quality.outside));
  json.add("nonfinite", static_cast<long long>(quality.nonfinite));
  json.add("drift_max", quality.drift_max);
  json.add("travel_mean", quality.travel_mean);
  json.add("dropped", static_cast<long long>(quality.dropped));
  json.add("kinetic_energy", quality.kinetic_energy);
  json.add("joint_gap_end", gaps.largest);
  std::printf("%s\n", json.finish().c_str());
}

int run_check(const CheckOptions& options) {
  const auto loaded = load_workload(options.scene);
  if (!loaded) return fail(loaded.error());
  const workload::Scene& scene = loaded->workload;
  net::SystemIo io;
  const auto bytes = io.read_file(options.dump, max_dump_bytes);
  if (!bytes) return fail("'" + options.dump + "': " + std::string(net::describe(bytes.error())));
  const auto states = workload::decode_dump(*bytes);
  if (!states) return fail("'" + options.dump + "' " + states.error());
  if (states->size() != scene.bodies.size()) {
    return fail("'" + options.dump + "' has " + base::counted(states->size(), "body") +
                ", static ones included, but the scene has " + std::to_string(scene.bodies.size()));
  }
  const auto print = options.as_json ? print_json : print_text;
  print(check::measure_quality(scene, *states), check::measure_penetrations(scene, *states),
        check::measure_joint_gaps(scene, *states));
  return exit_ok;
}

}  // namespace

Command add_check(command_line::App app) {
  auto options = std::make_shared<CheckOptions>();
  command_line::App command = app.add_subcommand("check",
                                                 "Measure a dump of a scene's bodies: penetration "
                                                 "of the exact shapes, lost bodies, joint gaps");
  command
      .add_option("dump", options->dump,
                  "A file written by " + base::program_names().tool + " bench physics --dump")
      .required();
  command.add_option("--scene", options->scene, "The scene of the dump").required();
  command.add_flag("--json", options->as_json, "Print one line of JSON");
  return [options] { return run_check(*options); };
}

}  // namespace jostle::tools
