#include "shared/base/suggestion.h"

#include "shared/base/edit_distance.h"

#include <algorithm>
#include <cstddef>

namespace jostle::base {
namespace {

/// Minimum length of a word that is completed to a candidate that begins with it.
constexpr std::size_t least_beginning = 3;

/// Returns the word in lower case and without the dashes of an option.
std::string letters_of(std::string_view word) {
  std::string letters(word.substr(std::min(word.find_first_not_of('-'), word.size())));
  for (char& letter : letters)
    if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
  return letters;
}

}  // namespace

const std::string* most_similar(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string typed = letters_of(word);
  const std::string* nearest = nullptr;
  std::size_t least = 0;
  for (const std::string& candidate : candidates) {
    const std::string letters = letters_of(candidate);
    const std::size_t most_letters = std::max(letters.size(), typed.size());
    // The length check keeps the work small for any input.
    if (most_letters - std::min(letters.size(), typed.size()) > letters.size() / 3) continue;
    const std::size_t distance = edit_distance(typed, letters);
    if (distance > letters.size() / 3 || (nearest != nullptr && distance >= least)) continue;
    nearest = &candidate;
    least = distance;
  }
  if (nearest == nullptr && typed.size() >= least_beginning) {
    const auto begins = [&](const std::string& candidate) {
      return letters_of(candidate).starts_with(typed);
    };
    const auto found = std::find_if(candidates.begin(), candidates.end(), begins);
    if (found != candidates.end()) nearest = &*found;
  }
  return nearest;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  const std::string* const nearest = most_similar(word, candidates);
  return nearest == nullptr ? std::string() : "; did you mean '" + *nearest + "'?";
}

}  // namespace jostle::base
