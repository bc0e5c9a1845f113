#pragma once

#include "shared/base/result.h"

#include <cstddef>
#include <vector>

namespace jostle::reference {

/// A dense square matrix, row by row.
struct SquareMatrix {
  explicit SquareMatrix(std::size_t rows) : size(rows), values(rows * rows) {}

  double& at(std::size_t row, std::size_t column) { return values[row * size + column]; }
  double at(std::size_t row, std::size_t column) const { return values[row * size + column]; }

  std::size_t size;
  std::vector<double> values;
};

std::vector<double> operator*(const SquareMatrix& matrix, const std::vector<double>& x);

/// A row of a symmetric matrix that is a combination of those before it, so that the matrix has no
/// inverse. Of constraints: it says nothing that the earlier ones do not say already, and how the
/// force is shared between them the laws of rigid bodies leave open.
struct RedundantRow {
  std::size_t row = 0;
};

/// Solves A·x = y for a symmetric positive definite A by A = L·D·Lᵀ (Golub and Van Loan, "Matrix
/// Computations", section 4.1).
base::Result<std::vector<double>, RedundantRow> solve_symmetric(const SquareMatrix& matrix,
                                                                const std::vector<double>& right);

/// The shortest of all x with A·x = y, for a symmetric positive semidefinite A and an y that it can
/// reach: redundant rows share what one alone would bear. By conjugate gradients from x = 0, which
/// never leave the range of A (Hestenes and Stiefel, "Methods of conjugate gradients for solving
/// linear systems", 1952).
std::vector<double> solve_least_norm(const SquareMatrix& matrix, const std::vector<double>& right);

}  // namespace jostle::reference
