#pragma once

#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

namespace jostle::rewind {

/// The last states of a simulation, and what was done in each tick, to go back to one and on from
/// there. States are kept as saves; all but every eighth as what differs from the one before it
/// that is kept whole, so that going back to any takes one restore, and minutes fit into memory.
class StateHistory {
 public:
  /// Of so many ticks at least, from 1 on.
  explicit StateHistory(std::uint32_t ticks);

  /// After each step, with what was done in it; before the first, without anything. Begins anew
  /// where a tick was left out.
  void keep(const sim::Simulation& now, state::TickCommands commands = {});
  /// Where another scene was loaded, with which nothing before goes on.
  void clear() { groups_.clear(); }

  std::optional<state::Tick> oldest() const;
  std::optional<state::Tick> newest() const;
  /// Makes `simulation` what it was after the tick. False where that is not kept; then it stays as
  /// it is. Contract: of the same scene, options and rules.
  bool go_back(state::Tick tick, sim::Simulation& simulation) const;
  /// What was done in the tick; null where it is not kept.
  const state::TickCommands* commands_of(state::Tick tick) const;

  /// Of all states together.
  std::size_t bytes_held() const;

 private:
  struct Difference {
    std::vector<std::byte> packed;
    std::size_t raw_bytes = 0;
  };
  /// A whole state, and those that are told by their difference to it.
  struct Group {
    state::Tick first;
    std::vector<std::byte> whole;
    std::vector<Difference> differences;        // of the ticks after `first`
    std::vector<state::TickCommands> commands;  // of `first` and each after it

    state::Tick last() const { return first + static_cast<std::uint32_t>(differences.size()); }
  };
  const Group* group_of(state::Tick tick) const;

  std::uint32_t ticks_;
  std::deque<Group> groups_;
};

}  // namespace jostle::rewind
