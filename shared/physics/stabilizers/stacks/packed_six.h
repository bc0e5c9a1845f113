#pragma once

#include <cmath>

namespace jostle::physics {

/// Lower triangle of a symmetric 6 × 6 matrix, row by row.
using PackedSix = float[21];

constexpr int packed_index(int row, int column) {
  return row * (row + 1) / 2 + column;
}

/// Replaces `a` by its Cholesky factor L; the inverses of L's diagonal elements are stored in their
/// place. Returns false if a pivot is not above `least` times the original diagonal element, which
/// means that nothing constrains this direction. `a` is then only partly factored.
inline bool factor(PackedSix& a, float least) {
#pragma GCC unroll 6
  for (int row = 0; row < 6; ++row) {
    const float whole = a[packed_index(row, row)];
#pragma GCC unroll 6
    for (int column = 0; column <= row; ++column) {
      float sum = a[packed_index(row, column)];
#pragma GCC unroll 6
      for (int k = 0; k < column; ++k)
        sum -= a[packed_index(row, k)] * a[packed_index(column, k)];
      if (row != column) {
        a[packed_index(row, column)] = sum * a[packed_index(column, column)];
      } else if (sum > least * whole) {
        a[packed_index(row, row)] = 1.0f / std::sqrt(sum);
      } else {
        return false;
      }
    }
  }
  return true;
}

/// Solves L·Lᵀ·x = b for the factor `l`. `x` is b before the call and the solution after it.
inline void solve(const PackedSix& l, float (&x)[6]) {
#pragma GCC unroll 6
  for (int row = 0; row < 6; ++row) {
#pragma GCC unroll 6
    for (int k = 0; k < row; ++k)
      x[row] -= l[packed_index(row, k)] * x[k];
    x[row] *= l[packed_index(row, row)];
  }
#pragma GCC unroll 6
  for (int row = 5; row >= 0; --row) {
#pragma GCC unroll 6
    for (int k = row + 1; k < 6; ++k)
      x[row] -= l[packed_index(k, row)] * x[k];
    x[row] *= l[packed_index(row, row)];
  }
}

}  // namespace jostle::physics
