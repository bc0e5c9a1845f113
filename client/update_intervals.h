#pragma once

#include "client/snapshot_buffer.h"
#include "shared/state/tick.h"

#include <array>
#include <cstddef>
#include <vector>

namespace jostle::client {

/// Meter of the time between two updates of a moving body, for links so slow that each snapshot
/// contains only some bodies. The interpolation delay must cover this time. Otherwise most bodies
/// would be extrapolated instead of interpolated.
class UpdateIntervals {
 public:
  /// Adds a complete snapshot. Snapshots may be added in any order.
  void add(const BufferedSnapshot& snapshot);

  /// Returns the 90th percentile of the recent times between two updates of a moving body, in
  /// ticks, at most 64. Returns 0 if the last snapshot was whole (contained all bodies).
  double usual_ticks() const { return usual_ticks_; }

 private:
  void follow_bodies(const BufferedSnapshot& snapshot);

  static constexpr std::size_t longest = 64;
  MovingIds ids_;
  // tick of the last update of each body, indexed like `ids_`
  std::vector<state::Tick> last_update_;
  std::vector<protocol::QuantizedBody> states_;
  std::array<double, longest + 1> waits_{};  // decaying histogram of the ticks between two updates
  double usual_ticks_ = 0;
};

}  // namespace jostle::client
