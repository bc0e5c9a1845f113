#pragma once

#include "shared/rewind/state_history.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace jostle::lockstep {

/// The last states of a simulation that steps in lockstep with others, and the hash of each, for
/// when one of them turns out to be another than theirs.
class StateMemory {
 public:
  /// Of so many ticks at least.
  explicit StateMemory(std::uint32_t ticks) : ticks_(ticks), history_(ticks) {}

  /// After each step; before the first, without anything. Begins anew where a tick was left out.
  void keep(const sim::Simulation& now, const state::TickCommands& commands = {});
  void clear();

  /// Of all of the state after the tick; nothing where it is not kept.
  std::optional<std::uint64_t> hash(state::Tick tick) const;
  /// Of so many ticks up to that one, together: what parted and came together again in between is
  /// in it, too.
  std::optional<std::uint64_t> hash_since(state::Tick tick, std::uint32_t count) const;
  /// What the simulation was after the tick, until the next call; null where that is not kept.
  const sim::Simulation* at(state::Tick tick);

 private:
  struct Kept {
    state::Tick tick;
    std::uint64_t hash = 0;
  };
  std::uint32_t ticks_;
  rewind::StateHistory history_;
  std::deque<Kept> hashes_;  // ticks ascending by 1
  std::optional<sim::Simulation> past_;
};

}  // namespace jostle::lockstep
