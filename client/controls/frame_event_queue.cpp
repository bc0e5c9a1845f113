#include "client/controls/frame_event_queue.h"

#include <algorithm>
#include <utility>

namespace jostle::controls {

FrameEventQueue::FrameEventQueue(Source source) : source_(std::move(source)) {}

void FrameEventQueue::begin_picture(bool are_keys_due) {
  are_keys_due_ = are_keys_due;
  keys_.clear();
  is_clicked_ = false;
}

bool FrameEventQueue::next(SDL_Event& event) {
  if (held_back_) {
    if (belongs_to_next(*held_back_)) return false;
    event = *std::exchange(held_back_, std::nullopt);
  } else if (!source_(event)) {
    return false;
  } else if (belongs_to_next(event)) {
    held_back_ = event;
    return false;
  }
  note(event);
  return true;
}

bool FrameEventQueue::belongs_to_next(const SDL_Event& event) const {
  const auto is_pressed = [&](SDL_Keycode key) {
    return std::find(keys_.begin(), keys_.end(), key) != keys_.end();
  };
  switch (event.type) {
    case SDL_KEYUP:
      return !are_keys_due_ || is_pressed(event.key.keysym.sym);
    case SDL_KEYDOWN:
    case SDL_TEXTINPUT:
      return !are_keys_due_ || is_pressed(SDLK_RETURN) || is_pressed(SDLK_KP_ENTER) ||
             is_pressed(SDLK_ESCAPE);
    case SDL_MOUSEMOTION:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
      return is_clicked_;
    default:
      return false;
  }
}

void FrameEventQueue::note(const SDL_Event& event) {
  if (event.type == SDL_KEYDOWN) keys_.push_back(event.key.keysym.sym);
  if (event.type == SDL_MOUSEBUTTONDOWN) is_clicked_ = true;
}

}  // namespace jostle::controls
