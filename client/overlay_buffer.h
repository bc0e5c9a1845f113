#pragma once

#include "client/particle_buffer.h"
#include "protocol/inspect_codec.h"
#include "shared/state/overlay.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::client {

/// The last overlays, as they arrive in parts, and the one that goes with the time that is shown.
class OverlayBuffer {
 public:
  static constexpr std::size_t max_overlays = 8;
  /// One that is older than this is of no use, and not shown.
  static constexpr double max_age_seconds = 1;

  /// Parts that contradict others of their tick are refused.
  bool insert(protocol::OverlayPart part);
  void clear() { overlays_.clear(); }

  /// The newest of that tick or before it, of a world that is meant: a whole one, or where there is
  /// none what has come of one. Null where there is neither. Valid until the next insert().
  const state::Overlay* at(double tick, int tick_rate_hz, Revisions of = {}) const;

 private:
  struct Arrived {
    std::uint32_t world_revision = 0;
    std::vector<bool> parts;  // that have come
    state::Overlay overlay;

    bool is_whole() const { return std::find(parts.begin(), parts.end(), false) == parts.end(); }
  };
  std::vector<Arrived> overlays_;  // by tick, at most max_overlays
};

}  // namespace jostle::client
