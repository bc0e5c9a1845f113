#pragma once

#include "shared/physics/solver/joint_bundle.h"
#include "shared/physics/solver/kernels/body_rows.h"

namespace jostle::physics::kernels {

using simd::SymmetricMatrices;
using simd::Vectors;

// The block of a joint in eight lanes: solver/joint_solver.h has the names and the derivation.

/// Eight matrices by columns.
template <typename F>
struct Matrices {
  Vectors<F> cx, cy, cz;

  JOSTLE_SIMD_INLINE static Matrices load(const float (*from)[8]) {
    return {Vectors<F>::load(from), Vectors<F>::load(from + 3), Vectors<F>::load(from + 6)};
  }
  JOSTLE_SIMD_INLINE void store(float (*to)[8]) const {
    cx.store(to);
    cy.store(to + 3);
    cz.store(to + 6);
  }
};
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> operator*(const Matrices<F>& m, const Vectors<F>& v) {
  return m.cx * v.x + m.cy * v.y + m.cz * v.z;
}
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> transpose_multiply(const Matrices<F>& m, const Vectors<F>& v) {
  return {dot(m.cx, v), dot(m.cy, v), dot(m.cz, v)};
}
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> operator-(const Vectors<F>& v) {
  return {-v.x, -v.y, -v.z};
}
template <typename F>
JOSTLE_SIMD_INLINE SymmetricMatrices<F> operator+(const SymmetricMatrices<F>& a,
                                                  const SymmetricMatrices<F>& b) {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
template <typename F>
JOSTLE_SIMD_INLINE SymmetricMatrices<F> operator*(const SymmetricMatrices<F>& m, const F& s) {
  return {m.xx * s, m.xy * s, m.xz * s, m.yy * s, m.yz * s, m.zz * s};
}
template <typename F>
JOSTLE_SIMD_INLINE F trace(const SymmetricMatrices<F>& m) {
  return m.xx + m.yy + m.zz;
}

/// A force impulse at the anchor and a torque impulse about it, both on b.
template <typename F>
struct JointImpulse {
  Vectors<F> linear, angular;
};

/// One side of eight joints.
template <typename F>
struct JointSide {
  Vectors<F> arm;
  SymmetricMatrices<F> inverse_inertia;
};
template <typename F>
JOSTLE_SIMD_INLINE JointSide<F> side_a(const JointBundle& bundle) {
  return {Vectors<F>::load(bundle.arm_a), SymmetricMatrices<F>::load(bundle.inverse_inertia_a)};
}
template <typename F>
JOSTLE_SIMD_INLINE JointSide<F> side_b(const JointBundle& bundle) {
  return {Vectors<F>::load(bundle.arm_b), SymmetricMatrices<F>::load(bundle.inverse_inertia_b)};
}

/// A, B and C.
template <typename F>
struct BlockMasses {
  SymmetricMatrices<F> linear, angular;
  Matrices<F> coupling;
};
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE BlockMasses<F> load_masses(const JointBundle& bundle) {
  BlockMasses<F> masses;
  masses.linear = SymmetricMatrices<F>::load(bundle.linear_mass);
  if constexpr (holds_rotation(joint)) {
    masses.angular = SymmetricMatrices<F>::load(bundle.angular_mass);
    masses.coupling = Matrices<F>::load(bundle.coupling);
  }
  return masses;
}

/// P = −B(e_p − C·A·e_t), T = −A(e_t + Cᵀ·P)
template <typename F, JointClass joint>
JOSTLE_SIMD_INLINE JointImpulse<F> block_answer(const BlockMasses<F>& masses,
                                                const Vectors<F>& anchors,
                                                const Vectors<F>& turns) {
  const F zero = F::splat(0.0f);
  JointImpulse<F> answer{{zero, zero, zero}, {zero, zero, zero}};
  if constexpr (holds_rotation(joint)) {
    answer.linear = masses.linear * (masses.coupling * (masses.angular * turns) - anchors);
    answer.angular =
        -(masses.angular * (turns + transpose_multiply(masses.coupling, answer.linear)));
  } else {
    answer.linear = -(masses.linear * anchors);
  }
  return answer;
}

/// Changes both bodies; their inverse masses stand after the linear velocities.
template <typename F>
JOSTLE_SIMD_INLINE void apply(const JointImpulse<F>& impulse, const JointSide<F>& side_a,
                              const JointSide<F>& side_b, BodyRows<F>& a, BodyRows<F>& b) {
  a.first = a.first - impulse.linear * a.after_first;
  b.first = b.first + impulse.linear * b.after_first;
  a.second =
      a.second - side_a.inverse_inertia * (cross(side_a.arm, impulse.linear) + impulse.angular);
  b.second =
      b.second + side_b.inverse_inertia * (cross(side_b.arm, impulse.linear) + impulse.angular);
}

}  // namespace jostle::physics::kernels
