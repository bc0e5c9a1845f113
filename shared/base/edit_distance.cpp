#include "shared/base/edit_distance.h"

#include <algorithm>
#include <vector>

namespace jostle::base {

std::size_t edit_distance(std::string_view from, std::string_view to) {
  std::vector<std::size_t> before_last, last, row(to.size() + 1);
  for (std::size_t column = 0; column <= to.size(); ++column)
    row[column] = column;
  for (std::size_t i = 1; i <= from.size(); ++i) {
    before_last = last;
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= to.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (from[i - 1] == to[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && from[i - 1] == to[j - 2] && from[i - 2] == to[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace jostle::base
