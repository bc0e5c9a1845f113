#pragma once

#include "shared/sim/rule.h"

#include <memory>
#include <vector>

namespace jostle::sim {

/// Returns the rules of the stock server in their order: scene script, player control, pushes,
/// shots, grabs.
std::vector<std::unique_ptr<Rule>> default_rules();

}  // namespace jostle::sim
