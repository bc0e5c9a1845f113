#pragma once

#include "shared/state/ids.h"
#include "shared/state/tick.h"

#include <cstdint>

namespace jostle::state {

/// Debug information about one body at the end of a tick, beyond its shape and motion.
struct BodyReport {
  Tick tick;
  BodyId body;
  float mass = 0;                    // kg; 0 for bodies that are not dynamic
  std::uint32_t contact_points = 0;  // number of contact points on the body
  // number of bodies in its island, including itself; 0: in no island
  std::uint32_t island_bodies = 0;

  bool operator==(const BodyReport&) const = default;
};

}  // namespace jostle::state
