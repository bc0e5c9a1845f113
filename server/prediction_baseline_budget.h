#pragma once

#include "shared/state/tick.h"

#include <cstdint>

namespace jostle::server {

/// Time budget for simulation-predicted snapshots. A prediction simulates all ticks since the
/// client's older baseline and cannot be interrupted. It is therefore started only if its expected
/// duration, by the last measurement, fits the time left. A prediction that took too long pauses
/// further predictions. The pause doubles each time and is reset by a fast prediction.
class PredictionBaselineBudget {
 public:
  /// `max_us`: the maximum duration of one encoding.
  explicit PredictionBaselineBudget(std::int64_t max_us) : max_us_(max_us) {}

  /// Returns true if a prediction over `ticks` ticks may start in tick `now`, with `left_us` left
  /// for it.
  bool allows(state::Tick now, std::int64_t ticks, std::int64_t left_us) {
    if (now < resumes_) return false;
    if (us_per_tick_ * ticks <= left_us) return true;
    // Reduce the estimate a little, so that a prediction is tried again later.
    us_per_tick_ -= us_per_tick_ / 64;
    return false;
  }

  /// Records that a prediction over `ticks` ticks took `took_us`.
  void note(state::Tick now, std::int64_t ticks, std::int64_t took_us) {
    us_per_tick_ = took_us / (ticks > 0 ? ticks : 1);
    if (took_us <= max_us_) {
      if (took_us <= max_us_ / 2) pause_ticks_ = first_pause_ticks;
      return;
    }
    resumes_ = now + pause_ticks_;
    pause_ticks_ = pause_ticks_ * 2 < longest_pause_ticks ? pause_ticks_ * 2 : longest_pause_ticks;
  }

  static constexpr std::uint32_t first_pause_ticks = 60, longest_pause_ticks = 7'200;

 private:
  std::int64_t max_us_;
  std::int64_t us_per_tick_ = 0;
  state::Tick resumes_;
  std::uint32_t pause_ticks_ = first_pause_ticks;
};

}  // namespace jostle::server
