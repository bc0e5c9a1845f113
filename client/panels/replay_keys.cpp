#include "client/panels/replay_keys.h"

#include <algorithm>

namespace jostle::panels {

ReplayCommand replay_command_of(const controls::KeyBindings& keys, const SDL_Keysym& key) {
  using enum controls::UserAction;
  const auto action = keys.find(key, controls::ActionGroup::Recording);
  if (!action) return ReplayCommand::None;
  switch (*action) {
    case ReplayPlay:
      return ReplayCommand::Toggle;
    case ReplayStep:
      return ReplayCommand::StepOnce;
    case ReplayStepFive:
      return ReplayCommand::StepFive;
    case ReplayBack:
      return ReplayCommand::BackOnce;
    case ReplayBackFive:
      return ReplayCommand::BackFive;
    case ReplaySecondOn:
      return ReplayCommand::SecondOn;
    case ReplaySecondBack:
      return ReplayCommand::SecondBack;
    case ReplayStart:
      return ReplayCommand::ToStart;
    case ReplayEnd:
      return ReplayCommand::ToEnd;
    case ReplayFaster:
      return ReplayCommand::Faster;
    case ReplaySlower:
      return ReplayCommand::Slower;
    case ReplayDifference:
      return ReplayCommand::ToDifference;
    case ReplayGhost:
      return ReplayCommand::ToggleGhost;
    default:
      return ReplayCommand::None;
  }
}

void execute(ReplayCommand command, replay::ReplayPlayer& player) {
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
