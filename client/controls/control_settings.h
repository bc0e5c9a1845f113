#pragma once

#include "client/controls/key_table.h"
#include "client/controls/pad_table.h"

namespace jostle::controls {

/// How the user wants to move and look.
struct ControlSettings {
  KeyTable keys;
  PadTable pad;
  float mouse_sensitivity = 1;  // turns so many times as far
  float stick_sensitivity = 1;  // the same, of gamepads
  bool is_look_inverted = false;
  float dead_zone = 0.2f;  // of sticks: the share of their way that is none
  bool operator==(const ControlSettings&) const = default;
};

}  // namespace jostle::controls
