#pragma once

#include "server/input_queue.h"

#include <cstdint>
#include <vector>

namespace jostle::server {

/// Figures of a run; all counted from its start.
struct Metrics {
  std::uint64_t ticks = 0;
  std::uint64_t ticks_skipped = 0;  // let go after a stall
  std::uint64_t sessions_accepted = 0;
  std::uint64_t sessions_rejected = 0;
  std::uint64_t sessions_dropped = 0;  // for nonsense or silence
  std::uint64_t messages_refused = 0;
  std::uint64_t controls_denied = 0;
  std::uint64_t snapshots_sent = 0;       // per session and tick
  std::uint64_t snapshots_shortened = 0;  // to what a link takes, down to nothing
  std::uint64_t snapshot_bytes = 0;       // of their messages
  std::uint64_t keyframes_sent = 0;
  std::uint64_t sends_failed = 0;
  double client_seconds = 0;  // sum over sessions that play
  InputCounters inputs;       // of sessions that ended
};

/// Durations in steps of 10 µs up to 1 s, for percentiles without keeping every value.
class DurationHistogram {
 public:
  void add(std::int64_t us);
  /// The upper edge of the step that holds the given fraction of all values, µs; 0 when empty.
  std::int64_t percentile_us(double fraction) const;
  std::int64_t max_us() const { return max_us_; }
  std::uint64_t count() const { return count_; }

 private:
  static constexpr std::int64_t step_us = 10;
  static constexpr std::size_t step_count = 100'000;
  std::vector<std::uint32_t> steps_ = std::vector<std::uint32_t>(step_count);
  std::uint64_t count_ = 0;
  std::int64_t max_us_ = 0;
};

}  // namespace jostle::server
