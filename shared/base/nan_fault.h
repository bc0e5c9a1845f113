#pragma once

#include <string>

namespace jostle::base {

/// Returns an error message if strtod() reads the text as NaN ("nan" in any case), and an empty
/// string otherwise. Needed because CLI11's range checks accept NaN: every comparison with it is
/// false.
std::string nan_fault(const std::string& text);

}  // namespace jostle::base
