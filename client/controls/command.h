#pragma once

#include <cstdint>

namespace jostle::controls {

/// Commands that a key or button triggers once per press.
enum class Command : std::uint8_t {
  Quit,
  TogglePause,
  StepOnce,
  StepFive,
  Reset,
  ToggleGravity,
  ToggleHelp,
  ToggleSettings,
  ToggleNetGraph,
  ToggleHud,
  ToggleFly,
  NextLook,
  ToggleBodies,
  ToggleDraw,
  ToggleGhost,
  ToggleStatistics,
  ToggleConsole,
  Inspect,
  ToggleFollow,
  PreviousScene,
  NextScene,
  ToggleScenes,
  Slower,
  Faster,
  Screenshot,
  ToggleFullscreen,
};

}  // namespace jostle::controls
