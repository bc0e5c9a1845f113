#pragma once

#include "tools/workload/body_state.h"
#include "tools/workload/scene.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace jostle::check {

/// How deep the bodies of a scene lie in each other, over all pairs that overlap.
struct Penetrations {
  std::size_t pairs = 0;  // that overlap at all
  double deepest = 0;     // m, as are the others
  double p99 = 0;
  double median = 0;
  std::uint32_t body_a = 0, body_b = 0;  // of the deepest
};

/// By exact shapes, without margins, with a broad phase and a narrow phase of the checker's own.
/// Pairs of static bodies do not count, nor those that the scene keeps from colliding, nor bodies
/// whose state is not finite. A body and a mesh are one pair, as deep as its deepest triangle,
/// taken as a flat triangle with two sides. `states` has one entry per body of the scene.
Penetrations measure_penetrations(const workload::Scene& scene,
                                  std::span<const workload::BodyState> states);

}  // namespace jostle::check
