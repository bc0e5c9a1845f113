#include "tools/bench/contestant.h"

#include <algorithm>
#include <csignal>
#include <memory>

namespace jostle::bench {
namespace {

/// Runs one round: every engine from the start of the scene to its end, alternating between the
/// engines. A timed round appends its results to `into`; an observed round sets the observations
/// there. Both store failures.
void run_round(const workload::Scene& scene, std::span<const EngineKind> engines,
               const MeasureOptions& options, bool is_observed, std::vector<Measurement>& into) {
  std::vector<std::unique_ptr<Contestant>> contestants;
  for (std::size_t i = 0; i < engines.size(); ++i) {
    contestants.push_back(std::make_unique<Contestant>(scene, engines[i], options, is_observed));
    // Start them one after another, so that nothing else runs while the creation of an engine is
    // timed.
    contestants.back()->start();
  }
  for (int done = 0; done < options.steps; done += options.slice_steps) {
    const int steps = std::min(options.slice_steps, options.steps - done);
    for (const auto& contestant : contestants)
      contestant->advance(steps);
  }
  for (std::size_t i = 0; i < engines.size(); ++i) {
    if (!contestants[i]->finish()) {
      into[i].failure = contestants[i]->failure();
    } else if (is_observed) {
      into[i].observation = contestants[i]->observation();
    } else {
      into[i].rounds.push_back(contestants[i]->round());
    }
  }
}

}  // namespace

std::vector<Measurement> measure(const workload::Scene& scene, std::span<const EngineKind> engines,
                                 const MeasureOptions& wanted) {
  // Ignore SIGPIPE: writing to a child that died must not end this process.
  std::signal(SIGPIPE, SIG_IGN);
  MeasureOptions options = wanted;
  if (options.steps == 0) options.steps = scene.timed_steps;
  std::vector<Measurement> measurements(engines.size());
  for (std::size_t i = 0; i < engines.size(); ++i)
    measurements[i].engine = engines[i].name;
  run_round(scene, engines, options, true, measurements);
  for (int i = 0; i < options.rounds; ++i)
    run_round(scene, engines, options, false, measurements);
  return measurements;
}

}  // namespace jostle::bench
