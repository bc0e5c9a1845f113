#pragma once

#include "shared/base/suggestion.h"

#include <string>
#include <string_view>
#include <vector>

namespace jostle::command_line {

using base::suggestion;

/// Returns an empty string if `word` is one of the accepted words; otherwise an error message with
/// a suggestion.
std::string word_fault(const std::string& word, const std::vector<std::string>& accepted);

/// Returns the parts of a text between separators: "a|b" gives a and b.
std::vector<std::string> split_words(std::string_view text, std::string_view separator);

}  // namespace jostle::command_line
