#pragma once

#include "client/controls/key_table.h"
#include "client/replay/replay_player.h"

#include <SDL.h>

#include <cstdint>

namespace jostle::panels {

/// What keys and the bar ask of a replay.
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

/// What a key means where a recording is looked at; None: what it means elsewhere.
ReplayCommand replay_command_of(const controls::KeyTable& keys, const SDL_Keysym& key);

/// Does it, as far as it is the player's to do.
void obey(ReplayCommand command, replay::ReplayPlayer& player);

}  // namespace jostle::panels
