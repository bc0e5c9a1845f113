#pragma once

#include "protocol/context/layout.h"

#include <vector>

namespace jostle::priors {

/// Sums from which the coefficients of one linear prediction are fitted, separately for each class.
///
/// If `is_robust` is true, the fit uses iteratively reweighted least squares: the weight of a
/// sample decreases with the error of the previous coefficients (Holland and Welsch, "Robust
/// regression using iteratively reweighted least-squares", 1977). The reason is that an error costs
/// bits in proportion to its logarithm. If `is_robust` is false, all weights are 1. Uses only basic
/// operations and square roots, so that every machine computes the same coefficients.
class RegressionFit {
 public:
  /// `unit` is one step of the predicted value.
  RegressionFit(const protocol::context::Regression& regression, double unit, bool is_robust);

  /// Adds a sample of class `part`. `prediction` is the value that the current coefficients give.
  void add(int part, const std::int32_t* inputs, double target, double prediction);
  /// Replaces the coefficients of each class that has samples, then clears the sums.
  void solve(std::int32_t* coefficients);

 private:
  double weight(double error) const;
  void solve_part(std::size_t part, std::int32_t* coefficients) const;

  protocol::context::Regression regression_;
  double unit_;
  bool is_robust_;
  int round_ = 0;
  std::vector<double> products_, targets_;
};

}  // namespace jostle::priors
