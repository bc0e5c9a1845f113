#pragma once

#include <string>

namespace jostle::base {

/// What is wrong with a fraction on a command line that is "nan" in any spelling, nothing when it
/// is another text: no comparison holds for NaN, so that CLI11's ranges let it pass.
std::string nan_fault(const std::string& text);

}  // namespace jostle::base
