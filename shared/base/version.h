#pragma once

#include <string>
#include <string_view>

namespace jostle::base {

/// Returns the project's version, "major.minor.patch".
std::string_view version();

/// Returns the compiler with its version, the architecture and "optimised" or "debug".
std::string compiler_description();

/// Returns version and compiler in one line, as recordings and exported files store it.
std::string build_description();

}  // namespace jostle::base
