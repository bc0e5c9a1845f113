#include "client/controls/input_sampler.h"

#include <cmath>
#include <optional>
#include <utility>

namespace jostle::controls {

namespace {

constexpr float stick_dead_zone = 0.2f;
// Pixels of turn that a fully tilted right stick is worth per frame.
constexpr float stick_turn_pixels = 12;

float stick(std::int16_t value) {
  const float tilt = static_cast<float>(value) / 32767.0f;
  return std::abs(tilt) < stick_dead_zone ? 0.0f : math::clamp(tilt, -1, 1);
}

std::optional<Command> command_of(const SDL_Keysym& key) {
  const bool is_shift = (key.mod & KMOD_SHIFT) != 0;
  switch (key.sym) {
    case SDLK_ESCAPE:
      return Command::Quit;
    case SDLK_p:
      return Command::TogglePause;
    case SDLK_PERIOD:
      return is_shift ? Command::StepFive : Command::StepOnce;
    case SDLK_r:
      return Command::Reset;
    case SDLK_g:
      return Command::ToggleGravity;
    case SDLK_h:
    case SDLK_F1:
    case SDLK_QUESTION:
      return Command::ToggleHelp;
    case SDLK_SLASH:
      return is_shift ? std::optional(Command::ToggleHelp) : std::nullopt;
    case SDLK_n:
      return Command::ToggleNetGraph;
    case SDLK_TAB:
      return Command::ToggleHud;
    case SDLK_c:
      return Command::ToggleFly;
    case SDLK_o:
      return Command::ToggleBodies;
    case SDLK_b:
      return Command::ToggleDraw;
    case SDLK_t:
      return Command::Spawn;
    case SDLK_x:
      return Command::Blast;
    case SDLK_MINUS:
      return Command::Slower;
    case SDLK_EQUALS:
    case SDLK_PLUS:
      return Command::Faster;
    case SDLK_k:
      return Command::ToggleGhost;
    case SDLK_BACKQUOTE:
      return Command::ToggleConsole;
    case SDLK_m:
      return Command::ToggleStatistics;
    case SDLK_i:
      return Command::Inspect;
    case SDLK_v:
      return Command::NextLook;
    case SDLK_f:
      return Command::ToggleFollow;
    case SDLK_LEFTBRACKET:
      return Command::PreviousScene;
    case SDLK_RIGHTBRACKET:
      return Command::NextScene;
    case SDLK_l:
      return Command::ToggleScenes;
    case SDLK_F11:
      return Command::ToggleFullscreen;
    case SDLK_F12:
      return Command::Screenshot;
    default:
      return std::nullopt;
  }
}

render::ScreenPoint point_of(std::int32_t x, std::int32_t y) {
  return {static_cast<float>(x), static_cast<float>(y)};
}

}  // namespace

std::uint32_t InputSampler::held_bit(SDL_Scancode key) {
  // Scancodes: the keys are where WASD is on a US keyboard, whatever is printed on them.
  switch (key) {
    case SDL_SCANCODE_A:
    case SDL_SCANCODE_LEFT:
      return Left;
    case SDL_SCANCODE_D:
    case SDL_SCANCODE_RIGHT:
      return Right;
    case SDL_SCANCODE_W:
    case SDL_SCANCODE_UP:
      return Forward;
    case SDL_SCANCODE_S:
    case SDL_SCANCODE_DOWN:
      return Back;
    case SDL_SCANCODE_SPACE:
      return Jump;
    case SDL_SCANCODE_E:
      return Pull;
    case SDL_SCANCODE_Q:
      return Repel;
    default:
      return 0;
  }
}

std::uint32_t InputSampler::held_bit(SDL_GameControllerButton button) {
  switch (button) {
    case SDL_CONTROLLER_BUTTON_A:
      return Jump;
    case SDL_CONTROLLER_BUTTON_RIGHTSHOULDER:
      return Pull;
    case SDL_CONTROLLER_BUTTON_LEFTSHOULDER:
      return Repel;
    default:
      return 0;
  }
}

void InputSampler::handle(const SDL_Event& event) {
  switch (event.type) {
    case SDL_QUIT:
      next_.commands.push_back(Command::Quit);
      break;
    case SDL_KEYDOWN:
      key_down(event.key);
      break;
    case SDL_KEYUP:
      modifiers_ = event.key.keysym.mod;
      set_held(held_bit(event.key.keysym.scancode), false);
      break;
    case SDL_MOUSEBUTTONDOWN:
      button_down(event.button);
      break;
    case SDL_MOUSEBUTTONUP:
      button_up(event.button);
      break;
    case SDL_MOUSEMOTION:
      motion(event.motion);
      break;
    case SDL_MOUSEWHEEL:
      next_.zoom += static_cast<float>(event.wheel.y);
      break;
    case SDL_CONTROLLERBUTTONDOWN:
    case SDL_CONTROLLERBUTTONUP:
      set_held(held_bit(static_cast<SDL_GameControllerButton>(event.cbutton.button)),
               event.type == SDL_CONTROLLERBUTTONDOWN);
      break;
    case SDL_CONTROLLERAXISMOTION:
      axis(event.caxis);
      break;
    case SDL_WINDOWEVENT:
      // Keys that come up while another window has the focus are never reported.
      if (event.window.event == SDL_WINDOWEVENT_FOCUS_LOST) release_all();
      break;
    default:
      break;
  }
}

UserInput InputSampler::sample() {
  const std::uint32_t held = held_ | tapped_;
  const auto is_held = [held](std::uint32_t bit) { return (held & bit) != 0 ? 1.0f : 0.0f; };
  UserInput result = std::exchange(next_, UserInput{});
  next_.cursor = result.cursor;
  result.right = is_held(Right) - is_held(Left) + stick_x_;
  result.forward = is_held(Forward) - is_held(Back) + stick_y_;
  const float length = std::sqrt(result.right * result.right + result.forward * result.forward);
  if (length > 1) {
    result.right /= length;
    result.forward /= length;
  }
  result.is_jump = (held & Jump) != 0;
  result.is_pull = (held & Pull) != 0;
  result.is_repel = (held & Repel) != 0;
  result.is_up = result.is_jump || result.is_pull;
  result.is_down = result.is_repel;
  result.turn_x += look_x_ * stick_turn_pixels;
  result.turn_y += look_y_ * stick_turn_pixels;
  result.is_dragging = is_dragging_;
  result.is_aiming_drag = (modifiers_ & KMOD_CTRL) != 0;
  tapped_ = 0;
  return result;
}

void InputSampler::set_held(std::uint32_t bit, bool is_down) {
  if (is_down) {
    held_ |= bit;
    tapped_ |= bit;
  } else {
    held_ &= ~bit;
  }
}

void InputSampler::key_down(const SDL_KeyboardEvent& key) {
  modifiers_ = key.keysym.mod;
  if (key.repeat != 0) return;
  if (const std::optional<Command> command = command_of(key.keysym)) {
    if (*command == Command::Spawn) {
      next_.spawns.push_back(next_.cursor);
    } else if (*command == Command::Blast) {
      next_.blasts.push_back(next_.cursor);
    } else {
      next_.commands.push_back(*command);
    }
    return;
  }
  set_held(held_bit(key.keysym.scancode), true);
}

void InputSampler::button_down(const SDL_MouseButtonEvent& button) {
  const render::ScreenPoint point = point_of(button.x, button.y);
  next_.cursor = point;
  if (button.button == SDL_BUTTON_RIGHT) {
    is_turning_ = true;
  } else if (button.button == SDL_BUTTON_MIDDLE) {
    is_panning_ = true;
  } else if (button.button == SDL_BUTTON_LEFT) {
    if ((modifiers_ & KMOD_ALT) != 0) {
      is_turning_ = true;
    } else if ((modifiers_ & KMOD_CTRL) != 0) {
      is_dragging_ = true;
    } else if ((modifiers_ & KMOD_SHIFT) != 0) {
      next_.shots.push_back(point);
    } else {
      next_.pushes.push_back(point);
    }
  }
}

void InputSampler::button_up(const SDL_MouseButtonEvent& button) {
  next_.cursor = point_of(button.x, button.y);
  if (button.button == SDL_BUTTON_MIDDLE) {
    is_panning_ = false;
  } else {
    is_turning_ = false;
    if (button.button == SDL_BUTTON_LEFT) is_dragging_ = false;
  }
}

void InputSampler::motion(const SDL_MouseMotionEvent& motion) {
  next_.cursor = point_of(motion.x, motion.y);
  if (is_turning_) {
    next_.turn_x += static_cast<float>(motion.xrel);
    next_.turn_y += static_cast<float>(motion.yrel);
  } else if (is_panning_) {
    next_.pan_x += static_cast<float>(motion.xrel);
    next_.pan_y += static_cast<float>(motion.yrel);
  }
}

void InputSampler::axis(const SDL_ControllerAxisEvent& axis) {
  switch (axis.axis) {
    case SDL_CONTROLLER_AXIS_LEFTX:
      stick_x_ = stick(axis.value);
      break;
    case SDL_CONTROLLER_AXIS_LEFTY:
      stick_y_ = -stick(axis.value);
      break;
    case SDL_CONTROLLER_AXIS_RIGHTX:
      look_x_ = stick(axis.value);
      break;
    case SDL_CONTROLLER_AXIS_RIGHTY:
      look_y_ = stick(axis.value);
      break;
    default:
      break;
  }
}

void InputSampler::release_all() {
  held_ = 0;
  modifiers_ = 0;
  is_turning_ = is_panning_ = is_dragging_ = false;
  stick_x_ = stick_y_ = look_x_ = look_y_ = 0;
}

}  // namespace jostle::controls
