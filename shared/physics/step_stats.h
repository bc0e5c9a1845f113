#pragma once

#include "shared/physics/execution.h"

#include <cstdint>

namespace jostle::physics {

/// Statistics of the last step, and the time spent in each stage.
struct StepStats {
  std::uint32_t bodies = 0;
  std::uint32_t awake_bodies = 0;
  // pairs with overlapping fat AABBs and at least one active body
  std::uint32_t candidate_pairs = 0;
  std::uint32_t touching_pairs = 0;
  std::uint32_t contact_points = 0;
  // removed from the simulation: values not finite or position out of bounds
  std::uint32_t quarantined_bodies = 0;
  StageTimes stage_seconds{};  // indexed by Stage; zero without a clock (World::set_stage_clock)
};

}  // namespace jostle::physics
