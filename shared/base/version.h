#pragma once

#include <string>
#include <string_view>

namespace jostle::base {

/// Returns the project's version, "major.minor.patch".
std::string_view version();

/// Returns the compiler with its version, the architecture and "optimised" or "debug".
std::string compiler_description();

/// Returns the project's version and `compiler_description()` in one line. Recordings and exported
/// files store this line.
std::string build_description();

}  // namespace jostle::base
