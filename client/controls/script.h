#pragma once

#include "client/controls/action_planner.h"
#include "client/controls/input_sampler.h"

#include <cstdint>
#include <optional>

namespace jostle::controls {

/// Automatic players.
enum class Script : std::uint8_t {
  None,
  Demo,  // walks into the pile and around it, jumps, pushes, shoots and drags
  Walk,  // walks only
};

/// Player of a script, whose input is a function of the time and of the displayed scene. It repeats
/// every ten seconds.
class ScriptPlayer {
 public:
  explicit ScriptPlayer(Script script) : script_(script) {}

  bool is_playing() const { return script_ != Script::None; }
  /// Returns the input. `seconds` since the world was available must not decrease.
  UserInput play(double seconds, const Shown& shown);

 private:
  Script script_;
  double last_seconds_ = 0;
  std::optional<render::ScreenPoint> drag_start_;
};

}  // namespace jostle::controls
