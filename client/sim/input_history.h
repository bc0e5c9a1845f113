#pragma once

#include "shared/state/input.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <span>

namespace jostle::prediction {

/// The player's recent inputs by tick, without actions that create bodies. A created body is shown
/// only after the server's command for it has arrived.
class InputHistory {
 public:
  static constexpr std::size_t max_kept = 256;

  /// Adds inputs, ascending by tick. They replace the stored inputs of the same and later ticks.
  void note(std::span<const state::PlayerInput> inputs);
  /// Returns the input of a tick; nothing if it is not known.
  std::optional<state::PlayerInput> at(state::Tick tick) const;
  void clear() { inputs_.clear(); }

 private:
  std::deque<state::PlayerInput> inputs_;
};

}  // namespace jostle::prediction
