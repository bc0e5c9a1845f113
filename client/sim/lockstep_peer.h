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
  std::vector<state::BodyId> teleported() const override {
    return simulation_ ? simulation_->teleported() : std::vector<state::BodyId>{};
  }
  std::optional<protocol::FrameReport> report() const override;
  protocol::DesyncAnswer answer(const protocol::DesyncQuestion& question) override;
  void handle_report(const protocol::DesyncReport& report) override;
  const client::LockstepMetrics& figures() const override { return figures_; }

  /// Returns a recording of the last ticks, including injected faults. Returns nothing before the
  /// first tick.
  std::optional<record::RingRecorder::Saved> recording();
  const desync_search::SyncTest& sync_test() const { return sync_test_; }
  /// Returns why a fault is not injected and cannot be any more, because its tick is over; null if
  /// there is no such fault.
  std::optional<std::string> missed_fault() const;
  /// Returns why a fault was not injected in the whole run, also for ticks that it did not reach;
  /// null if all were. Call it at the end.
  std::optional<std::string> fault_left() const;
  /// Returns the simulation after the last tick; null before a simulation state was loaded.
  const sim::Simulation* simulation() const { return simulation_ ? &*simulation_ : nullptr; }

 private:
  void inject_faults(state::Tick tick, std::vector<record::RecordedFault>& done);

  record::FaultsByTick faults_;              // faults that are not injected yet
  std::optional<std::string> failed_fault_;  // why the first fault without a body or field failed
  // first and last tick of the newest run; they stay after the connection has ended
  std::optional<state::Tick> started_, reached_;
  desync_search::SyncTest sync_test_;
  std::optional<sim::Simulation> simulation_;
  std::map<state::Tick, state::TickCommands> frames_;  // frames that are not simulated yet
  desync_search::StateBuffer memory_{protocol::desync_window_ticks};
  std::unique_ptr<record::RingRecorder> recent_;
  protocol::FrameReport report_;
  client::LockstepMetrics figures_;
};

}  // namespace jostle::prediction
