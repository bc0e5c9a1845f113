#pragma once

#include <cstdint>

namespace jostle::controls {

/// What a key asks for once, when it goes down.
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
