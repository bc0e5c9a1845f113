#pragma once

#include <string>

namespace jostle::base {

/// Returns an error message if the text is "nan" in any spelling, and an empty string otherwise.
/// CLI11's range checks accept NaN, because every comparison with it is false.
std::string nan_fault(const std::string& text);

}  // namespace jostle::base
