#include "client/controls/input_sampler.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jostle::controls {

namespace {

// Thresholds at which a trigger counts as pulled and as released (hysteresis).
constexpr float pulled = 0.5f, let_go = 0.35f;
// Height of a gamepad's aim point, as a fraction of the picture's height from the top: above the
// followed body.
constexpr float aim_height = 0.38f;

render::ScreenPoint point_of(std::int32_t x, std::int32_t y) {
  return {static_cast<float>(x), static_cast<float>(y)};
}

int code_of(PadInput input) {
  return input.code + (input.is_trigger ? SDL_CONTROLLER_BUTTON_MAX : 0);
}

struct Tilt {
  float x = 0, y = 0;
};

/// Removes a circular dead zone from the tilt of a stick and rescales the rest to the full range.
Tilt beyond_dead_zone(float x, float y, float dead_zone) {
  const float length = std::sqrt(x * x + y * y);
  if (length <= dead_zone) return {};
  const float share = math::min_of((length - dead_zone) / (1 - dead_zone), 1) / length;
  return {x * share, y * share};
}

}  // namespace

void InputSampler::set(const ControlSettings& settings) {
  settings_ = settings;
  release_all();
  tapped_.clear();
}

void InputSampler::set_picture(render::Size size, float pixels_per_unit) {
  picture_ = size;
  pixels_per_unit_ = pixels_per_unit;
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
      modifiers_ = modifiers_of(event.key.keysym.mod);
      end(true, event.key.keysym.scancode);
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
      pad_input({false, event.cbutton.button}, event.type == SDL_CONTROLLERBUTTONDOWN);
      break;
    case SDL_CONTROLLERDEVICEREMOVED:
      release_pads();
      break;
    case SDL_CONTROLLERAXISMOTION:
      axis(event.caxis);
      break;
    case SDL_WINDOWEVENT:
      // The release of a key is not reported while another window has the focus.
      if (event.window.event == SDL_WINDOWEVENT_FOCUS_LOST) release_all();
      break;
    default:
      break;
  }
}

UserInput InputSampler::sample() {
  const auto amount = [this](UserAction action) { return is_held(action) ? 1.0f : 0.0f; };
  UserInput result = std::exchange(next_, UserInput{});
  result.right = amount(UserAction::Right) - amount(UserAction::Left);
  result.forward = amount(UserAction::Forward) - amount(UserAction::Back);
  add_sticks(result);
  const float length = std::sqrt(result.right * result.right + result.forward * result.forward);
  if (length > 1) {
    result.right /= length;
    result.forward /= length;
  }
  result.is_jump = is_held(UserAction::Jump);
  result.is_pull = is_held(UserAction::Attract);
  result.is_repel = is_held(UserAction::Repel);
  result.is_up = result.is_jump || result.is_pull;
  result.is_down = result.is_repel;
  result.zoom_rate = amount(UserAction::Nearer) - amount(UserAction::Further);
  result.is_by_gamepad = is_by_gamepad_;
  result.cursor = is_by_gamepad_ ? aim() : mouse_;
  result.is_dragging = is_dragging_ || is_held(UserAction::Hold);
  result.is_aiming_drag = is_by_gamepad_ || (modifiers_ & ModifierCtrl) != 0;
  tapped_.clear();
  return result;
}

void InputSampler::add_sticks(UserInput& input) const {
  const Tilt move = beyond_dead_zone(axes_[SDL_CONTROLLER_AXIS_LEFTX],
                                     axes_[SDL_CONTROLLER_AXIS_LEFTY], settings_.dead_zone);
  const Tilt look = beyond_dead_zone(axes_[SDL_CONTROLLER_AXIS_RIGHTX],
                                     axes_[SDL_CONTROLLER_AXIS_RIGHTY], settings_.dead_zone);
  input.right += move.x;
  input.forward -= move.y;
  const float upside = settings_.is_look_inverted ? -1.0f : 1.0f;
  input.look_x = look.x * settings_.stick_sensitivity;
  input.look_y = look.y * settings_.stick_sensitivity * upside;
  input.turn_x *= settings_.mouse_sensitivity;
  input.turn_y *= settings_.mouse_sensitivity * upside;
}

render::ScreenPoint InputSampler::aim() const {
  return {static_cast<float>(picture_.width) * 0.5f,
          static_cast<float>(picture_.height) * aim_height};
}

bool InputSampler::is_held(UserAction action) const {
  return std::find(tapped_.begin(), tapped_.end(), action) != tapped_.end() ||
         std::any_of(held_.begin(), held_.end(),
                     [action](const Held& each) { return each.action == action; });
}

void InputSampler::begin(const Held& input) {
  const ActionInfo& info = info_of(input.action);
  if (info.command) {
    next_.commands.push_back(*info.command);
  } else if (input.action == UserAction::Push) {
    next_.pushes.push_back(input.is_key ? mouse_ : aim());
  } else if (input.action == UserAction::Shoot) {
    next_.shots.push_back(input.is_key ? mouse_ : aim());
  } else if (input.action == UserAction::Crate) {
    next_.spawns.push_back(input.is_key ? mouse_ : aim());
  } else if (input.action == UserAction::Blast) {
    next_.blasts.push_back(input.is_key ? mouse_ : aim());
  } else {
    held_.push_back(input);
    tapped_.push_back(input.action);
  }
}

void InputSampler::end(bool is_key, int code) {
  std::erase_if(held_,
                [&](const Held& each) { return each.is_key == is_key && each.code == code; });
}

void InputSampler::key_down(const SDL_KeyboardEvent& key) {
  modifiers_ = modifiers_of(key.keysym.mod);
  if (key.repeat != 0) return;
  const auto action = settings_.keys.find(key.keysym, ActionGroup::World);
  if (!action) return;
  if (info_of(*action).is_held) is_by_gamepad_ = false;
  begin({true, key.keysym.scancode, *action});
}

void InputSampler::pad_input(PadInput input, bool is_down) {
  if (!is_down) return end(false, code_of(input));
  is_by_gamepad_ = true;
  if (const auto action = settings_.pad.find(input)) begin({false, code_of(input), *action});
}

void InputSampler::button_down(const SDL_MouseButtonEvent& button) {
  const render::ScreenPoint point = mouse_ = point_of(button.x, button.y);
  is_by_gamepad_ = false;
  if (button.button == SDL_BUTTON_RIGHT) {
    is_turning_ = true;
  } else if (button.button == SDL_BUTTON_MIDDLE) {
    is_panning_ = true;
  } else if (button.button == SDL_BUTTON_LEFT) {
    if ((modifiers_ & ModifierAlt) != 0) {
      is_turning_ = true;
    } else if ((modifiers_ & ModifierCtrl) != 0) {
      is_dragging_ = true;
    } else if ((modifiers_ & ModifierShift) != 0) {
      next_.shots.push_back(point);
    } else {
      next_.pushes.push_back(point);
    }
  }
}

void InputSampler::button_up(const SDL_MouseButtonEvent& button) {
  mouse_ = point_of(button.x, button.y);
  if (button.button == SDL_BUTTON_MIDDLE) {
    is_panning_ = false;
  } else {
    is_turning_ = false;
    if (button.button == SDL_BUTTON_LEFT) is_dragging_ = false;
  }
}

void InputSampler::motion(const SDL_MouseMotionEvent& motion) {
  mouse_ = point_of(motion.x, motion.y);
  is_by_gamepad_ = false;
  if (is_turning_) {
    next_.turn_x += static_cast<float>(motion.xrel);
    next_.turn_y += static_cast<float>(motion.yrel);
  } else if (is_panning_) {
    next_.pan_x += static_cast<float>(motion.xrel) * pixels_per_unit_;
    next_.pan_y += static_cast<float>(motion.yrel) * pixels_per_unit_;
  }
}

void InputSampler::axis(const SDL_ControllerAxisEvent& axis) {
  if (axis.axis >= SDL_CONTROLLER_AXIS_MAX) return;
  const float tilt = math::clamp(static_cast<float>(axis.value) / 32767.0f, -1, 1);
  axes_[axis.axis] = tilt;
  const bool is_trigger =
      axis.axis == SDL_CONTROLLER_AXIS_TRIGGERLEFT || axis.axis == SDL_CONTROLLER_AXIS_TRIGGERRIGHT;
  if (!is_trigger) {
    // Released sticks report small random tilts, which are ignored.
    if (std::abs(tilt) > settings_.dead_zone) is_by_gamepad_ = true;
    return;
  }
  bool& is_pulled = is_pulled_[axis.axis];
  const bool was_pulled = is_pulled;
  is_pulled = tilt > (was_pulled ? let_go : pulled);
  if (is_pulled != was_pulled) pad_input({true, axis.axis}, is_pulled);
}

void InputSampler::release_pads() {
  std::erase_if(held_, [](const Held& each) { return !each.is_key; });
  axes_ = {};
  is_pulled_ = {};
  is_by_gamepad_ = false;
}

void InputSampler::release_all() {
  held_.clear();
  modifiers_ = 0;
  is_turning_ = is_panning_ = is_dragging_ = false;
  release_pads();
}

}  // namespace jostle::controls
