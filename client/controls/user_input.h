#pragma once

#include "client/controls/command.h"
#include "client/render/camera.h"

#include <vector>

namespace jostle::controls {

/// The user's input since the last sample, in screen coordinates.
struct UserInput {
  float right = 0, forward = 0;  // −1..1, length at most 1; relative to the view's heading
  bool is_jump = false, is_pull = false, is_repel = false;
  bool is_up = false, is_down = false;  // flying
  // mouse motion in SDL's mouse units times the sensitivity, while the right button or Alt + left
  // is pressed
  float turn_x = 0, turn_y = 0;
  float pan_x = 0, pan_y = 0;    // pixels, while the middle button is pressed
  float zoom = 0;                // wheel steps, positive nearer
  float look_x = 0, look_y = 0;  // turn rate: camera stick in −1..1, times its sensitivity
  float zoom_rate = 0;           // −1..1: zoom rate, positive nearer
  // cursor at Shift-clicks and presses of the bound keys or buttons
  std::vector<render::ScreenPoint> shots;
  // cursor at clicks and presses of the bound keys or buttons
  std::vector<render::ScreenPoint> pushes;
  // cursor at presses of the bound keys or buttons
  std::vector<render::ScreenPoint> spawns, blasts;
  // true from a press of the left button with Ctrl until its release, or while the bound button is
  // pressed
  bool is_dragging = false;
  // true while Ctrl is pressed or a gamepad is used: the body that a drag would grab is highlighted
  bool is_aiming_drag = false;
  render::ScreenPoint cursor;  // the mouse, or the aim of a gamepad
  bool is_by_gamepad = false;  // true if a gamepad was used last
  std::vector<Command> commands;
};

}  // namespace jostle::controls
