#pragma once

#include "client/controls/command.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace jostle::controls {

/// Actions that keys and buttons can be bound to.
enum class UserAction : std::uint8_t {
  Forward,
  Back,
  Left,
  Right,
  Jump,
  Attract,
  Repel,
  Push,
  Shoot,
  Hold,
  Crate,
  Blast,
  Nearer,
  Further,
  Pause,
  Step,
  StepFive,
  Slower,
  Faster,
  Reset,
  Gravity,
  PreviousScene,
  NextScene,
  Scenes,
  Follow,
  Fly,
  Look,
  Bodies,
  Inspect,
  Draw,
  Ghosts,
  NetGraph,
  Statistics,
  Console,
  Panels,
  Help,
  Settings,
  Fullscreen,
  Screenshot,
  Quit,
  // Actions while a recording is played.
  ReplayPlay,
  ReplayStep,
  ReplayStepFive,
  ReplayBack,
  ReplayBackFive,
  ReplaySecondOn,
  ReplaySecondBack,
  ReplayStart,
  ReplayEnd,
  ReplayFaster,
  ReplaySlower,
  ReplayDifference,
  ReplayGhost,
};
inline constexpr std::size_t user_action_count =
    static_cast<std::size_t>(UserAction::ReplayGhost) + 1;

/// Groups of key bindings. While a recording is played, Recording is searched before World.
enum class ActionGroup : std::uint8_t { World, Recording };

/// Names of up to four keys or buttons; empty entries are unused.
using InputNames = std::array<std::string_view, 4>;

/// Static description of an action, with its default bindings.
struct ActionInfo {
  UserAction action = UserAction::Forward;
  ActionGroup group = ActionGroup::World;
  std::string_view name;     // name in settings files; unique within its group
  std::string_view meaning;  // short description
  bool is_held = false;      // active while its key is pressed
  bool is_by_place = false;  // keys are given by position, not by label
  std::optional<Command> command;
  InputNames keys;     // default keys
  InputNames buttons;  // default gamepad buttons
};

/// Returns all actions, in the order of the enumeration.
std::span<const ActionInfo> all_actions();
const ActionInfo& info_of(UserAction action);
constexpr std::size_t index_of(UserAction action) {
  return static_cast<std::size_t>(action);
}

}  // namespace jostle::controls
