#pragma once

#include "shared/state/tick.h"

#include <bitset>
#include <cstddef>
#include <cstdint>

namespace jostle::client {

/// Which messages with frames have come, of which a server sends one in every tick. What was in a
/// lost one comes with the next, so that it is missed nowhere else.
class FrameArrivals {
 public:
  /// A message whose last frame is of that tick; in any order.
  void add(state::Tick last);

  /// Share of them that did not come, over the last `counted_ticks` and without the newest
  /// `late_ticks`, which may only be late. 0..1.
  double loss() const;

  static constexpr std::uint32_t late_ticks = 32;
  static constexpr std::uint32_t counted_ticks = 160;

 private:
  static constexpr std::size_t kept = late_ticks + counted_ticks;
  std::bitset<kept> has_come_;  // bit i: of the tick i before the newest
  state::Tick first_, newest_;  // 0: none yet
};

}  // namespace jostle::client
