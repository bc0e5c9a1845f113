#pragma once

#include "shared/math/vec3.h"
#include "shared/state/ids.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::state {

enum class CordKind : std::uint8_t { Rope, Spring, Rod };
inline constexpr std::uint8_t cord_kind_count = 3;

/// What a joint holds by from point to point, as it is drawn: a rope, a spring or a rod.
struct Cord {
  struct End {
    BodyId body;       // null: the world
    math::Vec3 point;  // m, in the frame of that

    bool operator==(const End&) const = default;
  };
  End a, b;
  CordKind kind = CordKind::Rope;

  bool operator==(const Cord&) const = default;
};

/// As many are told of; others are not drawn.
inline constexpr std::size_t max_shown_cords = 512;

/// Some of the cords of a world at the end of a tick: from number `first` of all `total` on.
struct Cords {
  Tick tick;
  std::uint32_t world_revision = 0;
  std::uint16_t first = 0, total = 0;
  std::vector<Cord> cords;

  bool operator==(const Cords&) const = default;
};

}  // namespace jostle::state
