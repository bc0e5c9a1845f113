#pragma once

#include "shared/physics/solver/body_block.h"
#include "shared/simd/inline.h"
#include "shared/simd/vector_lanes.h"

#include <cstddef>
#include <cstdint>

namespace jostle::physics::kernels {

// The kernels' arrays of bodies hold a row of eight floats per body: two vectors, each followed by
// a scalar. Transposing eight rows gives eight lanes of each float.

template <typename F>
struct BodyRows {
  simd::Vectors<F> first;
  F after_first;
  simd::Vectors<F> second;
  F after_second;
};

template <typename F>
JOSTLE_SIMD_INLINE BodyRows<F> from_rows(F (&rows)[8]) {
  transpose(rows);
  return {{rows[0], rows[1], rows[2]}, rows[3], {rows[4], rows[5], rows[6]}, rows[7]};
}

template <typename F>
JOSTLE_SIMD_INLINE BodyRows<F> gather(const float* array, const std::uint32_t (&index)[8]) {
  F rows[8];
  for (int i = 0; i < 8; ++i)
    rows[i] = F::load(array + std::size_t{8} * index[i]);
  return from_rows(rows);
}
/// Loads the rows of body block `block`.
template <typename F>
JOSTLE_SIMD_INLINE BodyRows<F> load_block(const float* array, std::uint32_t block) {
  F rows[8];
  for (std::size_t i = 0; i < 8; ++i)
    rows[i] = F::load(array + std::size_t{64} * block + 8 * i);
  return from_rows(rows);
}

template <typename F>
JOSTLE_SIMD_INLINE void to_rows(const BodyRows<F>& body, F (&rows)[8]) {
  rows[0] = body.first.x;
  rows[1] = body.first.y;
  rows[2] = body.first.z;
  rows[3] = body.after_first;
  rows[4] = body.second.x;
  rows[5] = body.second.y;
  rows[6] = body.second.z;
  rows[7] = body.after_second;
  transpose(rows);
}

/// Writes the rows of the bodies `index` in the lanes of the mask `lanes`. The other lanes are not
/// written, because they may refer to a body that another thread reads.
template <typename F>
JOSTLE_SIMD_INLINE void scatter(float* array, const std::uint32_t (&index)[8], std::uint32_t lanes,
                                const BodyRows<F>& body) {
  F rows[8];
  to_rows(body, rows);
  for (int i = 0; i < 8; ++i)
    if ((lanes >> i & 1U) != 0) rows[i].store(array + std::size_t{8} * index[i]);
}
template <typename F>
JOSTLE_SIMD_INLINE void store_block(float* array, std::uint32_t block, const BodyRows<F>& body) {
  F rows[8];
  to_rows(body, rows);
  for (std::size_t i = 0; i < 8; ++i)
    rows[i].store(array + std::size_t{64} * block + 8 * i);
}

}  // namespace jostle::physics::kernels
