#pragma once

#include "server/phases.h"
#include "shared/physics/execution.h"
#include "shared/state/server_statistics.h"

#include <array>
#include <cstdint>

namespace jostle::server {

/// Where the time of ticks goes, as means since it was last asked.
class TickProfile {
 public:
  /// Another phase has begun.
  void enter(Phase phase, std::int64_t now_us);
  /// At the end of a tick; the stages of its step.
  void end_tick(const physics::StageTimes& stage_seconds);

  /// Fills in the times of a report, and begins anew.
  void report(state::ServerStatistics& statistics);

 private:
  Phase phase_ = Phase::Other;
  std::int64_t since_us_ = 0;  // when it began
  std::int64_t tick_us_ = 0, longest_tick_us_ = 0;
  std::array<std::int64_t, phase_count> phase_us_{};
  physics::StageTimes stage_seconds_{};
  std::uint32_t ticks_ = 0;
};

}  // namespace jostle::server
