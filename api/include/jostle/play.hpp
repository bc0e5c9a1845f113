/// Values that rules show to players, in C++.
#ifndef JOSTLE_PLAY_HPP
#define JOSTLE_PLAY_HPP

#include <jostle/error.hpp>
#include <jostle/play.h>

#include <cstring>
#include <string>
#include <string_view>

namespace jostle {

/// Copies a text into an array of a struct of the C API. Throws std::length_error if it is too
/// long. `what` names it in the error.
template <std::size_t capacity>
void copy_text(std::string_view text, char (&array)[capacity], const char* what) {
  if (text.size() >= capacity)
    throw std::length_error(std::string(what) + " has " + std::to_string(text.size()) +
                            " bytes; accepted: up to " + std::to_string(capacity - 1));
  std::memcpy(array, text.data(), text.size());
  array[text.size()] = '\0';
}

/// Returns a number with a name of 1 to 24 bytes.
inline jostle_value value(std::string_view name, float number) {
  jostle_value made{};
  made.kind = JOSTLE_VALUE_NUMBER;
  made.number = number;
  copy_text(name, made.name, "the name of a value");
  return made;
}
/// Returns a time in s, which viewers show as minutes and seconds.
inline jostle_value duration(std::string_view name, float seconds) {
  jostle_value made = value(name, seconds);
  made.kind = JOSTLE_VALUE_DURATION;
  return made;
}
/// Returns a text of up to 40 bytes.
inline jostle_value text(std::string_view name, std::string_view words) {
  jostle_value made = value(name, 0);
  made.kind = JOSTLE_VALUE_TEXT;
  copy_text(words, made.text, "the text of a value");
  return made;
}

}  // namespace jostle

#endif
