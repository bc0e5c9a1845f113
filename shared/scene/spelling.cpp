#include "shared/scene/detail/spelling.h"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace jostle::scene::detail {
namespace {

constexpr std::size_t max_edits = 2;

/// Returns the Levenshtein distance: the number of letters to insert, remove or replace.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i - 1] == b[j - 1] ? 0 : 1);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

std::string spelling_hint(std::string_view word, std::span<const std::string_view> known) {
  std::string_view best;
  std::size_t best_distance = max_edits + 1;
  for (const std::string_view candidate : known) {
    if (candidate.size() > word.size() + max_edits || word.size() > candidate.size() + max_edits)
      continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  if (best.empty()) return "";
  return "; did you mean \"" + std::string(best) + "\"?";
}

}  // namespace jostle::scene::detail
