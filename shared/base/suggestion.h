#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace jostle::base {

/// Returns the candidate that is most similar to a mistyped word, or null if none is. A candidate
/// is similar if at most a third of its letters differ: letters that are missing, additional or
/// wrong. Two neighbours that are swapped count as one difference. If no candidate is similar, the
/// first candidate that begins with the word is taken, if the word has at least three letters. The
/// result is in `candidates`.
const std::string* most_similar(std::string_view word, const std::vector<std::string>& candidates);

/// Returns "; did you mean 'X'?" with the most similar candidate, or an empty string if there is
/// none.
std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace jostle::base
