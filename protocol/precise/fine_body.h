#pragma once

#include "shared/state/snapshot.h"

#include <array>
#include <cstdint>
#include <optional>

namespace jostle::protocol::precise {

/// Number of quantisation steps per m, per m/s and per rad/s.
inline constexpr int fine_steps = 4'096;
inline constexpr int fine_rotation_bits = 15;
/// Limit to which positions (m) and velocities (m/s and rad/s) are clamped.
inline constexpr double max_fine = 524'287;

/// A body in profile fine.
struct FineBody {
  std::array<std::int32_t, 3> position{};  // 1/4096 m
  std::uint8_t largest = 3;                // index of the dropped component of x, y, z, w
  // the other components, 15 bits each
  std::array<std::uint16_t, 3> smallest{0x4000, 0x4000, 0x4000};
  std::array<std::int32_t, 3> linear_velocity{};   // 1/4096 m/s
  std::array<std::int32_t, 3> angular_velocity{};  // 1/4096 rad/s
  bool is_awake = true;

  bool operator==(const FineBody&) const = default;
};

/// Returns the quantised body; null if a number is not finite.
std::optional<FineBody> to_fine(const state::BodyState& body);
/// Converts back to a body state, with a null id.
state::BodyState from_fine(const FineBody& body);

}  // namespace jostle::protocol::precise
