#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace jostle::physics {

/// Of the rows of a joint, at most six.
using SmallValues = std::array<double, 6>;
using SmallSquare = std::array<SmallValues, 6>;

/// L of m = L·Lᵀ, with the inverses of its diagonal there; rows without any response, as along
/// locked axes, are left out.
inline void take_root(const SmallSquare& m, std::size_t rows, SmallSquare& root) {
  constexpr double least_share = 1e-14;
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k <= i; ++k) {
      double sum = m[i][k];
      for (std::size_t j = 0; j < k; ++j)
        sum -= root[i][j] * root[k][j];
      if (i != k) {
        root[i][k] = sum * root[k][k];
      } else {
        root[i][i] = sum > least_share * m[i][i] ? 1.0 / std::sqrt(sum) : 0.0;
      }
    }
  }
}

/// L⁻¹·x
inline void solve_down(const SmallSquare& root, std::size_t rows, SmallValues& x) {
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t k = 0; k < i; ++k)
      x[i] -= root[i][k] * x[k];
    x[i] *= root[i][i];
  }
}

/// L⁻ᵀ·x
inline void solve_up(const SmallSquare& root, std::size_t rows, SmallValues& x) {
  for (std::size_t i = rows; i > 0; --i) {
    for (std::size_t k = i; k < rows; ++k)
      x[i - 1] -= root[k][i - 1] * x[k];
    x[i - 1] *= root[i - 1][i - 1];
  }
}

/// (L·Lᵀ)⁻¹·x
inline void solve(const SmallSquare& root, std::size_t rows, SmallValues& x) {
  solve_down(root, rows, x);
  solve_up(root, rows, x);
}

}  // namespace jostle::physics
