#pragma once

#include "server/blob_sender.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

namespace jostle::server {

/// Messages for clients that run the simulation themselves: the full state on request, and then the
/// commands of each tick. The movement and buttons of a player are sent only when they change.
class SimulationStream {
 public:
  /// Returns messages with the commands of a tick. They contain joins, leaves, controls and actions
  /// other than grabs, and movement and buttons if these differ from the tick before. Call it once
  /// per tick, in order, while any client runs the simulation.
  std::vector<std::vector<std::byte>> commands_of(const state::TickCommands& commands);

  /// Returns the current state of the simulation, encoded once per tick for all clients that
  /// request it. Null if it is too large for a blob, or if the scene has no source text. The next
  /// commands_of() then sends the inputs of all players.
  SharedBlob whole(const sim::Simulation& simulation);

 private:
  struct Held {
    float move_x = 0, move_z = 0;
    std::uint16_t buttons = 0;
    bool operator==(const Held&) const = default;
  };
  std::optional<state::InputCommand> new_input(const state::InputCommand& command);

  std::map<state::PlayerId, Held> held_;  // players with a non-idle input
  bool sends_all_inputs_ = false;         // true if the next messages contain unchanged inputs too
  SharedBlob blob_;
  std::optional<state::Tick> tick_;  // tick of blob_
};

}  // namespace jostle::server
