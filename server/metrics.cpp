#include "server/metrics.h"

#include <algorithm>
#include <cmath>

namespace jostle::server {

void DurationHistogram::add(std::int64_t us) {
  const std::int64_t step = std::clamp<std::int64_t>(us / step_us, 0, step_count - 1);
  ++steps_[static_cast<std::size_t>(step)];
  ++count_;
  max_us_ = std::max(max_us_, us);
}

std::int64_t DurationHistogram::percentile_us(double fraction) const {
  if (count_ == 0) return 0;
  const auto wanted = static_cast<std::uint64_t>(std::ceil(fraction * static_cast<double>(count_)));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < steps_.size(); ++i) {
    seen += steps_[i];
    if (seen >= wanted) return std::min(static_cast<std::int64_t>(i + 1) * step_us, max_us_);
  }
  return max_us_;
}

}  // namespace jostle::server
