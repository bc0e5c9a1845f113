#pragma once

#include <SDL.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace jostle::controls {

/// The modifiers that chords know, left and right alike.
enum Modifier : std::uint8_t { ModifierShift = 1, ModifierCtrl = 2, ModifierAlt = 4 };
using Modifiers = std::uint8_t;

Modifiers modifiers_of(std::uint16_t sdl_modifiers);

/// A key, by its place on a US keyboard or by what is printed on it, and modifiers.
struct KeyChord {
  SDL_Scancode place = SDL_SCANCODE_UNKNOWN;  // where it counts by place
  SDL_Keycode key = SDLK_UNKNOWN;             // elsewhere
  Modifiers modifiers = 0;
  bool operator==(const KeyChord&) const = default;

  /// Whether the key that went down is this one, with these modifiers held or more.
  bool matches(const SDL_Keysym& pressed) const;
  /// Whether they are the same key of a US keyboard, with the same modifiers.
  bool collides_with(const KeyChord& other) const;
  /// As settings files have it: "Shift+.". By place, that of a US keyboard.
  std::string name() const;
  /// As the keyboard has it: what is printed on the key at that place.
  std::string printed() const;
};

/// "W", "Page Up" or "Ctrl+Alt+F4", in letters of any case; nothing where SDL knows no such key.
std::optional<KeyChord> parse_chord(std::string_view text, bool is_by_place);
/// That of a key that went down; nothing where it is a modifier itself.
std::optional<KeyChord> chord_of(const SDL_Keysym& pressed, bool is_by_place);

}  // namespace jostle::controls
