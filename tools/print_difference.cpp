#include "tools/print_difference.h"

#include "shared/base/counted.h"

#include <algorithm>
#include <cstdio>

namespace jostle::tools {
namespace {

void print(const record::NumberDifference& difference) {
  const physics::StateNumber& known = difference.a;
  std::printf("  %s  %s\n", difference.where.c_str(), known.field().c_str());
  if (difference.is_only_in_a || difference.is_only_in_b) {
    std::printf("    %s %s, and the other has no such number\n",
                difference.is_only_in_a ? "A" : "B", known.text().c_str());
    return;
  }
  std::printf("    A %s  B %s", difference.a.text().c_str(), difference.b.text().c_str());
  // A distance in ulp is meaningless for numbers that are far apart.
  constexpr std::uint64_t most_ulps = 1'000'000;
  if (difference.ulps > 0 && difference.ulps <= most_ulps)
    std::printf("  %llu ulp", static_cast<unsigned long long>(difference.ulps));
  std::printf("\n");
}

}  // namespace

void print_states(const record::StateComparison& states, const std::string& when,
                  std::size_t most) {
  const std::string bodies =
      states.bodies.empty() ? "" : ", of " + base::counted(states.bodies.size(), "body");
  std::printf("the states %s differ in %s%s\n", when.c_str(),
              base::counted(states.number_count, "number").c_str(), bodies.c_str());
  if (states.rules_differ) std::printf("  and in players, ids, clocks or the state of rules\n");
  for (std::size_t i = 0; i < std::min(most, states.numbers.size()); ++i)
    print(states.numbers[i]);
  if (states.number_count > most) std::printf("  ... (--numbers N shows more)\n");
}

}  // namespace jostle::tools
