#pragma once

#include "client/controls/user_actions.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace jostle::controls {

/// A button of a gamepad, or a trigger that is pulled.
struct PadInput {
  bool is_trigger = false;
  std::uint8_t code = 0;  // SDL_GameControllerButton, or SDL_GameControllerAxis of a trigger
  bool operator==(const PadInput&) const = default;

  /// SDL's: "a", "leftshoulder", "righttrigger".
  std::string name() const;
  /// For people: "A", "left shoulder".
  std::string words() const;
};

/// Nothing where SDL knows no such button.
std::optional<PadInput> parse_pad_input(std::string_view name);

/// Which buttons do what, as KeyTable does of keys. Buttons have no modifiers and no places.
class PadTable {
 public:
  static constexpr std::size_t max_inputs = 4;  // of an action

  PadTable();
  bool operator==(const PadTable&) const = default;

  std::span<const PadInput> inputs(UserAction action) const { return inputs_[index_of(action)]; }
  /// At most max_inputs; none: the action is off.
  void bind(UserAction action, std::vector<PadInput> inputs);
  bool is_default(UserAction action) const;

  std::optional<UserAction> find(PadInput pressed) const;
  /// For people: "A or left shoulder"; empty where there is none.
  std::string words(UserAction action) const;

  struct Collision {
    UserAction first = UserAction::Forward, second = UserAction::Forward;
    PadInput input;
  };
  std::vector<Collision> collisions() const;

 private:
  std::array<std::vector<PadInput>, user_action_count> inputs_;
};

}  // namespace jostle::controls
