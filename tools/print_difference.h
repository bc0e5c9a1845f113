#pragma once

#include "shared/record/compare.h"

#include <cstddef>
#include <string>

namespace jostle::tools {

/// Maximum number of differing numbers that are printed without --numbers.
inline constexpr std::size_t default_numbers = 8;

/// Prints "the states `when` differ in 1 number, of 1 body", where `when` is a text such as "after
/// tick 184". Then prints at most `most` of the differing numbers.
void print_states(const record::StateComparison& states, const std::string& when, std::size_t most);

}  // namespace jostle::tools
