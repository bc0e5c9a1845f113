#pragma once

#include <SDL.h>

#include <memory>
#include <string>
#include <vector>

namespace jostle::controls {

/// The connected gamepads. They are opened and closed by SDL events passed to handle().
class Gamepads {
 public:
  /// Processes an event. Returns a message for the user, or an empty text.
  std::string handle(const SDL_Event& event);
  bool is_one_there() const { return !pads_.empty(); }
  /// Returns the name of the gamepad connected last; empty if there is none.
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
