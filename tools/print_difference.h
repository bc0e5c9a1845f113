#pragma once

#include "shared/record/compare.h"

#include <cstddef>
#include <string>

namespace jostle::tools {

/// How many numbers that differ are printed, unless somebody wants more.
inline constexpr std::size_t default_numbers = 8;

/// "the states after tick 184 differ in 1 number, of 1 body", and at most so many of them.
void print_states(const record::StateComparison& states, const std::string& when, std::size_t most);

}  // namespace jostle::tools
