#include "shared/base/nan_fault.h"

#include <cmath>
#include <cstdlib>

namespace jostle::base {

std::string nan_fault(const std::string& text) {
  return std::isnan(std::strtod(text.c_str(), nullptr)) ? "'" + text + "' is not a number" : "";
}

}  // namespace jostle::base
