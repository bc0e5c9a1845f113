#pragma once

#include "tests/physics_laws/law.h"

#include <string>

namespace jostle::physics::laws {

/// Returns the law's line in docs/ACCURACY.md with the measured error. The error has two
/// significant digits. They are the same on every machine, because the engine is bit-exact.
std::string table_line(const Law& law, double error);

/// Measures all laws and returns the text of docs/ACCURACY.md.
std::string accuracy_page();

}  // namespace jostle::physics::laws
