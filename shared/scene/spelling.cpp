#include "shared/scene/detail/spelling.h"

#include "shared/base/edit_distance.h"

#include <cstddef>

namespace jostle::scene::detail {
namespace {

constexpr std::size_t max_edits = 2;

}  // namespace

std::string spelling_hint(std::string_view word, std::span<const std::string_view> known) {
  std::string_view best;
  std::size_t best_distance = max_edits + 1;
  for (const std::string_view candidate : known) {
    if (candidate.size() > word.size() + max_edits || word.size() > candidate.size() + max_edits)
      continue;
    const std::size_t distance = base::edit_distance(word, candidate);
    if (distance < best_distance && distance < candidate.size()) {
      best = candidate;
      best_distance = distance;
    }
  }
  if (best.empty()) return "";
  return "; did you mean \"" + std::string(best) + "\"?";
}

}  // namespace jostle::scene::detail
