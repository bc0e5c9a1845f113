#pragma once

#include "protocol/context/layout.h"
#include "protocol/context/quantized_input.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

namespace jostle::protocol::context::detail {

/// Coder of the inputs of players. Keys and sticks are held for many ticks, so usually one bit says
/// that nothing has changed since the previous tick.
template <class Coder>
class InputCoder {
 public:
  explicit InputCoder(Coder& coder) : coder_(coder) {}

  /// Codes `ticks` inputs of each player, player by player; a decoder fills them.
  void code(std::span<QuantizedInput> inputs, std::size_t ticks) {
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const bool is_first = i % ticks == 0;
      const bool is_new = is_first || coder_.single_context_bit(
                                          slot(changes), !is_first && inputs[i] != inputs[i - 1]);
      if (is_new) {
        code_input(inputs[i]);
      } else {
        inputs[i] = inputs[i - 1];
      }
    }
  }

 private:
  using L = typename Coder::Layout;
  enum Question : int {
    has_x,
    has_z,
    has_z_too,
    is_negative,
    is_full,
    is_diagonal,
    is_as_x,
    changes,
    buttons  // the first of eight slots
  };
  /// Magnitude of each axis for diagonal keyboard movement (a unit vector), out of full_move.
  static constexpr int diagonal_move = 90;

  static constexpr Slot slot(int question) { return L::held.at(0, question); }

  void code_input(QuantizedInput& input) {
    int x = std::abs(input.move_x), z = std::abs(input.move_z);
    const bool moves_x = coder_.single_context_bit(slot(has_x), x != 0);
    if (moves_x) {
      input.move_x = code_move(input.move_x);
      x = std::abs(input.move_x);
    } else {
      input.move_x = 0;
    }
    if (!coder_.single_context_bit(slot(moves_x ? has_z_too : has_z), z != 0)) {
      input.move_z = 0;
    } else if (moves_x && coder_.single_context_bit(slot(is_as_x), z == x)) {
      const bool goes_back = coder_.single_context_bit(slot(is_negative), input.move_z < 0);
      input.move_z = static_cast<std::int8_t>(goes_back ? -x : x);
    } else {
      input.move_z = code_move(input.move_z);
    }
    std::uint32_t node = 1;
    for (unsigned i = held_button_bits; i-- > 0;)
      node =
          node * 2 +
          (coder_.single_context_bit(slot(buttons) + node - 1, (input.buttons >> i & 1) != 0) ? 1
                                                                                              : 0);
    input.buttons = static_cast<std::uint8_t>(node & ((1U << held_button_bits) - 1));
  }

  std::int8_t code_move(int move) {
    const bool goes_back = coder_.single_context_bit(slot(is_negative), move < 0);
    int size = std::abs(move);
    if (coder_.single_context_bit(slot(is_full), size == full_move)) {
      size = full_move;
    } else if (coder_.single_context_bit(slot(is_diagonal), size == diagonal_move)) {
      size = diagonal_move;
    } else {
      size = static_cast<int>(coder_.raw_bits(static_cast<std::uint32_t>(size), 7));
      if (size == 0) coder_.fail();
    }
    return static_cast<std::int8_t>(goes_back ? -size : size);
  }

  Coder& coder_;
};

}  // namespace jostle::protocol::context::detail
