#pragma once

#include "protocol/context/layout.h"

#include <vector>

namespace jostle::priors {

/// Sums for the coefficients of one linear prediction, class by class.
///
/// Means are fitted by least squares with weights that grow smaller with the error of the
/// coefficients before (Holland and Welsch, "Robust regression using iteratively reweighted
/// least-squares", 1977): what counts is the logarithm of an error, for that is what it costs.
/// Basic operations and square roots only, so that every machine comes to the same coefficients.
class RegressionFit {
 public:
  /// `unit` is one step of what is predicted.
  RegressionFit(const protocol::context::Regression& regression, double unit, bool is_robust);

  void add(int part, const std::int32_t* inputs, double target, double prediction);
  /// Replaces the coefficients of all classes that were seen, then forgets what was added.
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
