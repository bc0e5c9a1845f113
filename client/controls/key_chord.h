#pragma once

#include <SDL.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jostle::controls {

/// Modifiers of a chord; left and right are the same.
enum Modifier : std::uint8_t { ModifierShift = 1, ModifierCtrl = 2, ModifierAlt = 4 };
using Modifiers = std::uint8_t;

Modifiers modifiers_of(std::uint16_t sdl_modifiers);

/// A key with modifiers. The key is given by its position on a US keyboard or by its label.
struct KeyChord {
  SDL_Scancode place = SDL_SCANCODE_UNKNOWN;  // scancode of a chord that is given by position
  SDL_Keycode key = SDLK_UNKNOWN;             // key code of a chord that is given by label
  Modifiers modifiers = 0;
  bool operator==(const KeyChord&) const = default;

  /// Returns true if the pressed key is the key of this chord and at least its modifiers are
  /// pressed.
  bool matches(const SDL_Keysym& pressed) const;
  /// Returns true if both are the same key of a US keyboard with the same modifiers.
  bool collides_with(const KeyChord& other) const;
  /// Returns the name in settings files: "Shift+.". The name of a position is its label on a US
  /// keyboard.
  std::string name() const;
  /// Returns the name on the user's keyboard: the label of the key at that position.
  std::string printed() const;
};

/// Parses "W", "Page Up" or "Ctrl+Alt+F4", in upper or lower case; nothing if SDL does not know the
/// key. If `is_by_place`, the name means the position of that key on a US keyboard.
std::optional<KeyChord> parse_chord(std::string_view text, bool is_by_place);
/// Returns the chord of a pressed key, by position if `is_by_place`, else by label. Returns nothing
/// if the key is itself a modifier or has no name.
std::optional<KeyChord> chord_of(const SDL_Keysym& pressed, bool is_by_place);

}  // namespace jostle::controls
