#pragma once

#include <string>
#include <string_view>

namespace jostle::base {

/// The project's version, "major.minor.patch".
std::string_view version();

/// The compiler with its version, the architecture and "optimised" or "debug".
std::string compiler_description();

/// Version and compiler in one line, as recordings and exported files store it.
std::string build_description();

}  // namespace jostle::base
