#pragma once

#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace jostle::rollback {

/// The last states of a simulation and the commands of each tick, for rolling back. Every eighth
/// state is saved in full, and the seven after it as compressed differences from it. Restoring a
/// state therefore decompresses at most one difference, and minutes of states fit in memory.
class RollbackBuffer {
 public:
  /// Keeps at least the last `ticks` ticks. Contract: `ticks` >= 1.
  explicit RollbackBuffer(std::uint32_t ticks);

  /// Adds a state. Call it after each step with the commands of that tick, and before the first
  /// step without commands. If a tick was left out, the history restarts.
  void keep(const sim::Simulation& now, state::TickCommands commands = {});
  /// Drops all states. Call it after another scene was loaded.
  void clear() { groups_.clear(); }

  std::optional<state::Tick> oldest() const;
  std::optional<state::Tick> newest() const;
  /// Restores `simulation` to the state after the tick. Returns false and leaves it unchanged if
  /// that state is not kept. Contract: same scene, options and rules.
  bool go_back(state::Tick tick, sim::Simulation& simulation) const;
  /// Returns the commands of the tick; null if they are not kept.
  const state::TickCommands* commands_of(state::Tick tick) const;

  /// Returns the memory of all states together in bytes, without the commands.
  std::size_t bytes_held() const;

 private:
  struct Difference {
    std::vector<std::byte> packed;
    std::size_t raw_bytes = 0;
  };
  /// A full state, and the states stored as differences from it.
  struct Group {
    state::Tick first;
    std::vector<std::byte> whole;
    std::vector<Difference> differences;        // states of the ticks after `first`
    std::vector<state::TickCommands> commands;  // commands of `first` and each tick after it

    state::Tick last() const { return first + static_cast<std::uint32_t>(differences.size()); }
  };
  const Group* group_of(state::Tick tick) const;

  std::uint32_t ticks_;
  std::deque<Group> groups_;
};

}  // namespace jostle::rollback
