#pragma once

#include "protocol/context/rotation.h"
#include "protocol/quantize.h"

#include <array>
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

/// Steps of a foreseen position in one step of the wire.
inline constexpr int foreseen_steps = 16;

/// Where a simulation that both ends run expects a body: finer than the wire, so that rounding adds
/// nothing to its error.
struct ForeseenBody {
  std::array<std::int64_t, 3> position{};  // 1/(512 foreseen_steps) m
  IntQuat rotation{0, 0, 0, one};
  bool is_awake = false;
  bool is_known = false;  // else nothing is expected of it: it goes on as it did
  bool is_still = false;  // it stays as it is at the baseline; then the pose does not count

  bool operator==(const ForeseenBody&) const = default;
};

/// What both ends know of a body before it is coded. `previous` is an older acknowledged state, or
/// the baseline itself where there is none.
struct BodyReference {
  const QuantizedBody* baseline = nullptr;
  const QuantizedBody* previous = nullptr;
  std::int32_t age_ticks = 1;  // from the baseline to the state that is coded
  std::int32_t gap_ticks = 0;  // from `previous` to the baseline; 0 where they are one
  BodyFacts facts;
  const ForeseenBody* foreseen = nullptr;  // nothing: codec v2
};

}  // namespace jostle::protocol::context
