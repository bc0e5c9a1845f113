#pragma once

#include "shared/state/snapshot.h"

#include <array>
#include <cstdint>
#include <optional>

namespace jostle::protocol::precise {

/// A body in profile lossless: every bit of its pose and velocities. Floating-point numbers are
/// stored as integers in the same order, so that close numbers have close integers: if the sign bit
/// is set, all other bits are inverted.
struct LosslessBody {
  std::array<std::int64_t, 3> position{};                      // ordered bits of doubles
  std::array<std::int32_t, 4> rotation{0, 0, 0, 0x3F80'0000};  // ordered bits of floats: x, y, z, w
  std::array<std::int32_t, 3> linear_velocity{}, angular_velocity{};  // ordered bits of floats
  bool is_awake = true;

  bool operator==(const LosslessBody&) const = default;
};

/// Returns the body in profile lossless; null if a number is not finite.
std::optional<LosslessBody> to_exact(const state::BodyState& body);
/// Converts back to a body state, with a null id; null if a number is not finite.
std::optional<state::BodyState> from_exact(const LosslessBody& body);

}  // namespace jostle::protocol::precise
