#pragma once

#include "tools/bench/engine.h"
#include "tools/check/motion.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace jostle::bench {

struct MeasureOptions {
  EngineSettings settings;
  int steps = 0;                   // number of timed steps; 0: Scene::timed_steps
  int rounds = 1;                  // number of timed rounds
  int slice_steps = 10;            // number of steps after which another engine runs
  bool keeps_stage_spans = false;  // true to keep the spans of every step, for a trace
};

/// The results of one round of one engine.
struct Round {
  double create_ms = 0;
  std::vector<float> step_ms;
  double cpu_ms = 0;  // mean CPU time of a step, sum of all threads of the process
  std::vector<std::string> stage_names;
  std::vector<float> stage_ms;  // mean time of each stage over all steps
  /// Spans of each step; empty without keeps_stage_spans.
  std::vector<std::vector<StageSpan>> stage_spans;
  std::string simd;  // the value of Engine::simd
  StepCounts counts;
  std::uint64_t hash = 0;
  std::uint64_t peak_bytes = 0;  // peak resident memory of the engine's process
  // memory that the engine allocated for the scene and holds at the end
  std::uint64_t scene_bytes = 0;
  std::vector<workload::BodyState> states;  // states of the bodies at the end
};

/// The results of the observed round of one engine, over all steps after the warm-up.
struct Observation {
  double joint_gap_max = 0;  // m
  check::MotionFigures motion;
  std::uint64_t hash = 0;  // hash at the end
};

struct Measurement {
  std::string engine;
  Observation observation;
  std::vector<Round> rounds;
  std::string failure;  // an error message; empty if all rounds succeeded
};

/// Runs the scene on each engine, each in its own process on the same cores. The first round is not
/// timed: after every step, it reads the states of all bodies for the observation. The timed rounds
/// read no states between the steps, because reading would change the contents of the caches.
///
/// The engines take turns after every `slice_steps` steps, so that load from other programs slows
/// all of them alike. The time of a step includes the scene's actions before the step.
std::vector<Measurement> measure(const workload::Scene& scene, std::span<const EngineKind> engines,
                                 const MeasureOptions& options);

}  // namespace jostle::bench
