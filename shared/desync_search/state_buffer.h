#pragma once

#include "shared/rollback/rollback_buffer.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <cstdint>
#include <deque>
#include <optional>

namespace jostle::desync_search {

/// The last states of a lockstep simulation and their hashes, for locating a difference from
/// another peer.
class StateBuffer {
 public:
  /// Keeps at least the last `ticks` ticks.
  explicit StateBuffer(std::uint32_t ticks) : ticks_(ticks), history_(ticks) {}

  /// Adds a state. Call it after each step with the commands of that tick, and before the first
  /// step without commands. If a tick was left out, the buffer restarts.
  void keep(const sim::Simulation& now, const state::TickCommands& commands = {});
  void clear();

  /// Returns the hash of the state after the tick; null if it is not kept.
  std::optional<std::uint64_t> hash(state::Tick tick) const;
  /// Returns a combined hash of the last `count` ticks up to `tick`; null if one of them is not
  /// kept. It also reveals a difference that existed in only some of these ticks.
  std::optional<std::uint64_t> hash_since(state::Tick tick, std::uint32_t count) const;
  /// Returns the state after the tick, valid until the next call; null if it is not kept.
  const sim::Simulation* at(state::Tick tick);

 private:
  struct Kept {
    state::Tick tick;
    std::uint64_t hash = 0;
  };
  std::uint32_t ticks_;
  rollback::RollbackBuffer history_;
  std::deque<Kept> hashes_;  // consecutive ticks, ascending
  std::optional<sim::Simulation> past_;
};

}  // namespace jostle::desync_search
