#pragma once

#include "client/render/camera.h"

#include <SDL.h>

#include <cstdint>
#include <vector>

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
  Spawn,
  Blast,
  Slower,
  Faster,
  Screenshot,
  ToggleFullscreen,
};

/// What the user did since the last sample, before it means anything in the world.
struct UserInput {
  float right = 0, forward = 0;  // −1..1, at most 1 long; along the view's heading
  bool is_jump = false, is_pull = false, is_repel = false;
  bool is_up = false, is_down = false;      // flying
  float turn_x = 0, turn_y = 0;             // pixels, while the right button or Alt + left is held
  float pan_x = 0, pan_y = 0;               // pixels, while the middle button is held
  float zoom = 0;                           // wheel steps, positive nearer
  std::vector<render::ScreenPoint> shots;   // Shift-clicks
  std::vector<render::ScreenPoint> pushes;  // clicks
  std::vector<render::ScreenPoint> spawns, blasts;  // at the cursor, as keys go down
  bool is_dragging = false;     // Ctrl and the left button went down and it is still held
  bool is_aiming_drag = false;  // Ctrl is held: shows what a drag would take
  render::ScreenPoint cursor;
  std::vector<Command> commands;
};

/// Turns SDL events into held state and, once per frame, into a UserInput. A tap that is shorter
/// than a frame still shows in the next sample.
class InputSampler {
 public:
  void handle(const SDL_Event& event);
  UserInput sample();

 private:
  /// Held keys and buttons, one bit each.
  enum Held : std::uint32_t {
    Left = 1U << 0,
    Right = 1U << 1,
    Forward = 1U << 2,
    Back = 1U << 3,
    Jump = 1U << 4,
    Pull = 1U << 5,
    Repel = 1U << 6,
  };

  static std::uint32_t held_bit(SDL_Scancode key);
  static std::uint32_t held_bit(SDL_GameControllerButton button);
  void set_held(std::uint32_t bit, bool is_down);
  void key_down(const SDL_KeyboardEvent& key);
  void button_down(const SDL_MouseButtonEvent& button);
  void button_up(const SDL_MouseButtonEvent& button);
  void motion(const SDL_MouseMotionEvent& motion);
  void axis(const SDL_ControllerAxisEvent& axis);
  void release_all();

  std::uint32_t held_ = 0;
  std::uint32_t tapped_ = 0;  // went down since the last sample
  std::uint16_t modifiers_ = 0;
  bool is_turning_ = false, is_panning_ = false, is_dragging_ = false;
  float stick_x_ = 0, stick_y_ = 0, look_x_ = 0, look_y_ = 0;
  UserInput next_;
};

}  // namespace jostle::controls
