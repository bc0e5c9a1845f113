#include "server/tick_profile.h"

#include <algorithm>
#include <utility>

namespace jostle::server {

static_assert(state::server_phase_count == static_cast<std::size_t>(Phase::Other));
static_assert(state::step_stage_count == physics::stage_count);

void TickProfile::enter(Phase phase, std::int64_t now_us) {
  const std::int64_t spent_us = now_us - std::exchange(since_us_, now_us);
  const Phase before = std::exchange(phase_, phase);
  if (before == Phase::Other) return;
  phase_us_[static_cast<std::size_t>(before)] += spent_us;
  tick_us_ += spent_us;
}

// Work done between ticks is counted towards the next tick.
void TickProfile::end_tick(const physics::StageTimes& stage_seconds) {
  ++ticks_;
  longest_tick_us_ = std::max(longest_tick_us_, std::exchange(tick_us_, 0));
  for (std::size_t i = 0; i < stage_seconds.size(); ++i)
    stage_seconds_[i] += stage_seconds[i];
}

void TickProfile::report(state::ServerStatistics& statistics) {
  const auto in_ms = [this](double seconds) {
    const double mean = ticks_ == 0 ? 0.0 : seconds * 1e3 / ticks_;
    return static_cast<float>(std::max(mean, 0.0));
  };
  statistics.tick_ms = 0;
  for (std::size_t i = 0; i < statistics.phase_ms.size(); ++i) {
    statistics.phase_ms[i] = in_ms(static_cast<double>(phase_us_[i]) * 1e-6);
    statistics.tick_ms += statistics.phase_ms[i];
  }
  const auto journal = static_cast<std::size_t>(Phase::Journal);
  statistics.tick_ms += in_ms(static_cast<double>(phase_us_[journal]) * 1e-6);
  statistics.longest_tick_ms = static_cast<float>(longest_tick_us_) * 1e-3f;
  for (std::size_t i = 0; i < statistics.stage_ms.size(); ++i)
    statistics.stage_ms[i] = in_ms(stage_seconds_[i]);
  phase_us_ = {};
  stage_seconds_ = {};
  longest_tick_us_ = 0;
  ticks_ = 0;
}

}  // namespace jostle::server
