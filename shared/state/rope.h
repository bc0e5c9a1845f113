#pragma once

#include "shared/math/vec3.h"
#include "shared/state/ids.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::state {

enum class RopeKind : std::uint8_t { Rope, Spring, Rod };
inline constexpr std::uint8_t rope_kind_count = 3;

/// The line of a joint between two points, as viewers draw it: a rope, a spring or a rod.
struct Rope {
  struct End {
    BodyId body;       // body of the anchor; null: the world
    math::Vec3 point;  // point in the frame of the body or the world, m

    bool operator==(const End&) const = default;
  };
  End a, b;
  RopeKind kind = RopeKind::Rope;

  bool operator==(const Rope&) const = default;
};

/// Maximum number of ropes that the server sends to a client; further ones are not drawn.
inline constexpr std::size_t max_shown_ropes = 512;

/// A part of the list of ropes of a world at the end of a tick: the ropes from number `first` on,
/// of `total`.
struct Ropes {
  Tick tick;
  std::uint32_t world_revision = 0;
  std::uint16_t first = 0, total = 0;
  std::vector<Rope> ropes;

  bool operator==(const Ropes&) const = default;
};

}  // namespace jostle::state
