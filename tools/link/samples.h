#pragma once

#include <cstddef>
#include <vector>

namespace jostle::link {

/// Values of a quantity, of which shares are asked.
class Samples {
 public:
  void add(double value) { values_.push_back(static_cast<float>(value)); }
  void add_all(const Samples& others);
  std::size_t count() const { return values_.size(); }

  // NaN while there are none.

  /// The value that `share` (0..1) of them do not exceed.
  double quantile(double share);
  double median() { return quantile(0.5); }
  double largest() { return quantile(1); }
  double mean() const;

 private:
  std::vector<float> values_;
};

}  // namespace jostle::link
