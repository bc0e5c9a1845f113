#pragma once

#include "protocol/context/rotation.h"
#include "protocol/quantize.h"

#include <array>
#include <cstdint>

namespace jostle::protocol::context {

/// Properties of a body that both ends know and that do not change within a world revision.
struct BodyFacts {
  /// Half of the shortest side of the body's bounding box, 1/512 m, at least 1; for a cube, half
  /// its side.
  std::uint16_t reach = 102;
  /// True if a player owns the body and it is among the first max_leading_bodies of these bodies.
  /// Player bodies are coded first, because they help to predict the other bodies.
  bool is_player = false;

  bool operator==(const BodyFacts&) const = default;
};

/// Number of steps of a predicted position per step of the wire.
inline constexpr int predicted_steps = 16;

/// A simulated prediction of a body. Its position is finer than the wire, so that rounding adds no
/// noticeable error.
struct BaselinePrediction {
  std::array<std::int64_t, 3> position{};  // 1/(512 predicted_steps) m
  IntQuat rotation{0, 0, 0, one};
  bool is_awake = false;
  bool is_known = false;  // false: no prediction; constant velocity is used
  bool is_still = false;  // true: the body stays at its baseline, and the pose is ignored

  bool operator==(const BaselinePrediction&) const = default;
};

/// The two states that a body is encoded against. `previous` is older than the baseline, or the
/// baseline itself if there is no older acknowledged state.
struct BodyReference {
  const QuantizedBody* baseline = nullptr;
  const QuantizedBody* previous = nullptr;
  std::int32_t age_ticks = 1;  // ticks from the baseline to the coded state, 1..128
  // ticks from `previous` to the baseline, at most 128; 0 if they are the same
  std::int32_t gap_ticks = 0;
  BodyFacts facts;
  // the predicted baseline; null if no prediction is used
  const BaselinePrediction* predicted = nullptr;
};

}  // namespace jostle::protocol::context
