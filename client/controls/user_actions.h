#pragma once

#include "client/controls/command.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace jostle::controls {

/// All that keys and buttons can be bound to.
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
  // Where a recording is looked at.
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

/// Keys are looked up in one of these; with a recording, in its own first.
enum class ActionGroup : std::uint8_t { World, Recording };

/// Empty ones stand for none.
using InputNames = std::array<std::string_view, 4>;

/// What is known of an action before anybody has bound it to anything.
struct ActionInfo {
  UserAction action = UserAction::Forward;
  ActionGroup group = ActionGroup::World;
  std::string_view name;     // in settings files; one of its kind in its group
  std::string_view meaning;  // in a few words
  bool is_held = false;      // lasts as long as its key is down
  bool is_by_place = false;  // keys count by where they are, not by what is printed on them
  std::optional<Command> command;
  InputNames keys;     // to begin with
  InputNames buttons;  // of gamepads
};

/// In the order of the enumeration.
std::span<const ActionInfo> all_actions();
const ActionInfo& info_of(UserAction action);
constexpr std::size_t index_of(UserAction action) {
  return static_cast<std::size_t>(action);
}

}  // namespace jostle::controls
