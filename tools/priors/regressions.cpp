#include "tools/priors/regressions.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace jostle::priors {

RegressionFit::RegressionFit(const protocol::context::Regression& regression, double unit,
                             bool is_robust)
    : regression_(regression), unit_(unit), is_robust_(is_robust) {
  const std::size_t n = regression.inputs;
  products_.assign(regression.classes * n * n, 0);
  targets_.assign(regression.classes * n, 0);
}

double RegressionFit::weight(double error) const {
  if (!is_robust_) return 1;
  const double e = std::abs(error) / unit_;
  if (round_ == 0) return 1 / (e + 4);
  if (round_ < 3) return 1 / (e + 1);
  return 1 / ((e + 2) * (std::sqrt(e) + 1));
}

void RegressionFit::add(int part, const std::int32_t* inputs, double target, double prediction) {
  const std::size_t n = regression_.inputs, at = static_cast<std::size_t>(part);
  const double w = weight(target - prediction);
  double* products = &products_[at * n * n];
  for (std::size_t i = 0; i < n; ++i) {
    if (inputs[i] == 0) continue;
    const double x = w * inputs[i];
    targets_[at * n + i] += x * target;
    for (std::size_t j = 0; j <= i; ++j)
      products[i * n + j] += x * inputs[j];
  }
}

void RegressionFit::solve_part(std::size_t part, std::int32_t* coefficients) const {
  // Cholesky decomposition, with a ridge so that inputs that are always 0 get a zero coefficient.
  const std::size_t n = regression_.inputs;
  const double* a = &products_[part * n * n];
  double most = 0;
  for (std::size_t i = 0; i < n; ++i)
    most = std::max(most, a[i * n + i]);
  if (most == 0) return;
  std::vector<double> root(n * n), y(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double sum = a[i * n + j];
      if (i == j) sum += a[i * n + i] * 1e-4 + most * 1e-9 + 1;
      for (std::size_t k = 0; k < j; ++k)
        sum -= root[i * n + k] * root[j * n + k];
      root[i * n + j] = i == j ? std::sqrt(std::max(sum, 1e-9)) : sum / root[j * n + j];
    }
    double sum = targets_[part * n + i];
    for (std::size_t k = 0; k < i; ++k)
      sum -= root[i * n + k] * y[k];
    y[i] = sum / root[i * n + i];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = i + 1; k < n; ++k)
      y[i] -= root[k * n + i] * y[k];
    y[i] /= root[i * n + i];
    coefficients[i] =
        static_cast<std::int32_t>(std::lround(std::clamp(y[i], -60.0, 60.0) * 16'384));
  }
}

void RegressionFit::solve(std::int32_t* coefficients) {
  for (std::size_t part = 0; part < regression_.classes; ++part)
    solve_part(part, coefficients + regression_.first + part * regression_.inputs);
  std::fill(products_.begin(), products_.end(), 0);
  std::fill(targets_.begin(), targets_.end(), 0);
  ++round_;
}

}  // namespace jostle::priors
