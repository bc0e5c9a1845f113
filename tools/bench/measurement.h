#pragma once

#include "tools/bench/engine.h"

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace jostle::bench {

struct MeasureOptions {
  EngineSettings settings;
  int steps = 0;         // timed ones; 0: as many as the scene says
  int rounds = 1;        // more than one: an uncounted round before them, then medians over rounds
  int slice_steps = 10;  // engines take turns after so many steps
  bool keeps_stage_spans = false;  // of every step, for a trace
};

/// What one round of one engine gave.
struct Round {
  double create_ms = 0;
  std::vector<float> step_ms;
  double cpu_ms = 0;  // that all threads of the process together spent in a step, mean
  std::vector<std::string> stage_names;
  std::vector<float> stage_ms;                      // by stage, mean of all steps
  std::vector<std::vector<StageSpan>> stage_spans;  // by step; empty without keeps_stage_spans
  std::string simd;                                 // Engine::simd
  StepCounts counts;
  double joint_gap_max = 0;  // m, over all steps
  std::uint64_t hash = 0;
  std::uint64_t peak_bytes = 0;             // of resident memory of the engine's process
  std::uint64_t scene_bytes = 0;            // that the engine has allocated to hold the scene
  std::vector<workload::BodyState> states;  // at the end
};

struct Measurement {
  std::string engine;
  std::vector<Round> rounds;
  std::string failure;  // in words; empty when all went well
};

/// Runs the scene on each engine, each in a process of its own on the same cores, taking turns
/// after every few steps so that a busy machine slows all of them alike. Only steps and what the
/// scene does before them are timed.
std::vector<Measurement> measure(const workload::Scene& scene, std::span<const EngineKind> engines,
                                 const MeasureOptions& options);

}  // namespace jostle::bench
