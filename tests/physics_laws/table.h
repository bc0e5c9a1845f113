#pragma once

#include "tests/physics_laws/law.h"

#include <string>

namespace jostle::physics::laws {

/// The law's line in docs/ACCURACY.md, with what was measured. Two digits: they are the same on
/// every machine, because the engine's bits are.
std::string table_line(const Law& law, double error);

/// The whole of docs/ACCURACY.md; measures everything.
std::string accuracy_page();

}  // namespace jostle::physics::laws
