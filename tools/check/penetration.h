#pragma once

#include "tools/workload/body_state.h"
#include "tools/workload/scene.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace jostle::check {

/// The penetration depths of a scene, over all pairs of overlapping parts of different bodies.
struct Penetrations {
  std::size_t pairs = 0;                 // overlapping pairs
  double deepest = 0;                    // m
  double p99 = 0;                        // m
  double median = 0;                     // m
  std::uint32_t body_a = 0, body_b = 0;  // the bodies of the deepest pair
};

/// Measures penetration between the exact shapes, without margins, with collision detection that is
/// independent of the engine. A convex part and a mesh are one pair, whose depth is that of the
/// deepest triangle; triangles are two-sided. Skips pairs without a dynamic body, pairs of two
/// meshes or planes, pairs that filters or joints exclude from collision, and bodies whose state is
/// not finite. `states` has one entry per body of the scene.
Penetrations measure_penetrations(const workload::Scene& scene,
                                  std::span<const workload::BodyState> states);

}  // namespace jostle::check
