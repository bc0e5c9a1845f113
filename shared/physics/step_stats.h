#pragma once

#include "shared/physics/execution.h"

#include <cstdint>

namespace jostle::physics {

/// Counts of the work of a step. Unlike times, they are equal on every machine and for every number
/// of threads, so that tests can compare how the work grows with a scene.
struct StepWork {
  std::uint64_t contact_updates = 0;  // pairs of shapes whose contact points were computed
  std::uint64_t impact_searches = 0;  // pairs whose motions were searched for a time of impact
  std::uint64_t triangles = 0;        // triangles of meshes and height fields that were examined
  std::uint64_t rim_comparisons = 0;  // comparisons of contacts that search for internal edges
  std::uint64_t tree_solutions = 0;   // edges of joint trees, counted once per direct solution
};

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
  StepWork work;
  StageTimes stage_seconds{};  // indexed by Stage; zero without a clock (World::set_stage_clock)
};

}  // namespace jostle::physics
