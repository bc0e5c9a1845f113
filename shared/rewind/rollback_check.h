#pragma once

#include "shared/rewind/state_history.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <cstdint>
#include <optional>

namespace jostle::rewind {

/// The test that rollback games know as sync test: in every tick a second simulation goes so many
/// ticks back and does again what was done since. What it comes to must be what the first has come
/// to; where it is not, something that the next step reads is missing in the save.
class RollbackCheck {
 public:
  /// What command lines let it go back.
  static constexpr int max_ticks = 600;

  /// `other` is of the same scene, options and rules as what will be checked; in what tick it is
  /// does not matter.
  RollbackCheck(sim::Simulation other, std::uint32_t ticks);

  struct Mismatch {
    state::Tick tick;  // after which the two are not equal
    sim::SimulationHash played, replayed;
  };
  /// Before the first step, and after each, with what was done in it. Where the ticks before are
  /// not known yet, it goes back as far as it can.
  std::optional<Mismatch> check(const sim::Simulation& now, const state::TickCommands& commands);
  /// As the last check left it.
  const sim::Simulation& replayed() const { return other_; }

 private:
  sim::Simulation other_;
  std::uint32_t ticks_;
  StateHistory history_;
};

}  // namespace jostle::rewind
