#include "shared/scene/detail/spelling.h"

#include "shared/base/edit_distance.h"

#include <algorithm>
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

std::string name_hint(std::string_view word, std::span<const std::string_view> known,
                      std::size_t max_listed) {
  if (known.empty()) return "; there are none";
  const std::size_t listed = std::min(known.size(), max_listed);
  std::string text = known.size() == 1 ? "; accepted is " : "; accepted are ";
  for (std::size_t i = 0; i < listed; ++i) {
    const bool is_last = i + 1 == known.size();
    if (i > 0) text += is_last ? " and " : ", ";
    text += "\"" + std::string(known[i]) + "\"";
  }
  if (known.size() > listed) text += " and " + std::to_string(known.size() - listed) + " more";
  return text + spelling_hint(word, known);
}

}  // namespace jostle::scene::detail
