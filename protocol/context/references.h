#pragma once

#include "protocol/quantize.h"

#include <cstdint>

namespace jostle::protocol::context {

/// What never changes about a body within a world revision, and both ends know.
struct BodyFacts {
  /// From the middle to the nearest face, 1/512 m, at least 1: half the side of a cube.
  std::uint16_t reach = 102;
  /// Steered by a player: coded before the others, whose motion follows from its.
  bool is_player = false;

  bool operator==(const BodyFacts&) const = default;
};

/// What both ends know of a body before it is coded. `previous` is an older acknowledged state, or
/// the baseline itself where there is none.
struct BodyReference {
  const QuantizedBody* baseline = nullptr;
  const QuantizedBody* previous = nullptr;
  std::int32_t age_ticks = 1;  // from the baseline to the state that is coded
  std::int32_t gap_ticks = 0;  // from `previous` to the baseline; 0 where they are one
  BodyFacts facts;
};

}  // namespace jostle::protocol::context
