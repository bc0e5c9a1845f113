#pragma once

#include <cstdlib>
#include <string_view>

namespace jostle::physics {

/// Returns the value of a constant of the engine. If the environment variable
/// JOSTLE_VARIED_CONSTANT is NAME=FACTOR with the constant's name, the value is multiplied by the
/// factor (cmake/VariedConstants.cmake).
template <typename T>
T varied(std::string_view name, T value) {
  const char* const setting = std::getenv("JOSTLE_VARIED_CONSTANT");
  if (setting == nullptr) return value;
  const std::string_view text(setting);
  const std::size_t end = text.find('=');
  if (end == std::string_view::npos || text.substr(0, end) != name) return value;
  return static_cast<T>(static_cast<double>(value) * std::strtod(setting + end + 1, nullptr));
}

}  // namespace jostle::physics
