#pragma once

#include "shared/state/tick.h"

#include <cstdint>

namespace jostle::server {

/// When there is time to expect where bodies will be. That takes as many steps of the simulation as
/// the client's references are old, and nobody can end it half-way: so it is begun only where what
/// it has taken of late would fit, and where it has taken too long, it is left for a while, longer
/// each time.
class ForesightBudget {
 public:
  /// So long one coding may take.
  explicit ForesightBudget(std::int64_t max_us) : max_us_(max_us) {}

  /// Whether to foresee over so many ticks now, with so much time left.
  bool allows(state::Tick now, std::int64_t ticks, std::int64_t left_us) {
    if (now < resumes_) return false;
    if (us_per_tick_ * ticks <= left_us) return true;
    us_per_tick_ -= us_per_tick_ / 64;  // tried again at some time
    return false;
  }

  /// What it has taken.
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
