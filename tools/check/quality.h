#pragma once

#include "tools/workload/body_state.h"
#include "tools/workload/scene.h"

#include <span>

namespace jostle::check {

/// What went wrong with the dynamic bodies of a scene, if anything.
struct Quality {
  int dynamic_bodies = 0;
  int below_floor = 0;   // centres under the floor or the terrain
  int outside = 0;       // centres beyond the walls or the edge
  int nonfinite = 0;     // counted in none of the others
  double drift_max = 0;  // m, the largest distance from the start
  /// m along the ground from the start, of what is not outside.
  double travel_mean = 0;
  int dropped = 0;            // that stand more than 0.5 m below their start
  double kinetic_energy = 0;  // J; what is outside falls without end and does not count
};

Quality measure_quality(const workload::Scene& scene, std::span<const workload::BodyState> states);

struct JointGaps {
  double largest = 0;  // m, by which a joint fails what it holds; those that can be torn left out
};

JointGaps measure_joint_gaps(const workload::Scene& scene,
                             std::span<const workload::BodyState> states);

}  // namespace jostle::check
