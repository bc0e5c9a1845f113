#pragma once

#include "shared/physics/execution.h"

#include <cstdint>

namespace jostle::physics {

/// Counts of the last step, and where its time went.
struct StepStats {
  std::uint32_t bodies = 0;
  std::uint32_t awake_bodies = 0;
  std::uint32_t candidate_pairs = 0;  // whose fat boxes overlap
  std::uint32_t touching_pairs = 0;
  std::uint32_t contact_points = 0;
  std::uint32_t quarantined_bodies = 0;  // turned non-finite, and were taken out of the simulation
  StageTimes stage_seconds{};            // by Stage; zero without a clock (World::set_stage_clock)
};

}  // namespace jostle::physics
