#pragma once

#include "client/controls/action_planner.h"
#include "client/controls/input_sampler.h"

#include <cstdint>
#include <optional>

namespace jostle::controls {

/// Ways to play without a user.
enum class Script : std::uint8_t {
  None,
  Demo,  // walks into the heap and around it, jumps, pushes, shoots and drags
  Walk,  // walks only
};

/// Plays a script: what it does is a function of the time and of what is on the screen. Rounds of
/// ten seconds repeat.
class ScriptPlayer {
 public:
  explicit ScriptPlayer(Script script) : script_(script) {}

  bool is_playing() const { return script_ != Script::None; }
  /// `seconds` since the world was there, never less than in the call before.
  UserInput play(double seconds, const Shown& shown);

 private:
  Script script_;
  double last_seconds_ = 0;
  std::optional<render::ScreenPoint> drag_start_;
};

}  // namespace jostle::controls
