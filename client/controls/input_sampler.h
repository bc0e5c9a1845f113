#pragma once

#include "client/controls/command.h"
#include "client/controls/control_settings.h"
#include "client/controls/user_input.h"
#include "client/render/camera.h"

#include <SDL.h>

#include <array>
#include <vector>

namespace jostle::controls {

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
