#include "tools/link/targets.h"

#include "tools/link/tables.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace jostle::link {
namespace {

std::string with_unit(double value, int digits, const std::string& unit) {
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%.*f%s", digits, value, unit.c_str());
  return text.data();
}

}  // namespace

Table make_target_table() {
  return {.key = std::string(targets_key),
          .title = "Targets",
          .text = "Targets for the figures of the tables above.",
          .columns = {{"target", "", 0},
                      {"at_most", "at most", 0},
                      {"measured", "measured", 0},
                      {"is_met", "met", 0}},
          .rows = {}};
}

void add_target(Table& table, std::string what, double most, double measured, int digits,
                const std::string& unit) {
  // NaN does not meet the target.
  const bool is_met = measured <= most;
  table.rows.push_back({std::move(what), with_unit(most, digits, unit),
                        with_unit(measured, digits, unit), std::string(is_met ? "yes" : "no")});
}

std::vector<Table> with_joined_targets(std::vector<Table> tables) {
  Table targets = make_target_table();
  std::erase_if(tables, [&](const Table& table) {
    if (table.key != targets_key) return false;
    targets.rows.insert(targets.rows.end(), table.rows.begin(), table.rows.end());
    return true;
  });
  if (!targets.rows.empty()) tables.push_back(std::move(targets));
  return tables;
}

}  // namespace jostle::link
