#pragma once

#include "server/clients.h"
#include "shared/state/command.h"
#include "shared/state/tick.h"

#include <span>
#include <utility>
#include <vector>

namespace jostle::server {

/// Joins, leaves and controls for the next tick, in order of arrival.
class CommandQueue {
 public:
  void add(state::Command command) { commands_.push_back(std::move(command)); }
  std::span<const state::Command> commands() const { return commands_; }
  /// Removes all commands and returns them, followed by the inputs for `tick` of all players that
  /// are not idle, in the order of player ids.
  state::TickCommands take(state::Tick tick, Clients& clients);

 private:
  std::vector<state::Command> commands_;
};

}  // namespace jostle::server
