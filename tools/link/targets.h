#pragma once

#include "tools/link/table.h"

#include <string>

namespace jostle::link {

/// Makes an empty table of targets and measured values.
Table make_target_table();
/// Adds a target: the measured value shall be at most `most`.
void add_target(Table& table, std::string what, double most, double measured, int digits,
                const std::string& unit);

}  // namespace jostle::link
