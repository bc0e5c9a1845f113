#pragma once

#include "shared/base/result.h"

#include <cstddef>
#include <vector>

namespace jostle::reference {

/// A dense square matrix in row-major order.
struct SquareMatrix {
  explicit SquareMatrix(std::size_t rows) : size(rows), values(rows * rows) {}

  double& at(std::size_t row, std::size_t column) { return values[row * size + column]; }
  double at(std::size_t row, std::size_t column) const { return values[row * size + column]; }

  std::size_t size;
  std::vector<double> values;
};

std::vector<double> operator*(const SquareMatrix& matrix, const std::vector<double>& x);

/// A row of a symmetric matrix that is linearly dependent on the rows before it, so that the matrix
/// is singular. As a constraint the row is redundant, and rigid-body mechanics does not determine
/// how the force is shared between it and the earlier rows.
struct RedundantRow {
  std::size_t row = 0;
};

/// Solves A·x = y by A = L·D·Lᵀ, where A is `matrix`, symmetric and positive definite, and y is
/// `right` (Golub and Van Loan, "Matrix Computations", section 4.1). Fails with the first redundant
/// row if A is singular.
base::Result<std::vector<double>, RedundantRow> solve_symmetric(const SquareMatrix& matrix,
                                                                const std::vector<double>& right);

/// Returns the shortest x with A·x = y, where A is `matrix`, symmetric and positive semidefinite,
/// and y is `right`, which must be in the range of A. Redundant rows then share the force. Uses
/// conjugate gradients from x = 0, which stay in the range of A (Hestenes and Stiefel, "Methods of
/// conjugate gradients for solving linear systems", 1952).
std::vector<double> solve_least_norm(const SquareMatrix& matrix, const std::vector<double>& right);

}  // namespace jostle::reference
