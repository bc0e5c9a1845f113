#pragma once

#include "client/snapshot_buffer.h"
#include "shared/state/tick.h"

#include <array>
#include <cstddef>
#include <vector>

namespace jostle::client {

/// Meter of the time between two updates of a moving body, for links so slow that each snapshot
/// holds only some bodies. The interpolation delay must cover this time. Otherwise most bodies
/// would be extrapolated instead of interpolated.
class UpdateIntervals {
 public:
  /// Adds a complete snapshot. Snapshots may be added in any order.
  void add(const BufferedSnapshot& snapshot);

  /// Returns the number of ticks that 90 % of the recent gaps did not exceed, at most 64; 0 while
  /// every snapshot is whole.
  double usual_ticks() const { return usual_ticks_; }

 private:
  void follow_bodies(const BufferedSnapshot& snapshot);

  static constexpr std::size_t longest = 64;
  MovingIds ids_;
  std::vector<state::Tick> last_update_;  // tick of the last update of each body
  std::vector<protocol::QuantizedBody> states_;
  std::array<double, longest + 1> waits_{};  // histogram of gaps in ticks, decaying
  double usual_ticks_ = 0;
};

}  // namespace jostle::client
