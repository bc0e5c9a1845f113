#pragma once

#include "shared/state/ids.h"
#include "shared/state/tick.h"

#include <cstdint>

namespace jostle::state {

/// What there is to say of one body that its shape and its motion do not show, at the end of a
/// tick.
struct BodyReport {
  Tick tick;
  BodyId body;
  float mass = 0;                    // kg; 0 where nothing can push it
  std::uint32_t contact_points = 0;  // on it
  std::uint32_t island_bodies = 0;   // that are solved with it, itself among them; 0: in no island

  bool operator==(const BodyReport&) const = default;
};

}  // namespace jostle::state
