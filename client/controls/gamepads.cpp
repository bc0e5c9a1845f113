#include "client/controls/gamepads.h"

#include <algorithm>
#include <utility>

namespace jostle::controls {

std::string Gamepads::name_of(const Pad& pad) {
  const char* const name = SDL_GameControllerName(pad.pad.get());
  return name == nullptr ? "gamepad" : name;
}

std::string Gamepads::name() const {
  return pads_.empty() ? std::string() : name_of(pads_.back());
}

std::string Gamepads::handle(const SDL_Event& event) {
  const auto find = [this](SDL_JoystickID id) {
    return std::find_if(pads_.begin(), pads_.end(), [&](const Pad& pad) { return pad.id == id; });
  };
  if (event.type == SDL_CONTROLLERDEVICEADDED) {
    Pad pad;
    pad.pad.reset(SDL_GameControllerOpen(event.cdevice.which));
    if (pad.pad == nullptr) return std::string("cannot open a gamepad: ") + SDL_GetError();
    pad.id = SDL_JoystickInstanceID(SDL_GameControllerGetJoystick(pad.pad.get()));
    if (find(pad.id) != pads_.end()) return {};  // SDL reports some gamepads twice
    pads_.push_back(std::move(pad));
    return "gamepad connected: " + name();
  }
  if (event.type == SDL_CONTROLLERDEVICEREMOVED) {
    const auto gone = find(event.cdevice.which);
    if (gone == pads_.end()) return {};
    std::string words = "gamepad disconnected: " + name_of(*gone);
    pads_.erase(gone);
    return words;
  }
  return {};
}

}  // namespace jostle::controls
