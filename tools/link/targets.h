#pragma once

#include "tools/link/table.h"

#include <string>

namespace jostle::link {

/// A table of what was wanted and what came about.
Table make_target_table();
/// A figure that is to be at most so much.
void add_target(Table& table, std::string what, double most, double measured, int digits,
                const std::string& unit);

}  // namespace jostle::link
