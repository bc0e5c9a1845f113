#pragma once

#include "shared/math/mat3.h"
#include "shared/math/quat.h"
#include "shared/physics/solver/solver_arrays.h"

#include <cstddef>
#include <cstdint>

namespace jostle::physics {

// One body of a block, for what is not done eight at a time.

inline math::Vec3 vector_of(const Lanes (&rows)[3], std::size_t lane) {
  return {rows[0][lane], rows[1][lane], rows[2][lane]};
}
inline void set(Lanes (&rows)[3], std::size_t lane, math::Vec3 v) {
  rows[0][lane] = v.x;
  rows[1][lane] = v.y;
  rows[2][lane] = v.z;
}
/// Of a symmetric matrix.
inline math::Mat3 matrix_of(const Lanes (&rows)[6], std::size_t lane) {
  const float xx = rows[0][lane], xy = rows[1][lane], xz = rows[2][lane];
  const float yy = rows[3][lane], yz = rows[4][lane], zz = rows[5][lane];
  return {{xx, xy, xz}, {xy, yy, yz}, {xz, yz, zz}};
}
inline void set(Lanes (&rows)[6], std::size_t lane, const math::Mat3& m) {
  rows[0][lane] = m.cx.x;
  rows[1][lane] = m.cx.y;
  rows[2][lane] = m.cx.z;
  rows[3][lane] = m.cy.y;
  rows[4][lane] = m.cy.z;
  rows[5][lane] = m.cz.z;
}

inline const BodyBlock& block_of(const SolverArrays& solver, std::uint32_t body) {
  return solver.body_blocks[body / lane_count];
}
inline BodyBlock& block_of(SolverArrays& solver, std::uint32_t body) {
  return solver.body_blocks[body / lane_count];
}

/// As the body stands now; the immovable one's is the identity.
inline math::Quat rotation_of(const SolverArrays& solver, std::uint32_t body) {
  if (body == 0) return {};
  const BodyBlock& block = block_of(solver, body);
  const std::size_t lane = body % lane_count;
  return {block.rotation[0][lane], block.rotation[1][lane], block.rotation[2][lane],
          block.rotation[3][lane]};
}

/// All principal moments are equal, or the body does not turn by forces: no gyroscopic effect.
inline bool is_isotropic(const SolverArrays& solver, std::uint32_t body) {
  return block_of(solver, body).is_isotropic[body % lane_count] != 0.0f;
}

}  // namespace jostle::physics
