#pragma once

#include "client/controls/gamepad_bindings.h"
#include "client/controls/key_bindings.h"

namespace jostle::controls {

/// The user's bindings and sensitivities.
struct ControlSettings {
  KeyBindings keys;
  GamepadBindings pad;
  float mouse_sensitivity = 1;  // factor on the angle of a turn by the mouse
  float stick_sensitivity = 1;  // factor on the deflection of a gamepad's camera stick
  bool is_look_inverted = false;
  float dead_zone = 0.2f;  // fraction of a stick's range that is ignored
  bool operator==(const ControlSettings&) const = default;
};

}  // namespace jostle::controls
