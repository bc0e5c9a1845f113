#pragma once

#include <cstdint>

namespace jostle::controls {

/// One-shot commands of keys.
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
