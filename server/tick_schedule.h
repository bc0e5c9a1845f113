#pragma once

#include "server/options.h"

#include <cstdint>

namespace jostle::server {

/// Due times of a server's ticks. Tick n is due at start + n / rate, so due times do not drift.
///
/// After a stall at most `max_catch_up_ticks` are simulated at once. Further overdue ticks are
/// skipped and counted, so that a stall cannot grow into a backlog that never ends.
class TickSchedule {
 public:
  explicit TickSchedule(int tick_rate_hz) : tick_rate_hz_(tick_rate_hz) {}

  void start(std::int64_t now_us) {
    start_us_ = now_us;
    next_ = 1;
    skipped_ = 0;
  }
  /// Returns the time at which the next tick is due.
  std::int64_t due_us() const { return due_us_of(next_); }
  /// Returns the time at which the `number`-th due time is, counted from 1 and with the skipped
  /// ones.
  std::int64_t due_us_of(std::int64_t number) const {
    return start_us_ + number * 1'000'000 / tick_rate_hz_;
  }
  std::uint64_t skipped() const { return skipped_; }
  /// Moves all further due times by `us`, as on a machine whose clock stood still.
  void delay(std::int64_t us) { start_us_ += us; }

  /// Runs the ticks that are due: calls `tick(due_us)` for each of them, at most
  /// `max_catch_up_ticks` times. Then skips the ones that are still overdue. `now_us()` returns the
  /// current time; `tick` returns false to stop.
  template <typename Clock, typename Tick>
  void run_due(Clock&& now_us, Tick&& tick) {
    for (int i = 0; i < max_catch_up_ticks && now_us() >= due_us(); ++i) {
      const std::int64_t due = due_us();
      ++next_;
      if (!tick(due)) return;
    }
    for (; now_us() >= due_us(); ++next_)
      ++skipped_;
  }

 private:
  std::int64_t tick_rate_hz_;
  std::int64_t start_us_ = 0;
  std::int64_t next_ = 1;
  std::uint64_t skipped_ = 0;
};

}  // namespace jostle::server
