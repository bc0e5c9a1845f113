#pragma once

#include <cstddef>
#include <string_view>

namespace jostle::base {

/// Returns the Damerau-Levenshtein distance (optimal string alignment): the number of letters to
/// insert, remove or replace, and of neighbours to swap, to make one word from the other. The time
/// grows with the product of the lengths.
std::size_t edit_distance(std::string_view from, std::string_view to);

}  // namespace jostle::base
