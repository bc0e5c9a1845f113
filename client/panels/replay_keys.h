#pragma once

#include "client/controls/key_bindings.h"
#include "client/replay/replay_player.h"

#include <SDL.h>

#include <cstdint>

namespace jostle::panels {

/// Commands from keys and the time line.
enum class ReplayCommand : std::uint8_t {
  None,
  Toggle,  // play or pause
  StepOnce,
  StepFive,
  BackOnce,
  BackFive,
  SecondOn,
  SecondBack,
  ToStart,
  ToEnd,
  Faster,
  Slower,
  ToDifference,
  ToggleGhost,
};

/// Returns the command of a key while a recording is played; None: the key has the same meaning as
/// without a recording.
ReplayCommand replay_command_of(const controls::KeyBindings& keys, const SDL_Keysym& key);

/// Executes a command of the replay player. Does nothing for ToggleGhost and None.
void execute(ReplayCommand command, replay::ReplayPlayer& player);

}  // namespace jostle::panels
