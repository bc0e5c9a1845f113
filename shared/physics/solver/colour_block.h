#pragma once

#include <cstdint>

namespace jostle::physics {

/// Range of bundles of the same colour and kind: a unit of parallel work. No two bundles of a
/// colour share a dynamic body, except in the overflow colour.
struct ColourBlock {
  std::uint32_t kind = 0;             // point count of contacts, or class of joints
  std::uint32_t first = 0, last = 0;  // range of bundles of that kind
};

}  // namespace jostle::physics
