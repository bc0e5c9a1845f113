#pragma once

#include <algorithm>
#include <cstdint>

namespace jostle::base {

/// Keeps work that is done again and again from taking more than a part of the time: after it has
/// taken so long, it rests for a number of times that. Times in µs, of a clock that never goes
/// back.
class Rest {
 public:
  /// From one beginning to the next passes `times` what the work took, and `least_us` at least.
  explicit Rest(std::int64_t times, std::int64_t least_us = 0)
      : times_(times), least_us_(least_us) {}

  bool is_over(std::int64_t now_us) const { return now_us >= until_us_; }
  void note(std::int64_t began_us, std::int64_t ended_us) {
    until_us_ = began_us + std::max(least_us_, times_ * (ended_us - began_us));
  }

 private:
  std::int64_t times_, least_us_;
  std::int64_t until_us_ = 0;
};

}  // namespace jostle::base
