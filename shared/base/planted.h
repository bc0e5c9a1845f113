#pragma once

#include <string>
#include <string_view>

namespace jostle::base {

// Deliberate errors in the code, to prove that tests find them. They exist only in the copies of
// the rooms that cmake/PlantedTests.cmake builds; in all other builds the compiler removes them.

#ifdef JOSTLE_PLANTS
inline std::string planted_error;
/// Plants the error with this name, and removes the one before; empty: none.
inline void plant(std::string_view name) {
  planted_error = name;
}
/// Returns true if the error with this name is planted.
inline bool is_planted(std::string_view name) {
  return planted_error == name;
}
inline constexpr bool has_plants = true;
#else
inline void plant(std::string_view /*name*/) {}
constexpr bool is_planted(std::string_view /*name*/) {
  return false;
}
inline constexpr bool has_plants = false;
#endif

}  // namespace jostle::base
