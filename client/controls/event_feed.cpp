#include "client/controls/event_feed.h"

#include <algorithm>
#include <utility>

namespace jostle::controls {

EventFeed::EventFeed(Source source) : source_(std::move(source)) {}

void EventFeed::begin_picture() {
  keys_.clear();
  is_clicked_ = false;
}

bool EventFeed::next(SDL_Event& event) {
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

bool EventFeed::belongs_to_next(const SDL_Event& event) const {
  switch (event.type) {
    case SDL_KEYUP:
      return std::find(keys_.begin(), keys_.end(), event.key.keysym.sym) != keys_.end();
    case SDL_MOUSEMOTION:
    case SDL_MOUSEBUTTONDOWN:
    case SDL_MOUSEBUTTONUP:
      return is_clicked_;
    default:
      return false;
  }
}

void EventFeed::note(const SDL_Event& event) {
  if (event.type == SDL_KEYDOWN) keys_.push_back(event.key.keysym.sym);
  if (event.type == SDL_MOUSEBUTTONDOWN) is_clicked_ = true;
}

}  // namespace jostle::controls
