#pragma once

#include "client/snapshot_buffer.h"
#include "shared/state/tick.h"

#include <array>
#include <cstddef>
#include <vector>

namespace jostle::client {

/// How long bodies that move go without news where a thin link lets the server tell of some of them
/// in each snapshot only. What is shown has to lie so much further back, or it would mostly be
/// carried on instead of interpolated.
class UpdateGaps {
 public:
  /// A snapshot with all its parts; in any order.
  void add(const BufferedSnapshot& snapshot);

  /// Ticks that 90 % of the waits of late did not exceed; 0 while every snapshot is whole.
  double usual_ticks() const { return usual_ticks_; }

 private:
  void follow_bodies(const BufferedSnapshot& snapshot);

  static constexpr std::size_t longest = 64;
  MovingIds ids_;
  std::vector<state::Tick> told_;  // when each was told last
  std::vector<protocol::QuantizedBody> states_;
  std::array<double, longest + 1> waits_{};  // how often each, fading
  double usual_ticks_ = 0;
};

}  // namespace jostle::client
