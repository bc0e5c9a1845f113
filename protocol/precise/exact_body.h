#pragma once

#include "shared/state/snapshot.h"

#include <array>
#include <cstdint>
#include <optional>

namespace jostle::protocol::precise {

/// A body in profile lossless: every bit of its pose and of its velocities. Numbers of the engine
/// are held as integers in the order of their values, so that near numbers have near integers: of
/// those with a sign bit all other bits are turned over.
struct ExactBody {
  std::array<std::int64_t, 3> position{};                             // of doubles
  std::array<std::int32_t, 4> rotation{0, 0, 0, 0x3F80'0000};         // of floats: x, y, z, w
  std::array<std::int32_t, 3> linear_velocity{}, angular_velocity{};  // of floats
  bool is_awake = true;

  bool operator==(const ExactBody&) const = default;
};

/// Nothing where a number is not finite.
std::optional<ExactBody> to_exact(const state::BodyState& body);
/// But for the id; nothing where a number is not finite.
std::optional<state::BodyState> from_exact(const ExactBody& body);

}  // namespace jostle::protocol::precise
