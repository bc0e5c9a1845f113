#pragma once

#include "tools/workload/body_state.h"
#include "tools/workload/scene.h"

#include <span>

namespace jostle::check {

/// Quality figures of the dynamic bodies of a scene.
struct Quality {
  int dynamic_bodies = 0;
  // bodies with their origin below the floor or terrain; 0 if the scene has no floor
  int below_floor = 0;
  int outside = 0;  // bodies with |x| or |z| above QualityBounds::half_width; 0 without that limit
  int nonfinite = 0;     // bodies with numbers that are not finite; not counted elsewhere
  double drift_max = 0;  // m, maximum distance from the start
  /// Mean horizontal distance from the start, in m, without the bodies outside.
  double travel_mean = 0;
  int dropped = 0;            // bodies more than 0.5 m below their start
  double kinetic_energy = 0;  // J; without the bodies outside, which fall forever
};

Quality measure_quality(const workload::Scene& scene, std::span<const workload::BodyState> states);

struct JointGaps {
  double largest = 0;  // m, the largest positional violation of a joint that cannot break
};

JointGaps measure_joint_gaps(const workload::Scene& scene,
                             std::span<const workload::BodyState> states);

}  // namespace jostle::check
