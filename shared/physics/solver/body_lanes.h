#pragma once

#include "shared/math/mat3.h"
#include "shared/math/quat.h"
#include "shared/math/vec3d.h"
#include "shared/physics/solver/body_block.h"

#include <cstddef>

namespace jostle::physics {

// Access to single lanes of rows of eight lanes, for code that processes one body, contact or joint
// at a time.

inline math::Vec3 vector_of(const Lanes (&rows)[3], std::size_t lane) {
  return {rows[0][lane], rows[1][lane], rows[2][lane]};
}
inline void set(Lanes (&rows)[3], std::size_t lane, math::Vec3 v) {
  rows[0][lane] = v.x;
  rows[1][lane] = v.y;
  rows[2][lane] = v.z;
}
inline void add(Lanes (&rows)[3], std::size_t lane, const math::Vec3d& v) {
  rows[0][lane] += static_cast<float>(v.x);
  rows[1][lane] += static_cast<float>(v.y);
  rows[2][lane] += static_cast<float>(v.z);
}
inline math::Quat rotation_of(const Lanes (&rows)[4], std::size_t lane) {
  return {rows[0][lane], rows[1][lane], rows[2][lane], rows[3][lane]};
}
/// Returns the symmetric matrix in a lane of six rows: xx, xy, xz, yy, yz, zz.
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
/// Returns the angular momentum of a body that turns at `angular`, in kg·m²/s. Adds nothing to the
/// stored momentum if the angular velocity has not changed since, not even the sign of a zero.
inline math::Vec3 momentum_of(const BodyBlock& block, std::size_t lane, math::Vec3 angular) {
  const math::Vec3 momentum = vector_of(block.angular_momentum, lane);
  const math::Vec3 reference = vector_of(block.reference_angular, lane);
  if (angular == reference) return momentum;
  return momentum + matrix_of(block.inertia, lane) * (angular - reference);
}

}  // namespace jostle::physics
