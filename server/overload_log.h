#pragma once

#include "server/clients.h"
#include "server/phases.h"
#include "shared/base/token_bucket.h"

#include <array>
#include <cstdint>

namespace jostle::server {

/// Logs skipped ticks, and ticks that take longer than the interval of ticks, while they happen and
/// with the phase that took the most time.
class OverloadLog {
 public:
  explicit OverloadLog(int tick_rate_hz) : interval_us_(1'000'000 / tick_rate_hz) {}

  /// Records the start of a phase at `now_us`.
  void enter(Phase phase, std::int64_t now_us);
  /// Records the end of a tick. Logs the tick if it was too long, at most once per second.
  void end_tick(std::int64_t now_us, Clients& clients);
  /// Logs that `count` due ticks are left out. The cause is the longest tick since the last call,
  /// or the time between ticks: then the process did not run.
  void note_skipped(std::uint64_t count, Clients& clients);

 private:
  struct Tick {
    std::array<std::int64_t, phase_count> phase_us{};
    std::int64_t total_us() const;
    Phase longest() const;
  };

  std::int64_t interval_us_;
  Phase phase_ = Phase::Other;
  std::int64_t since_us_ = 0;        // start of phase_; 0 before the first
  Tick tick_, slowest_;              // the current tick, and the longest since the last skip
  std::int64_t longest_gap_us_ = 0;  // longest time outside of phases since the last skip
  std::uint64_t overran_ = 0;        // long ticks since the last line about them
  base::TokenBucket overrun_lines_{1, 1};
};

}  // namespace jostle::server
