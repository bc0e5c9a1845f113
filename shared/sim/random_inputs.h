#pragma once

#include "shared/base/random.h"
#include "shared/sim/simulation.h"
#include "shared/state/command.h"

#include <cstdint>
#include <vector>

namespace jostle::sim {

/// A generator of random inputs from a seed: players that join, walk, jump, push, shoot and grab
/// bodies. Used by `jostle record --players`, in the determinism matrix, in benchmarks and in
/// tests. It reads only the data of the simulation that clients see.
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
