#pragma once

#include "client/lockstep_engine.h"
#include "shared/desync_search/state_buffer.h"
#include "shared/desync_search/sync_test.h"
#include "shared/record/recording.h"
#include "shared/record/ring_recorder.h"
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
  record::FaultsByTick faults{};  // faults to inject, for tests
  // number of ticks to roll back and simulate again in every tick; 0: off
  std::uint32_t sync_test_ticks = 0;
};

/// Peer that runs the engine in lockstep with a server: starts from the server's simulation state
/// and simulates the frames that follow. Stores the last states, to locate a desync, and records
/// the last ticks.
class LockstepPeer final : public client::LockstepEngine {
 public:
  explicit LockstepPeer(LockstepOptions options = {})
      : faults_(std::move(options.faults)), sync_test_(options.sync_test_ticks) {}

  std::uint64_t engine_hash() const override;
  void begin() override;
  bool handle_simulation(std::span<const std::byte> bytes) override;
  void handle_frames(std::vector<state::TickCommands> frames) override;
  std::optional<protocol::QuantizedSnapshot> step() override;
  std::optional<protocol::FrameReport> report() const override;
  protocol::DesyncAnswer answer(const protocol::DesyncQuestion& question) override;
  void handle_report(const protocol::DesyncReport& report) override;
  const client::LockstepMetrics& figures() const override { return figures_; }

  /// Returns a recording of the last ticks, including injected faults. Returns nothing before the
  /// first tick.
  std::optional<record::RingRecorder::Saved> recording();
  const desync_search::SyncTest& sync_test() const { return sync_test_; }
  /// Returns the simulation after the last tick; null before a simulation state was loaded.
  const sim::Simulation* simulation() const { return simulation_ ? &*simulation_ : nullptr; }

 private:
  void inject_faults(state::Tick tick, std::vector<record::RecordedFault>& done);

  record::FaultsByTick faults_;
  desync_search::SyncTest sync_test_;
  std::optional<sim::Simulation> simulation_;
  std::map<state::Tick, state::TickCommands> frames_;  // frames that are not simulated yet
  desync_search::StateBuffer memory_{protocol::desync_window_ticks};
  std::unique_ptr<record::RingRecorder> recent_;
  protocol::FrameReport report_;
  client::LockstepMetrics figures_;
};

}  // namespace jostle::prediction
