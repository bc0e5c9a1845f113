#pragma once

#include "shared/state/input.h"

#include <cstdint>

namespace jostle::protocol::context {

/// Full deflection of a HeldInput.
inline constexpr int full_move = 127;
/// The buttons that a HeldInput has.
inline constexpr unsigned held_button_bits = 3;

/// What a player holds in a tick, as parts of codec v3 carry it: enough to foresee what bodies do.
struct HeldInput {
  std::int8_t move_x = 0, move_z = 0;  // of full_move
  std::uint8_t buttons = 0;

  bool operator==(const HeldInput&) const = default;
};

HeldInput held(const state::PlayerInput& input);
state::PlayerInput to_input(const HeldInput& held);

}  // namespace jostle::protocol::context
