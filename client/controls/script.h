#pragma once

#include "client/controls/action_planner.h"
#include "client/controls/user_input.h"

#include <cstdint>
#include <optional>

namespace jostle::controls {

/// Scripts that replace the user's input.
enum class Script : std::uint8_t {
  None,
  Demo,  // walks into the pile and around it, jumps, pushes, shoots and drags
  Walk,  // walks only
};

/// Player of a script. Its input depends only on the time and the displayed scene. The script
/// repeats every ten seconds.
class ScriptPlayer {
 public:
  explicit ScriptPlayer(Script script) : script_(script) {}

  bool is_playing() const { return script_ != Script::None; }
  /// Returns the input at `seconds` after the world became available. `seconds` must not decrease.
  UserInput play(double seconds, const Shown& shown);

 private:
  Script script_;
  double last_seconds_ = 0;
  std::optional<render::ScreenPoint> drag_start_;
};

}  // namespace jostle::controls
