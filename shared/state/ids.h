#pragma once

#include <compare>
#include <cstdint>

namespace jostle::state {

/// A body as the network and the recordings name it. Counted up from 1 as bodies come into being,
/// never used twice while a server runs, so that an id that a late packet holds is never another
/// body.
struct BodyId {
  std::uint32_t value = 0;

  constexpr bool is_null() const { return value == 0; }
  constexpr auto operator<=>(const BodyId&) const = default;
};

/// A player in the world. Counted up from 1; an id comes back only after 65,535 others.
struct PlayerId {
  std::uint16_t value = 0;

  constexpr bool is_null() const { return value == 0; }
  constexpr auto operator<=>(const PlayerId&) const = default;
};

}  // namespace jostle::state
