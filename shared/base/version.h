#pragma once

#include <string>
#include <string_view>

namespace jostle::base {

/// The project's version, "major.minor.patch".
std::string_view version();

/// One line for `--version`: version, compiler, architecture, build type.
std::string build_description();

}  // namespace jostle::base
