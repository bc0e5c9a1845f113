#pragma once

#include "shared/state/tick.h"

#include <bitset>
#include <cstddef>
#include <cstdint>

namespace jostle::client {

/// Record of the frame messages that have arrived, to measure packet loss in lockstep. In each tick
/// the server normally sends one message, whose last frame is that of the tick. A message repeats
/// all frames that the client has not reported, so the loss of a message loses no frame.
class FrameLossMeter {
 public:
  /// Adds a message whose last frame is of tick `last`. Messages may be added in any order.
  void add(state::Tick last);

  /// Returns the fraction of lost messages, 0..1, over the `counted_ticks` ticks before the newest
  /// `late_ticks` ticks. The newest ticks are left out, because their messages may still arrive.
  /// Returns 0 until more than `late_ticks` ticks have passed.
  double loss() const;

  static constexpr std::uint32_t late_ticks = 32;
  static constexpr std::uint32_t counted_ticks = 160;

 private:
  static constexpr std::size_t kept = late_ticks + counted_ticks;
  std::bitset<kept> has_come_;  // bit i: the message of tick newest_ − i has arrived
  state::Tick first_, newest_;  // 0: none yet
};

}  // namespace jostle::client
