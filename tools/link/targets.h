#pragma once

#include "tools/link/table.h"

#include <string>

namespace jostle::link {

/// Makes an empty table of targets and measured values.
Table make_target_table();
/// Adds the target that `what`, measured as `measured`, is at most `most`. The values are shown
/// with `digits` decimal places and `unit`. NaN does not meet the target.
void add_target(Table& table, std::string what, double most, double measured, int digits,
                const std::string& unit);

}  // namespace jostle::link
