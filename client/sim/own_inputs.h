#pragma once

#include "shared/state/input.h"
#include "shared/state/tick.h"

#include <cstddef>
#include <deque>
#include <optional>
#include <span>

namespace jostle::prediction {

/// What the player did of late, by tick, without the bodies that he sent into the world: those come
/// when the server has made them.
class OwnInputs {
 public:
  static constexpr std::size_t max_kept = 256;

  /// Ascending by tick, the newest last; may repeat what was noted before. Where ticks have gone
  /// back, what was noted for later ones is no more.
  void note(std::span<const state::PlayerInput> inputs);
  /// Nothing where it is not known.
  std::optional<state::PlayerInput> at(state::Tick tick) const;
  void clear() { inputs_.clear(); }

 private:
  std::deque<state::PlayerInput> inputs_;
};

}  // namespace jostle::prediction
