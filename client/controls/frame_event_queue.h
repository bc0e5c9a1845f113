#pragma once

#include <SDL.h>

#include <functional>
#include <optional>
#include <vector>

namespace jostle::controls {

/// Queue that distributes events to frames. Panels see only the state at the time they are drawn,
/// and slow machines draw few frames. Therefore a frame never contains both a press and its
/// release, nor a click and later mouse events, nor Enter or Escape and later keys.
class FrameEventQueue {
 public:
  /// Function that sets its argument to the next event and returns true; false if there is none.
  using Source = std::function<bool(SDL_Event&)>;
  explicit FrameEventQueue(Source source = [](SDL_Event& event) {
    return SDL_PollEvent(&event) != 0;
  });

  /// Starts a frame. If `are_keys_due` is false, key and text events and all events after them are
  /// deferred to a later frame.
  void begin_picture(bool are_keys_due = true);
  /// Sets `event` to the next event and returns true; returns false if there are no more events for
  /// this frame.
  bool next(SDL_Event& event);

 private:
  bool belongs_to_next(const SDL_Event& event) const;
  void note(const SDL_Event& event);

  Source source_;
  std::vector<SDL_Keycode> keys_;  // keys pressed in this frame
  bool is_clicked_ = false;        // true if this frame already contains a click
  bool are_keys_due_ = true;
  std::optional<SDL_Event> held_back_;
};

}  // namespace jostle::controls
