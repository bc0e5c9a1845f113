#pragma once

#include "shared/math/vec3.h"
#include "shared/physics/solver/body_block.h"
#include "shared/physics/stabilizers/stacks/packed_six.h"
#include "shared/simd/baseline.h"

#include <algorithm>

namespace jostle::physics {

/// The rows of a support or of a contact, one in each lane: the effect of a unit impulse of each
/// row on the supported body. In unused lanes all figures are zero.
struct alignas(32) SupportRows {
  Lanes force[3], moment[3];  // the moment about the body's centre is divided by the body's size
  Lanes weight;
  Lanes impulse;    // impulse before the change
  Lanes change;     // change of the impulse in this substep
  Lanes is_solved;  // 1 if the change is solved for; 0 if it is set to a limit, or unused
  Lanes lever;      // of the rows of points: arm with which friction resists twist, m

  void set_row(std::size_t lane, math::Vec3 along, math::Vec3 about, float row_weight) {
    force[0][lane] = along.x;
    force[1][lane] = along.y;
    force[2][lane] = along.z;
    moment[0][lane] = about.x;
    moment[1][lane] = about.y;
    moment[2][lane] = about.z;
    weight[lane] = row_weight;
    is_solved[lane] = 1;
  }
};

using RowLanes = simd::baseline::Floats;

/// The six parts of all rows of a block.
struct SixLanes {
  RowLanes part[6];

  explicit SixLanes(const SupportRows& rows)
      : part{RowLanes::load(rows.force[0]),  RowLanes::load(rows.force[1]),
             RowLanes::load(rows.force[2]),  RowLanes::load(rows.moment[0]),
             RowLanes::load(rows.moment[1]), RowLanes::load(rows.moment[2])} {}
};

/// Adds up the lanes of each vector in a fixed order.
template <int N>
void store_sums(const RowLanes (&vectors)[N], float (&sums)[N]) {
  constexpr int at_once = static_cast<int>(lane_count);
  alignas(32) float padded[(N + at_once - 1) / at_once * at_once];
#pragma GCC unroll 3
  for (int first = 0; first < N; first += at_once) {
    RowLanes v[at_once];
#pragma GCC unroll 8
    for (int i = 0; i < at_once; ++i)
      v[i] = first + i < N ? vectors[first + i] : RowLanes::splat(0);
    transpose(v);
    (((v[0] + v[1]) + (v[2] + v[3])) + ((v[4] + v[5]) + (v[6] + v[7]))).store(padded + first);
  }
  std::copy_n(padded, N, sums);
}

/// A sum of w·j over rows j, for each lane.
struct SixSum {
  RowLanes part[6]{};

  void add(const SixLanes& rows, RowLanes weight) {
    for (int i = 0; i < 6; ++i)
      part[i] = part[i] + rows.part[i] * weight;
  }
  void store(math::Vec3& force, math::Vec3& moment) const {
    float sums[6];
    store_sums(part, sums);
    force = {sums[0], sums[1], sums[2]};
    moment = {sums[3], sums[4], sums[5]};
  }
};

/// The sum of w·j·jᵀ over rows j, for each lane.
struct OuterSum {
  RowLanes part[21]{};

  void add(const SixLanes& rows, RowLanes weight) {
#pragma GCC unroll 6
    for (int row = 0; row < 6; ++row) {
      const RowLanes scaled = rows.part[row] * weight;
#pragma GCC unroll 6
      for (int column = 0; column <= row; ++column) {
        RowLanes& sum = part[packed_index(row, column)];
        sum = sum + scaled * rows.part[column];
      }
    }
  }
  void store(PackedSix& matrix) const {
    store_sums(part, matrix);
  }
};

}  // namespace jostle::physics
