#pragma once

#include "shared/rewind/rollback_check.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"
#include "shared/state/tick.h"

#include <cstdint>
#include <optional>
#include <string>

namespace jostle::lockstep {

/// rewind::RollbackCheck of a running simulation with the stock rules, over all scenes that it
/// loads; remembers what it has found. Costs as many ticks again as it goes back.
class SyncTest {
 public:
  /// Goes so many ticks back in each, 0: does nothing.
  explicit SyncTest(std::uint32_t ticks) : ticks_(ticks) {}

  /// After each step, with what was done in it.
  void check(const sim::Simulation& now, const state::TickCommands& commands);
  /// Where another scene was loaded.
  void begin_anew() { check_.reset(); }

  std::uint32_t ticks_back() const { return ticks_; }
  /// Ticks.
  std::uint64_t checked() const { return checked_; }
  /// The first tick that came out otherwise when it was done again.
  std::optional<state::Tick> mismatch() const { return mismatch_; }
  /// What it has come to so far, for people.
  std::string words() const;

 private:
  std::uint32_t ticks_;
  std::optional<rewind::RollbackCheck> check_;
  std::uint64_t checked_ = 0;
  std::optional<state::Tick> mismatch_;
};

}  // namespace jostle::lockstep
