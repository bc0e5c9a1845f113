#pragma once

#include "shared/rollback/rollback_buffer.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <cstdint>
#include <optional>

namespace jostle::rollback {

/// The sync test of rollback games. Every tick, a second simulation goes back a number of ticks and
/// simulates them again. If the result differs from the first simulation, the saved state lacks
/// something that the next step reads, or a step is not deterministic.
class RollbackCheck {
 public:
  /// Maximum number of ticks to go back that command lines accept.
  static constexpr int max_ticks = 600;

  /// Goes back `ticks` ticks in each check. `other` must have the same scene, options and rules as
  /// the checked simulation; its tick does not matter.
  RollbackCheck(sim::Simulation other, std::uint32_t ticks);

  struct Mismatch {
    state::Tick tick;  // tick after which the two states differ
    sim::SimulationHash played, replayed;
  };
  /// Checks a tick. Returns the mismatch, or nothing if both simulations have the same hash. Call
  /// it before the first step, and after each step with the commands of that tick. While fewer
  /// ticks are known, it goes back as far as possible.
  std::optional<Mismatch> check(const sim::Simulation& now, const state::TickCommands& commands);
  /// Returns the second simulation as the last check left it.
  const sim::Simulation& replayed() const { return other_; }

 private:
  sim::Simulation other_;
  std::uint32_t ticks_;
  RollbackBuffer history_;
};

}  // namespace jostle::rollback
