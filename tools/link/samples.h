#pragma once

#include <cstddef>
#include <vector>

namespace jostle::link {

/// The values of a measured quantity, for quantiles and the mean.
class Samples {
 public:
  void add(double value) { values_.push_back(static_cast<float>(value)); }
  void add_all(const Samples& others);
  std::size_t count() const { return values_.size(); }

  // The functions below return NaN if there are no values.

  /// Returns the value that the fraction `share` (0..1) of all values do not exceed.
  double quantile(double share);
  double median() { return quantile(0.5); }
  double largest() { return quantile(1); }
  double mean() const;

 private:
  std::vector<float> values_;
};

}  // namespace jostle::link
