#include "client/panels/replay_keys.h"

#include <algorithm>

namespace jostle::panels {

ReplayCommand replay_command_of(const SDL_Keysym& key) {
  const bool is_shift = (key.mod & KMOD_SHIFT) != 0;
  switch (key.sym) {
    case SDLK_SPACE:
    case SDLK_p:
      return ReplayCommand::Toggle;
    case SDLK_PERIOD:
      return is_shift ? ReplayCommand::StepFive : ReplayCommand::StepOnce;
    case SDLK_COMMA:
      return is_shift ? ReplayCommand::BackFive : ReplayCommand::BackOnce;
    case SDLK_RIGHT:
      return ReplayCommand::SecondOn;
    case SDLK_LEFT:
      return ReplayCommand::SecondBack;
    case SDLK_r:
    case SDLK_HOME:
      return ReplayCommand::ToStart;
    case SDLK_END:
      return ReplayCommand::ToEnd;
    case SDLK_RIGHTBRACKET:
      return ReplayCommand::Faster;
    case SDLK_LEFTBRACKET:
      return ReplayCommand::Slower;
    case SDLK_x:
      return ReplayCommand::ToDifference;
    case SDLK_g:
      return ReplayCommand::ToggleGhost;
    default:
      return ReplayCommand::None;
  }
}

void obey(ReplayCommand command, replay::ReplayPlayer& player) {
  constexpr std::int64_t few = 5;
  const auto seek_by = [&](std::int64_t ticks) {
    const std::int64_t to = std::int64_t{player.wanted().number} + ticks;
    player.seek({static_cast<std::uint32_t>(
        std::clamp<std::int64_t>(to, player.first().number, player.last().number))});
  };
  switch (command) {
    case ReplayCommand::Toggle:
      return player.toggle();
    case ReplayCommand::StepOnce:
      return player.step(1);
    case ReplayCommand::StepFive:
      return player.step(few);
    case ReplayCommand::BackOnce:
      return player.step(-1);
    case ReplayCommand::BackFive:
      return player.step(-few);
    case ReplayCommand::SecondOn:
      return seek_by(player.tick_rate_hz());
    case ReplayCommand::SecondBack:
      return seek_by(-player.tick_rate_hz());
    case ReplayCommand::ToStart:
      return player.seek(player.first());
    case ReplayCommand::ToEnd:
      return player.seek(player.last());
    case ReplayCommand::Faster:
      return player.change_rate(1);
    case ReplayCommand::Slower:
      return player.change_rate(-1);
    case ReplayCommand::ToDifference:
      player.seek_difference();
      return;
    case ReplayCommand::ToggleGhost:
    case ReplayCommand::None:
      return;
  }
}

}  // namespace jostle::panels
