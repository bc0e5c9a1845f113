#pragma once

#include "shared/base/random.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <cstdint>
#include <vector>

namespace jostle::sim {

/// Players that do something, by a seed: they walk, jump, push, shoot and drag. For recordings
/// without a script, load tests and fuzzing. Reads the simulation only through what clients see.
class RandomPlayers {
 public:
  RandomPlayers(std::uint64_t seed, std::uint16_t player_count);

  /// The commands of the tick after the simulation's last.
  state::TickCommands next(const Simulation& simulation);

 private:
  struct Mind {
    state::PlayerInput held;
    state::Action drag;
    bool is_dragging = false;
    std::uint32_t ticks_left = 0;  // until the next change of mind
  };
  void change_mind(Mind& mind, const Simulation& simulation);

  base::Random random_;
  std::vector<Mind> minds_;
};

}  // namespace jostle::sim
