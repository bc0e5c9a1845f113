#pragma once

#include <compare>
#include <cstdint>

namespace jostle::state {

/// A body's id in the network protocol and in recordings. Ids count up from 1 in order of creation
/// and are not reused while a server runs, so an id in a late packet never refers to another body.
struct BodyId {
  std::uint32_t value = 0;

  constexpr bool is_null() const { return value == 0; }
  constexpr auto operator<=>(const BodyId&) const = default;
};

/// A player's id. Ids count up from 1 and wrap around after 65,535; ids in use are skipped.
struct PlayerId {
  std::uint16_t value = 0;

  constexpr bool is_null() const { return value == 0; }
  constexpr auto operator<=>(const PlayerId&) const = default;
};

}  // namespace jostle::state
