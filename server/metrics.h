#pragma once

#include "server/input_buffer.h"

#include <cstdint>
#include <vector>

namespace jostle::server {

/// Counters of a run, since its start.
struct Metrics {
  std::uint64_t ticks = 0;
  std::uint64_t ticks_skipped = 0;  // due ticks that were left out after a stall
  std::uint64_t sessions_accepted = 0;
  std::uint64_t sessions_rejected = 0;
  // sessions that the server ended: misbehaviour, no Hello in time, or too slow
  std::uint64_t sessions_dropped = 0;
  std::uint64_t messages_refused = 0;
  std::uint64_t controls_denied = 0;
  std::uint64_t snapshots_sent = 0;       // snapshots sent, one per session and tick
  std::uint64_t snapshots_shortened = 0;  // snapshots that were reduced to fit the link, or skipped
  // bytes of all messages on the State channel except lockstep frames: snapshots, particles,
  // labels, ropes, statistics, debug draw and body reports
  std::uint64_t snapshot_bytes = 0;
  std::uint64_t keyframes_sent = 0;
  std::uint64_t sends_failed = 0;
  double client_seconds = 0;  // total time in state Playing of all sessions, s
  InputCounters inputs;       // totals of ended sessions
};

/// Histogram of durations in steps of 10 µs up to 1 s, for percentiles without storing every value.
class DurationHistogram {
 public:
  void add(std::int64_t us);
  /// Returns the upper bound, in µs, of the step that contains the percentile `fraction` (0 to 1),
  /// but at most max_us(); 0 if there are no values.
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
