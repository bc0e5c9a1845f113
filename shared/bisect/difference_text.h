#pragma once

#include "shared/record/compare.h"

#include <cstddef>
#include <string>

namespace jostle::bisect {

/// Maximum number of differing numbers that are shown if the user does not ask for more.
inline constexpr std::size_t default_numbers = 8;

/// Returns lines: "the states `when` differ in 1 number, of 1 body", where `when` is a text such as
/// "after tick 184", and then at most `most` of the differing numbers.
std::string states_text(const record::StateComparison& states, const std::string& when,
                        std::size_t most);

}  // namespace jostle::bisect
