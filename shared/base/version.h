#pragma once

#include <string>
#include <string_view>

namespace jostle::base {

/// Returns the project's version, "major.minor.patch".
std::string_view version();

/// Returns one line for `--version`: version, compiler, architecture and build type.
std::string build_description();

}  // namespace jostle::base
