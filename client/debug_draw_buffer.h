#pragma once

#include "client/particle_buffer.h"
#include "protocol/inspect_codec.h"
#include "shared/state/debug_draw_frame.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::client {

/// Buffer of the last debug draw frames, which arrive in parts. It selects the frame for the
/// displayed time.
class DebugDrawBuffer {
 public:
  static constexpr std::size_t max_debug_draws = 8;
  /// Maximum age of a frame to be shown.
  static constexpr double max_age_seconds = 1;

  /// Adds a part. Returns false if its number of parts or its world revision contradicts other
  /// parts of the same tick. If the buffer is full, a part older than all its frames is dropped.
  bool insert(protocol::DebugDrawPart part);
  void clear() { debug_draws_.clear(); }

  /// Returns the newest complete frame at or before `tick` that is at most max_age_seconds old and
  /// whose world revision is in `of`. If there is none, returns the newest incomplete frame within
  /// the same limits, or null. Valid until the next insert() or clear().
  const state::DebugDrawFrame* at(double tick, int tick_rate_hz, Revisions of = {}) const;

 private:
  struct Arrived {
    std::uint32_t world_revision = 0;
    std::vector<bool> parts;  // true for parts that have arrived
    state::DebugDrawFrame debug_draw;

    bool is_whole() const { return std::find(parts.begin(), parts.end(), false) == parts.end(); }
  };
  std::vector<Arrived> debug_draws_;  // sorted by tick, at most max_debug_draws entries
};

}  // namespace jostle::client
