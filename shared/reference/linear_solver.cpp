#include "shared/reference/linear_solver.h"

#include "shared/base/assert.h"

namespace jostle::reference {
namespace {

/// Minimum pivot relative to its initial diagonal entry. A smaller pivot is rounding error, so the
/// row is redundant.
constexpr double least_pivot = 1e-11;

double dot(const std::vector<double>& x, const std::vector<double>& y) {
  double sum = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    sum += x[i] * y[i];
  return sum;
}

}  // namespace

std::vector<double> operator*(const SquareMatrix& matrix, const std::vector<double>& x) {
  JOSTLE_ASSERT(x.size() == matrix.size);
  std::vector<double> product(matrix.size);
  for (std::size_t i = 0; i < matrix.size; ++i) {
    for (std::size_t j = 0; j < matrix.size; ++j)
      product[i] += matrix.at(i, j) * x[j];
  }
  return product;
}

// A_ij = Σ_k L_ik·D_k·L_jk with L_ii = 1, so that for j < i, in ascending order,
//
//   L_ij·D_j = A_ij − Σ_{k<j} L_ik·D_k·L_jk,   D_i = A_ii − Σ_{k<i} L_ik²·D_k
//
// D_i is the remainder of A_ii after elimination of the rows before i. It is zero if row i is
// redundant.
base::Result<std::vector<double>, RedundantRow> solve_symmetric(const SquareMatrix& matrix,
                                                                const std::vector<double>& right) {
  const std::size_t n = matrix.size;
  JOSTLE_ASSERT(right.size() == n);
  SquareMatrix lower(n);
  std::vector<double> diagonal(n);
  for (std::size_t i = 0; i < n; ++i) {
    double pivot = matrix.at(i, i);
    for (std::size_t j = 0; j < i; ++j) {
      double rest = matrix.at(i, j);
      for (std::size_t k = 0; k < j; ++k)
        rest -= lower.at(i, k) * diagonal[k] * lower.at(j, k);
      lower.at(i, j) = rest / diagonal[j];
      pivot -= rest * lower.at(i, j);
    }
    if (!(pivot > least_pivot * matrix.at(i, i))) return RedundantRow{i};
    diagonal[i] = pivot;
  }
  // Forward substitution L·z = y, then back substitution D·Lᵀ·x = z.
  std::vector<double> x = right;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < i; ++j)
      x[i] -= lower.at(i, j) * x[j];
  }
  for (std::size_t i = n; i-- > 0;) {
    x[i] /= diagonal[i];
    for (std::size_t j = i + 1; j < n; ++j)
      x[i] -= lower.at(j, i) * x[j];
  }
  return x;
}

std::vector<double> solve_least_norm(const SquareMatrix& matrix, const std::vector<double>& right) {
  const std::size_t n = matrix.size;
  JOSTLE_ASSERT(right.size() == n);
  constexpr double tolerance = 1e-13;  // relative to |y|
  std::vector<double> x(n), residual = right, direction = right;
  double squared = dot(residual, residual);
  const double enough = tolerance * tolerance * squared;
  // With exact arithmetic, as many iterations suffice as A has distinct eigenvalues. Rounding makes
  // more iterations necessary.
  for (std::size_t round = 0; round < 10 * n && squared > enough; ++round) {
    const std::vector<double> image = matrix * direction;
    const double curvature = dot(direction, image);
    if (!(curvature > 0)) break;
    const double along = squared / curvature;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] += along * direction[i];
      residual[i] -= along * image[i];
    }
    const double before = squared;
    squared = dot(residual, residual);
    for (std::size_t i = 0; i < n; ++i)
      direction[i] = residual[i] + squared / before * direction[i];
  }
  return x;
}

}  // namespace jostle::reference
