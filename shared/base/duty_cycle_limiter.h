#pragma once

#include <algorithm>
#include <cstdint>

namespace jostle::base {

/// A limiter that restricts repeated work to the fraction 1/`times` of the time. After a run that
/// took t µs, the next one may start `times`·t µs after the start of that run. Times are in µs of a
/// monotonic clock.
class DutyCycleLimiter {
 public:
  /// Sets the minimum interval between the starts of two runs: `times` times the duration of the
  /// first, and at least `least_us`.
  explicit DutyCycleLimiter(std::int64_t times, std::int64_t least_us = 0)
      : times_(times), least_us_(least_us) {}

  /// Returns true if the next run may start.
  bool is_over(std::int64_t now_us) const { return now_us >= until_us_; }
  /// Records a run.
  void note(std::int64_t began_us, std::int64_t ended_us) {
    until_us_ = began_us + std::max(least_us_, times_ * (ended_us - began_us));
  }

 private:
  std::int64_t times_, least_us_;
  std::int64_t until_us_ = 0;
};

}  // namespace jostle::base
