#pragma once

#include "shared/rollback/rollback_check.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"
#include "shared/state/tick.h"

#include <cstdint>
#include <optional>
#include <string>

namespace jostle::desync_search {

/// The sync test of a simulation: a rollback::RollbackCheck, and its results
/// over all scenes that the simulation loads. It simulates `ticks` additional ticks per tick.
class SyncTest {
 public:
  /// Goes back `ticks` ticks in every tick; 0 disables the test.
  explicit SyncTest(std::uint32_t ticks) : ticks_(ticks) {}

  /// Checks a tick. Call it after each step with the commands of that tick.
  void check(const sim::Simulation& now, const state::TickCommands& commands);
  /// Restarts the test. Call it after another scene was loaded.
  void restart() { check_.reset(); }

  std::uint32_t ticks_back() const { return ticks_; }
  /// Returns the number of ticks that were checked.
  std::uint64_t checked() const { return checked_; }
  /// Returns the first tick whose second simulation differed; null if none did.
  std::optional<state::Tick> mismatch() const { return mismatch_; }
  /// Returns a summary for the user.
  std::string text() const;

 private:
  std::uint32_t ticks_;
  std::optional<rollback::RollbackCheck> check_;
  std::uint64_t checked_ = 0;
  std::optional<state::Tick> mismatch_;
};

}  // namespace jostle::desync_search
