#pragma once

#include "shared/state/input.h"

#include <cstdint>

namespace jostle::protocol::context {

/// Value of a fully deflected axis in a QuantizedInput.
inline constexpr int full_move = 127;
/// Number of buttons that a QuantizedInput has.
inline constexpr unsigned held_button_bits = 3;

/// A player's input in a tick, reduced to what codec 3 sends: enough to predict the bodies.
struct QuantizedInput {
  std::int8_t move_x = 0, move_z = 0;  // -full_move to full_move
  std::uint8_t buttons = 0;

  bool operator==(const QuantizedInput&) const = default;
};

QuantizedInput held(const state::PlayerInput& input);
state::PlayerInput to_input(const QuantizedInput& held);

}  // namespace jostle::protocol::context
