#pragma once

#include <SDL.h>

#include <functional>
#include <optional>
#include <vector>

namespace jostle::controls {

/// Hands out events, as many as belong to one picture: a press and its release, a click and the way
/// of the mouse after it, or Enter or Escape and what is typed after it never come in the same one.
/// Panels see only what is held when they are drawn, and slow machines draw few pictures.
class EventFeed {
 public:
  /// Gives the next event, or false where there is none now.
  using Source = std::function<bool(SDL_Event&)>;
  explicit EventFeed(Source source = [](SDL_Event& event) { return SDL_PollEvent(&event) != 0; });

  /// `are_keys_due`: there is who takes them. Else they wait, and what came after them.
  void begin_picture(bool are_keys_due = true);
  /// False: nothing more before the next picture.
  bool next(SDL_Event& event);

 private:
  bool belongs_to_next(const SDL_Event& event) const;
  void note(const SDL_Event& event);

  Source source_;
  std::vector<SDL_Keycode> keys_;  // pressed for this picture
  bool is_clicked_ = false;        // for this picture
  bool are_keys_due_ = true;
  std::optional<SDL_Event> held_back_;
};

}  // namespace jostle::controls
