#include "client/controls/key_chord.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace jostle::controls {
namespace {

struct ModifierName {
  std::string_view name;
  Modifiers bit;
};
constexpr std::array<ModifierName, 3> modifier_names{
    {{"Ctrl+", ModifierCtrl}, {"Alt+", ModifierAlt}, {"Shift+", ModifierShift}}};

bool begins_with(std::string_view text, std::string_view beginning) {
  const auto is_letter = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  };
  return text.size() >= beginning.size() &&
         std::equal(beginning.begin(), beginning.end(), text.begin(), is_letter);
}

bool is_modifier(SDL_Keycode key) {
  constexpr std::array<SDL_Keycode, 8> modifiers{SDLK_LSHIFT, SDLK_RSHIFT, SDLK_LCTRL, SDLK_RCTRL,
                                                 SDLK_LALT,   SDLK_RALT,   SDLK_LGUI,  SDLK_RGUI};
  return std::find(modifiers.begin(), modifiers.end(), key) != modifiers.end();
}

std::string with_modifiers(Modifiers modifiers, std::string_view key) {
  std::string text;
  for (const auto& [name, bit] : modifier_names)
    if ((modifiers & bit) != 0) text += name;
  return text.append(key);
}

std::string name_on_us_keyboard(const KeyChord& chord) {
  return chord.place != SDL_SCANCODE_UNKNOWN ? SDL_GetScancodeName(chord.place)
                                             : SDL_GetKeyName(chord.key);
}

}  // namespace

Modifiers modifiers_of(std::uint16_t sdl_modifiers) {
  Modifiers modifiers = 0;
  if ((sdl_modifiers & KMOD_SHIFT) != 0) modifiers |= ModifierShift;
  if ((sdl_modifiers & KMOD_CTRL) != 0) modifiers |= ModifierCtrl;
  if ((sdl_modifiers & KMOD_ALT) != 0) modifiers |= ModifierAlt;
  return modifiers;
}

bool KeyChord::matches(const SDL_Keysym& pressed) const {
  const bool is_key =
      place != SDL_SCANCODE_UNKNOWN ? pressed.scancode == place : pressed.sym == key;
  return is_key && (modifiers_of(pressed.mod) & modifiers) == modifiers;
}

bool KeyChord::collides_with(const KeyChord& other) const {
  return modifiers == other.modifiers && name_on_us_keyboard(*this) == name_on_us_keyboard(other);
}

std::string KeyChord::name() const {
  return with_modifiers(modifiers, name_on_us_keyboard(*this));
}

std::string KeyChord::printed() const {
  if (place == SDL_SCANCODE_UNKNOWN) return name();
  // SDL knows no label if there is no keyboard.
  const std::string printed = SDL_GetKeyName(SDL_GetKeyFromScancode(place));
  return printed.empty() ? name() : with_modifiers(modifiers, printed);
}

std::optional<KeyChord> parse_chord(std::string_view text, bool is_by_place) {
  KeyChord chord;
  for (bool is_found = true; is_found;) {
    is_found = false;
    for (const auto& [name, bit] : modifier_names) {
      // A chord needs a key after its modifiers, so "Ctrl+" alone is not a modifier.
      if (!begins_with(text, name) || text.size() == name.size()) continue;
      chord.modifiers |= bit;
      text.remove_prefix(name.size());
      is_found = true;
    }
  }
  const std::string key(text);
  if (is_by_place) {
    chord.place = SDL_GetScancodeFromName(key.c_str());
  } else {
    chord.key = SDL_GetKeyFromName(key.c_str());
  }
  if (chord.place == SDL_SCANCODE_UNKNOWN && chord.key == SDLK_UNKNOWN) return std::nullopt;
  return chord;
}

std::optional<KeyChord> chord_of(const SDL_Keysym& pressed, bool is_by_place) {
  if (is_modifier(pressed.sym)) return std::nullopt;
  KeyChord chord{.modifiers = modifiers_of(pressed.mod)};
  if (is_by_place) {
    chord.place = pressed.scancode;
  } else {
    chord.key = pressed.sym;
  }
  return chord.name().empty() ? std::nullopt : std::optional(chord);
}

}  // namespace jostle::controls
