#pragma once

#include "client/lockstep_engine.h"
#include "shared/lockstep/state_memory.h"
#include "shared/lockstep/sync_test.h"
#include "shared/record/recent_run.h"
#include "shared/record/recording.h"
#include "shared/record/timed_fault.h"
#include "shared/sim/simulation.h"
#include "shared/state/tick.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace jostle::prediction {

struct LockstepOptions {
  record::FaultsByTick faults{};      // on purpose
  std::uint32_t sync_test_ticks = 0;  // each tick goes so many back and does them again; 0: none
};

/// Runs the engine in lockstep with a server: from the simulation that it was sent, by the frames
/// that follow. Keeps the last states, to tell where it has parted, and a recording of the newest
/// part of its run.
class LockstepPeer final : public client::LockstepEngine {
 public:
  explicit LockstepPeer(LockstepOptions options = {})
      : faults_(std::move(options.faults)), sync_test_(options.sync_test_ticks) {}

  std::uint64_t engine_hash() const override;
  void begin() override;
  bool take_simulation(std::span<const std::byte> bytes) override;
  void take_frames(std::vector<state::TickCommands> frames) override;
  std::optional<protocol::QuantizedSnapshot> step() override;
  std::optional<protocol::FrameReport> report() const override;
  protocol::DesyncAnswer answer(const protocol::DesyncQuestion& question) override;
  void take_report(const protocol::DesyncReport& report) override;
  const client::LockstepFigures& figures() const override { return figures_; }

  /// The newest part of its run, as a recording that replays it, faults and all. Nothing before the
  /// first tick.
  std::optional<record::RecentRun::Saved> recording();
  const lockstep::SyncTest& sync_test() const { return sync_test_; }
  /// Of the last tick that was made; null before there is a simulation.
  const sim::Simulation* simulation() const { return simulation_ ? &*simulation_ : nullptr; }

 private:
  void do_harm(state::Tick tick, std::vector<record::RecordedFault>& done);

  record::FaultsByTick faults_;
  lockstep::SyncTest sync_test_;
  std::optional<sim::Simulation> simulation_;
  std::map<state::Tick, state::TickCommands> frames_;  // not made yet
  lockstep::StateMemory memory_{protocol::desync_window_ticks};
  std::unique_ptr<record::RecentRun> recent_;
  protocol::FrameReport report_;
  client::LockstepFigures figures_;
};

}  // namespace jostle::prediction
