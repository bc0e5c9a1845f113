#pragma once

#include "shared/simd/instruction_set.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jostle::physics {

/// Settings for how a world's steps are executed. They are not part of the world's state, are
/// neither saved nor hashed, and change no bit of any result.
struct Execution {
  int threads = 1;  // 1..max_threads, including the calling thread
  simd::InstructionSet simd = simd::best_instruction_set();
  /// Bodies plus contacts that one thread solves together (islands/clusters.h), at least 1. With
  /// the default, the data fits in one core's cache. All threads share a larger island.
  std::uint32_t cluster_weight = 512;

  bool operator==(const Execution&) const = default;
};
inline constexpr int max_threads = 64;

/// The stages of a step in their order. Integrate, Solve, CarryLoads and Relax run in each substep.
enum class Stage : std::uint8_t {
  Prepare,          // sorting, validation of inputs, bounds of changed bodies, force fields
  FindPairs,        // broad phase
  Collide,          // narrow phase; wakes touched bodies
  PrepareBodies,    // copies bodies into the solver's arrays
  ColourContacts,   // islands and clusters, graph colouring of contacts, SIMD batching
  PrepareContacts,  // contact frames and effective masses
  PrepareJoints,
  Integrate,   // velocities and positions
  Solve,       // warm starting and the biased solve
  CarryLoads,  // stack solver (stabilizers/stacks/support_graph.h)
  Relax,       // relax solve, without bias
  Restitution,
  StoreImpulses,  // also creates begin and hit events
  FinishBodies,   // poses and bounds
  // stages PrepareBodies to FinishBodies of small islands, in parallel (islands/clusters.h)
  SmallIslands,
  Sleep,
  Particles,
  FinishEvents,
};
inline constexpr std::size_t stage_count = 18;
std::string_view name_of(Stage stage);

/// A function that returns the time in seconds since any fixed moment. The engine does not read a
/// clock itself; a caller that wants to profile steps provides this function. The times change no
/// result.
using StageClock = double (*)();

/// The time that a step spent in one stage, in seconds of the clock.
struct StageSpan {
  Stage stage = Stage::Prepare;
  double begin = 0, end = 0;
};

using StageTimes = std::array<double, stage_count>;

}  // namespace jostle::physics
