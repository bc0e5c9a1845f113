#include "shared/bisect/difference_text.h"

#include "shared/base/counted.h"

#include <algorithm>
#include <cstdint>

namespace jostle::bisect {
namespace {

std::string number_text(const record::NumberDifference& difference) {
  const physics::StateNumber& known = difference.a;
  const std::string place = "  " + difference.where + "  " + known.field() + "\n";
  if (difference.is_only_in_a || difference.is_only_in_b) {
    return place + "    " + (difference.is_only_in_a ? "A " : "B ") + known.text() +
           ", and the other has no such number\n";
  }
  std::string text = place + "    A " + difference.a.text() + "  B " + difference.b.text();
  // A distance in ulp is meaningless for numbers that are far apart.
  constexpr std::uint64_t most_ulps = 1'000'000;
  if (difference.ulps > 0 && difference.ulps <= most_ulps)
    text += "  " + std::to_string(difference.ulps) + " ulp";
  return text + "\n";
}

}  // namespace

std::string states_text(const record::StateComparison& states, const std::string& when,
                        std::size_t most) {
  const std::string bodies =
      states.bodies.empty() ? "" : ", of " + base::counted(states.bodies.size(), "body");
  std::string text = "the states " + when + " differ in " +
                     base::counted(states.number_count, "number") + bodies + "\n";
  if (states.rules_differ) text += "  and in players, ids, clocks or the state of rules\n";
  for (std::size_t i = 0; i < std::min(most, states.numbers.size()); ++i)
    text += number_text(states.numbers[i]);
  if (states.number_count > most)
    text += "  ... and " + base::counted(states.number_count - most, "more number") + "\n";
  return text;
}

}  // namespace jostle::bisect
