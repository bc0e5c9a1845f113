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

/// What clients are told that run the simulation themselves: all of it when they ask, and then what
/// is done to it. What players hold is told when it changes.
class SimulationFeed {
 public:
  /// Joins, leaves, controls, pushes and shots of a tick as they are, movement where it is another
  /// than in the tick before, as messages in their order. Once a tick, in order, while anyone is
  /// told.
  std::vector<std::vector<std::byte>> news_of(const state::TickCommands& commands);

  /// The simulation as it stands, packed once a tick for all that want it; null where it is larger
  /// than a blob may be, or its scene has no text. The next news tell all that is held.
  SharedBlob whole(const sim::Simulation& simulation);

 private:
  struct Held {
    float move_x = 0, move_z = 0;
    std::uint16_t buttons = 0;
    bool operator==(const Held&) const = default;
  };
  std::optional<state::InputCommand> new_input(const state::InputCommand& command);

  std::map<state::PlayerId, Held> held_;  // those who hold something
  bool tells_all_ = false;
  SharedBlob blob_;
  std::optional<state::Tick> tick_;  // of blob_
};

}  // namespace jostle::server
