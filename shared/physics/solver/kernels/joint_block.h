#pragma once

#include "shared/physics/solver/joint_bundle.h"
#include "shared/physics/solver/kernels/body_rows.h"
#include "shared/physics/solver/kernels/joint_view.h"

namespace jostle::physics::kernels {

/// Returns the lanes, one bit each, in which position correction has moved a body after `time`. `a`
/// and `b` are the solver indices of the bodies.
inline std::uint32_t moved_since(const JointView& view, const std::uint32_t (&a)[8],
                                 const std::uint32_t (&b)[8], std::uint32_t time) {
  const std::uint32_t* const moved = view.mending.moved;
  std::uint32_t lanes = 0;
  for (std::uint32_t i = 0; i < 8; ++i)
    lanes |= static_cast<std::uint32_t>(time < moved[a[i]] || time < moved[b[i]]) << i;
  return lanes;
}
/// Returns true if a bundle must be measured. During position correction, this is only necessary if
/// one of its bodies was moved since the last measurement.
inline bool is_stale(const JointView& view, const std::uint32_t (&a)[8],
                     const std::uint32_t (&b)[8]) {
  return !view.mending.is_on || moved_since(view, a, b, view.mending.since) != 0;
}

/// Returns the share of a predicted rotation that is used, for `squared` = (h·ω/2)²: 1 up to an
/// angle h·ω of 0.4 rad, 0 from 0.8 rad. Rotation within a substep is not linear in the velocities,
/// and passes converge only while the predicted part is small. Faster rotation occurs only for
/// short times, for example of a light body between a joint and an impact.
template <typename F>
JOSTLE_SIMD_INLINE F share_predicted(const F& squared) {
  constexpr float all = 0.04f, none = 0.16f;
  const F share = (F::splat(none) - squared) * F::splat(1.0f / (none - all));
  return max_of(min_of(share, F::splat(1.0f)), F::splat(0.0f));
}

/// Returns the share of the impulses that is kept for warm starting, 0 or 1. It is 0 if one of the
/// bodies moves at its maximum linear speed, or if both turn at their maximum angular speed. The
/// speed limits have removed part of the effect of these impulses, and would do so again after warm
/// starting. If only one body, such as a wheel, turns at the limit, the share is 1.
template <typename F>
JOSTLE_SIMD_INLINE F share_after_limit(const JointView& view, const BodyRows<F>& a,
                                       const BodyRows<F>& b) {
  constexpr float nearly = 0.999f;
  const float linear = nearly * view.max_linear_speed, angular = nearly * view.max_angular_speed;
  const F faster = max_of(dot(a.first, a.first), dot(b.first, b.first));
  const F slower_turn = min_of(dot(a.second, a.second), dot(b.second, b.second));
  const auto is_within =
      (faster < F::splat(linear * linear)) & (slower_turn < F::splat(angular * angular));
  return select(is_within, F::splat(1.0f), F::splat(0.0f));
}

/// Returns the share of the impulses that is kept for warm starting, from 1 to 0. It falls if both
/// bodies turn far within a substep. For example, the impulse that keeps two bodies in orbit around
/// each other turns with them. The impulses of the previous substep then have the wrong direction,
/// by more than the passes correct.
template <typename F>
JOSTLE_SIMD_INLINE F share_after_turning(const BodyRows<F>& a, const BodyRows<F>& b, float h) {
  const F slower = min_of(dot(a.second, a.second), dot(b.second, b.second));
  return share_predicted(slower * F::splat(0.25f * h * h));
}

using simd::SymmetricMatrices;
using simd::Vectors;

// The block of a joint in eight lanes. The symbols and the derivation are in solver/joint_solver.h.

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

/// A force impulse at the anchor and a torque impulse about it, both acting on b.
template <typename F>
struct JointImpulse {
  Vectors<F> linear, angular;
};

/// One side of eight joints: the arm to the anchor and the body's inverse inertia.
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

/// Moves the points where the joint's force acts on the two bodies to one common point, in lanes
/// whose joint alone holds its bodies (`keep` is 0). The forces of such a joint then do not change
/// the angular momentum, even if the joint has an error. If both bodies are movable, the point is
/// midway between the anchors; otherwise it is the anchor of the movable body. The shift lengthens
/// the arms by up to the length of `apart`, the gap between the anchors. The shift therefore fades
/// out as the gap grows from 1 mm to 2 mm. Impacts open such gaps.
template <typename F>
JOSTLE_SIMD_INLINE void meet(const F& inverse_mass_a, const F& inverse_mass_b, const Lanes& keep,
                             const Vectors<F>& apart, Vectors<F>& arm_a, Vectors<F>& arm_b) {
  constexpr float all = 1e-6f, none = 4e-6f;  // m²
  const F zero = F::splat(0.0f), one = F::splat(1.0f), half = F::splat(0.5f);
  const auto is_alone = F::load(keep) == zero;
  if (bits_of(is_alone) == 0) return;
  const F fading = (F::splat(none) - dot(apart, apart)) * F::splat(1.0f / (none - all));
  const Vectors<F> way = apart * select(is_alone, max_of(min_of(fading, one), zero), zero);
  const F share = select(zero < inverse_mass_a, select(zero < inverse_mass_b, half, zero), one);
  arm_a = arm_a + way * share;
  arm_b = arm_b - way * (one - share);
}

/// The matrices B, A and C of solver/joint_solver.h.
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

/// Returns the block's impulses for e_p = `anchors` and e_t = `turns`: P = −B(e_p − C·A·e_t), T =
/// −A(e_t + Cᵀ·P).
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

/// Returns `v`, or the vector of the length `most` along it if `v` is longer.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> shortened(const Vectors<F>& v, const F& most) {
  const F squared = dot(v, v), one = F::splat(1.0f);
  const auto is_long = most * most < squared;
  return v * select(is_long, most / sqrt_of(select(is_long, squared, one)), one);
}

/// Applies an impulse to both bodies. Their inverse masses are stored after the linear velocities.
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
