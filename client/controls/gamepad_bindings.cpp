#include "client/controls/gamepad_bindings.h"

#include "shared/base/assert.h"

#include <SDL.h>

#include <algorithm>
#include <utility>

namespace jostle::controls {
namespace {

struct InputText {
  std::string_view name, text;
};
// Names for display of buttons and triggers whose SDL names are unclear. The letters follow SDL's
// layout.
constexpr std::array<InputText, 20> display_names{{
    {"a", "A"},
    {"b", "B"},
    {"x", "X"},
    {"y", "Y"},
    {"back", "Back"},
    {"guide", "Guide"},
    {"start", "Start"},
    {"leftstick", "left stick press"},
    {"rightstick", "right stick press"},
    {"leftshoulder", "left shoulder"},
    {"rightshoulder", "right shoulder"},
    {"dpup", "D-pad up"},
    {"dpdown", "D-pad down"},
    {"dpleft", "D-pad left"},
    {"dpright", "D-pad right"},
    {"lefttrigger", "left trigger"},
    {"righttrigger", "right trigger"},
    {"misc1", "extra button"},
    {"touchpad", "touch pad"},
    {"paddle1", "paddle 1"},
}};

std::vector<PadInput> default_inputs(const ActionInfo& info) {
  std::vector<PadInput> inputs;
  for (const std::string_view name : info.buttons) {
    if (name.empty()) continue;
    const auto input = parse_pad_input(name);
    JOSTLE_ASSERT(input.has_value());
    inputs.push_back(*input);
  }
  return inputs;
}

}  // namespace

std::string PadInput::name() const {
  const char* const name =
      is_trigger
          ? SDL_GameControllerGetStringForAxis(static_cast<SDL_GameControllerAxis>(code))
          : SDL_GameControllerGetStringForButton(static_cast<SDL_GameControllerButton>(code));
  return name == nullptr ? "" : name;
}

std::string PadInput::text() const {
  const std::string own = name();
  const auto found = std::find_if(display_names.begin(), display_names.end(),
                                  [&](const InputText& each) { return each.name == own; });
  return found == display_names.end() ? own : std::string(found->text);
}

std::optional<PadInput> parse_pad_input(std::string_view name) {
  const std::string text(name);
  const SDL_GameControllerButton button = SDL_GameControllerGetButtonFromString(text.c_str());
  if (button != SDL_CONTROLLER_BUTTON_INVALID)
    return PadInput{false, static_cast<std::uint8_t>(button)};
  const SDL_GameControllerAxis axis = SDL_GameControllerGetAxisFromString(text.c_str());
  if (axis != SDL_CONTROLLER_AXIS_TRIGGERLEFT && axis != SDL_CONTROLLER_AXIS_TRIGGERRIGHT)
    return std::nullopt;
  return PadInput{true, static_cast<std::uint8_t>(axis)};
}

GamepadBindings::GamepadBindings() {
  for (const ActionInfo& info : all_actions())
    inputs_[index_of(info.action)] = default_inputs(info);
}

void GamepadBindings::bind(UserAction action, std::vector<PadInput> inputs) {
  JOSTLE_ASSERT(inputs.size() <= max_inputs);
  inputs_[index_of(action)] = std::move(inputs);
}

bool GamepadBindings::is_default(UserAction action) const {
  return inputs_[index_of(action)] == default_inputs(info_of(action));
}

std::optional<UserAction> GamepadBindings::find(PadInput pressed) const {
  for (const ActionInfo& info : all_actions()) {
    const auto bound = inputs(info.action);
    if (std::find(bound.begin(), bound.end(), pressed) != bound.end()) return info.action;
  }
  return std::nullopt;
}

std::string GamepadBindings::text(UserAction action) const {
  std::string text;
  for (const PadInput& input : inputs(action))
    text += (text.empty() ? "" : " or ") + input.text();
  return text;
}

std::vector<GamepadBindings::Collision> GamepadBindings::collisions() const {
  std::vector<Collision> found;
  for (const ActionInfo& first : all_actions()) {
    for (const ActionInfo& second : all_actions()) {
      if (second.action <= first.action) continue;
      const auto others = inputs(second.action);
      for (const PadInput& input : inputs(first.action))
        if (std::find(others.begin(), others.end(), input) != others.end())
          found.push_back({first.action, second.action, input});
    }
  }
  return found;
}

}  // namespace jostle::controls
