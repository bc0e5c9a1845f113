#include "protocol/context/quantized_input.h"

#include <algorithm>

namespace jostle::protocol::context {
namespace {

/// Quantises one component of a movement. NaN becomes 0.
std::int8_t to_steps(float move) {
  if (!(move >= -1.0f)) return move < -1.0f ? std::int8_t{-full_move} : std::int8_t{0};
  const float steps = std::min(move, 1.0f) * full_move;
  return static_cast<std::int8_t>(static_cast<int>(steps + (steps < 0.0f ? -0.5f : 0.5f)));
}

}  // namespace

QuantizedInput held(const state::PlayerInput& input) {
  constexpr unsigned mask = (1U << held_button_bits) - 1;
  return {to_steps(input.move_x), to_steps(input.move_z),
          static_cast<std::uint8_t>(input.buttons & mask)};
}

state::PlayerInput to_input(const QuantizedInput& held) {
  state::PlayerInput input;
  input.move_x = static_cast<float>(held.move_x) / full_move;
  input.move_z = static_cast<float>(held.move_z) / full_move;
  input.buttons = held.buttons;
  return input;
}

}  // namespace jostle::protocol::context
