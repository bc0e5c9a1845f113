#pragma once

#include "shared/simd/level.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace jostle::physics {

/// How a world's steps are carried out. No part of its state: neither saved nor hashed, and no
/// setting changes a bit of any result.
struct Execution {
  int threads = 1;  // 1..max_threads, the caller's among them
  simd::Level simd = simd::best_level();

  bool operator==(const Execution&) const = default;
};
inline constexpr int max_threads = 64;

/// What a step does, in this order; the solver's stages alternate in each substep.
enum class Stage : std::uint8_t {
  Prepare,          // sorting, checks of inputs, boxes of the awake
  FindPairs,        // broad phase
  Collide,          // narrow phase and waking
  PrepareBodies,    // into the solver's arrays
  ColourContacts,   // and bundling
  PrepareContacts,  // couplings and masses
  PrepareJoints,
  Integrate,   // velocities and positions
  Solve,       // warm start and the pass with bias
  CarryLoads,  // of what stands
  Relax,       // the pass without
  Restitution,
  StoreImpulses,  // and events of meetings
  FinishBodies,   // poses, boxes
  SmallIslands,   // all from PrepareBodies on, side by side (solver/clusters.h)
  Sleep,
  Particles,
  FinishEvents,
};
inline constexpr std::size_t stage_count = 18;
std::string_view name_of(Stage stage);

/// Seconds since any fixed moment. The engine reads no clock of its own; who wants to know where
/// the time of a step goes lends it one. It reaches no result.
using StageClock = double (*)();

/// A stretch of time that a step spent in one stage, in seconds of the clock.
struct StageSpan {
  Stage stage = Stage::Prepare;
  double begin = 0, end = 0;
};

using StageTimes = std::array<double, stage_count>;

}  // namespace jostle::physics
