#pragma once

#include <SDL.h>

#include <memory>
#include <string>
#include <vector>

namespace jostle::controls {

/// The gamepads that are plugged in. They come and go with SDL's events, which it must be shown.
class Gamepads {
 public:
  /// What is to be said of it, or nothing.
  std::string handle(const SDL_Event& event);
  bool is_one_there() const { return !pads_.empty(); }
  /// Of the one that came last; empty where there is none.
  std::string name() const;

 private:
  struct Close {
    void operator()(SDL_GameController* pad) const { SDL_GameControllerClose(pad); }
  };
  struct Pad {
    SDL_JoystickID id = 0;
    std::unique_ptr<SDL_GameController, Close> pad;
  };
  static std::string name_of(const Pad& pad);

  std::vector<Pad> pads_;
};

}  // namespace jostle::controls
