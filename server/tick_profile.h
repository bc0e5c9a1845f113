#pragma once

#include "server/phases.h"
#include "shared/physics/execution.h"
#include "shared/state/server_statistics.h"

#include <array>
#include <cstdint>

namespace jostle::server {

/// Mean durations of the phases and stages of ticks since the last report.
class TickProfile {
 public:
  /// Records the start of a phase.
  void enter(Phase phase, std::int64_t now_us);
  /// Records the end of a tick and the stage times of its simulation step.
  void end_tick(const physics::StageTimes& stage_seconds);

  /// Fills in the mean times since the last report and starts new means.
  void report(state::ServerStatistics& statistics);

 private:
  Phase phase_ = Phase::Other;
  std::int64_t since_us_ = 0;  // start of phase_
  std::int64_t tick_us_ = 0, longest_tick_us_ = 0;
  std::array<std::int64_t, phase_count> phase_us_{};
  physics::StageTimes stage_seconds_{};
  std::uint32_t ticks_ = 0;
};

}  // namespace jostle::server
