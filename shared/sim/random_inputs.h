#pragma once

#include "shared/base/random.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <cstdint>
#include <vector>

namespace jostle::sim {

/// Players that walk, jump, push, shoot and drag at random, from a seed. Used for recordings
/// without a script, load tests and fuzzing. Reads only the data of the simulation that clients
/// see.
class RandomInputs {
 public:
  RandomInputs(std::uint64_t seed, std::uint16_t player_count);

  /// Returns the commands for the tick after the simulation's last tick.
  state::TickCommands next(const Simulation& simulation);

 private:
  struct Mind {
    state::PlayerInput held;
    state::Action drag;
    bool is_dragging = false;
    std::uint32_t ticks_left = 0;  // ticks until the behaviour changes
  };
  void change_mind(Mind& mind, const Simulation& simulation);

  base::Random random_;
  std::vector<Mind> minds_;
};

}  // namespace jostle::sim
