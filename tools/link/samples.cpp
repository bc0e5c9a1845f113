#include "tools/link/samples.h"

#include "shared/base/assert.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace jostle::link {

void Samples::add_all(const Samples& others) {
  values_.insert(values_.end(), others.values_.begin(), others.values_.end());
}

double Samples::quantile(double share) {
  JOSTLE_ASSERT(share >= 0 && share <= 1);
  if (values_.empty()) return std::numeric_limits<double>::quiet_NaN();
  const auto place = static_cast<std::ptrdiff_t>(
      std::ceil(share * static_cast<double>(values_.size())) - (share > 0 ? 1 : 0));
  std::nth_element(values_.begin(), values_.begin() + place, values_.end());
  return static_cast<double>(values_[static_cast<std::size_t>(place)]);
}

double Samples::mean() const {
  if (values_.empty()) return std::numeric_limits<double>::quiet_NaN();
  double sum = 0;
  for (const float value : values_)
    sum += static_cast<double>(value);
  return sum / static_cast<double>(values_.size());
}

}  // namespace jostle::link
