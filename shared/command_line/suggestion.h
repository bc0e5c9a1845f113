#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jostle::command_line {

/// Returns the candidate that is most similar to a mistyped word, as "; did you mean 'X'?", or an
/// empty string if there is none. A candidate is similar if at most a third of its letters differ:
/// letters that are missing, additional or wrong. Two neighbours that are swapped count as one
/// difference. If no candidate is similar, the first candidate that begins with the word is taken,
/// if the word has at least three letters.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

/// Returns an empty string if `word` is one of the accepted words; otherwise an error message with
/// a suggestion.
std::string word_fault(const std::string& word, const std::vector<std::string>& accepted);

/// Returns the parts of a text between separators: "a|b" gives a and b.
std::vector<std::string> split_words(std::string_view text, std::string_view separator);

}  // namespace jostle::command_line
