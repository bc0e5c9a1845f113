#pragma once

#include "client/controls/command.h"
#include "client/controls/control_settings.h"
#include "client/render/camera.h"

#include <SDL.h>

#include <array>
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

/// Sampler of the user's input. It tracks pressed keys and buttons from SDL events and returns a
/// UserInput once per frame. A tap shorter than a frame still appears in the next sample.
class InputSampler {
 public:
  /// Changes the settings and releases all pressed inputs.
  void set(const ControlSettings& settings);
  /// Sets the size of the picture, which determines the aim point of a gamepad, and the number of
  /// pixels per unit of SDL's mouse coordinates.
  void set_picture(render::Size size, float pixels_per_unit);

  void handle(const SDL_Event& event);
  UserInput sample();

 private:
  /// A pressed key or button and its action.
  struct Held {
    bool is_key = false;
    int code = 0;  // SDL_Scancode, or the code of a PadInput
    UserAction action = UserAction::Forward;
  };

  void begin(const Held& input);
  void end(bool is_key, int code);
  bool is_held(UserAction action) const;
  void key_down(const SDL_KeyboardEvent& key);
  void button_down(const SDL_MouseButtonEvent& button);
  void button_up(const SDL_MouseButtonEvent& button);
  void motion(const SDL_MouseMotionEvent& motion);
  void pad_input(PadInput input, bool is_down);
  void axis(const SDL_ControllerAxisEvent& axis);
  void add_sticks(UserInput& input) const;
  render::ScreenPoint aim() const;
  void release_pads();
  void release_all();

  ControlSettings settings_;
  std::vector<Held> held_;
  std::vector<UserAction> tapped_;  // pressed since the last sample
  Modifiers modifiers_ = 0;
  bool is_turning_ = false, is_panning_ = false, is_dragging_ = false, is_by_gamepad_ = false;
  std::array<float, SDL_CONTROLLER_AXIS_MAX> axes_{};  // −1..1, positive to the right and down
  std::array<bool, SDL_CONTROLLER_AXIS_MAX> is_pulled_{};
  render::Size picture_;
  float pixels_per_unit_ = 1;
  render::ScreenPoint mouse_;
  UserInput next_;
};

}  // namespace jostle::controls
