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

/// A button or trigger of a gamepad.
struct PadInput {
  bool is_trigger = false;
  std::uint8_t code = 0;  // SDL_GameControllerButton, or SDL_GameControllerAxis of a trigger
  bool operator==(const PadInput&) const = default;

  /// Returns SDL's name: "a", "leftshoulder", "righttrigger".
  std::string name() const;
  /// Returns the name for display: "A", "left shoulder".
  std::string text() const;
};

/// Parses SDL's name of a button or trigger; nothing if SDL knows no such button or trigger.
std::optional<PadInput> parse_pad_input(std::string_view name);

/// The bindings of gamepad buttons and triggers: the defaults of the actions, changed by the user.
/// Unlike keys, buttons have no modifiers and no positions.
class GamepadBindings {
 public:
  static constexpr std::size_t max_inputs = 4;  // maximum number of buttons per action

  GamepadBindings();
  bool operator==(const GamepadBindings&) const = default;

  std::span<const PadInput> inputs(UserAction action) const { return inputs_[index_of(action)]; }
  /// Binds an action to at most max_inputs buttons; an empty list disables it.
  void bind(UserAction action, std::vector<PadInput> inputs);
  bool is_default(UserAction action) const;

  std::optional<UserAction> find(PadInput pressed) const;
  /// Returns the buttons for display: "A or left shoulder"; empty if there is none.
  std::string text(UserAction action) const;

  struct Collision {
    UserAction first = UserAction::Forward, second = UserAction::Forward;
    PadInput input;
  };
  std::vector<Collision> collisions() const;

 private:
  std::array<std::vector<PadInput>, user_action_count> inputs_;
};

}  // namespace jostle::controls
