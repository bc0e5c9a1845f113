#pragma once

#include "shared/physics/detail/constants.h"
#include "shared/physics/solver/body_block.h"
#include "shared/physics/solver/kernels/body_rows.h"

namespace jostle::physics::kernels {

using simd::Rotations;
using simd::SymmetricMatrices;
using simd::Vectors;

// Rotation of rigid bodies over a substep.

/// Returns Cayley's map of `half_turn` minus the identity rotation. `half_turn` is the rotation
/// axis times tan(angle/2). The result is small if `half_turn` is, which preserves precision.
template <typename F>
JOSTLE_SIMD_INLINE Rotations<F> cayley_change(const Vectors<F>& half_turn) {
  const F one = F::splat(1.0f);
  const F squared = dot(half_turn, half_turn);
  const F secant = sqrt_of(one + squared);
  return {half_turn * (one / secant), -squared / (secant * (one + secant))};
}

/// Returns q + change, normalised. Each component is rounded only once, which minimises the
/// rounding error of many small rotations. Returns the identity if the sum is too short to be a
/// rotation, or is NaN.
template <typename F>
JOSTLE_SIMD_INLINE Rotations<F> changed(const Rotations<F>& q, const Rotations<F>& change) {
  const F half = F::splat(0.5f), zero = F::splat(0.0f);
  const F excess = half * ((dot(q.v, q.v) + q.w * q.w) - F::splat(1.0f));
  const Vectors<F> v = q.v + (change.v - q.v * excess);
  const F w = q.w + (change.w - q.w * excess);
  const F squared = dot(v, v) + w * w;
  const auto is_rotation = half <= squared;
  return {select(is_rotation, v, Vectors<F>{zero, zero, zero}),
          select(is_rotation, w, F::splat(1.0f))};
}

template <typename F>
struct Turned {
  Rotations<F> after;
  Vectors<F> angular;  // angular velocity after the turn, rad/s
  Vectors<F> turn;     // rotation vector, rad
  F ratio;             // BodyBlock::turn_ratio
};

/// Returns tan(x)/x for a half angle x, from x². The series is exact to float precision up to x =
/// 0.3 and bounded above 1, where a substep turns by more than two radians.
template <typename F>
JOSTLE_SIMD_INLINE F tangent_stretch(const F& squared) {
  const F x2 = min_of(squared, F::splat(1.0f));
  return F::splat(1.0f) +
         x2 * (F::splat(1.0f / 3) + x2 * (F::splat(2.0f / 15) + x2 * F::splat(17.0f / 315)));
}

/// Rotation of half of which the axis times tan(angle/2) is `half_turn`, after that of which it is
/// `before` (Rodrigues' formula). Bounded for rotations of half a turn.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> after_turn(const Vectors<F>& before, const Vectors<F>& half_turn) {
  const F share = max_of(F::splat(1.0f) - dot(before, half_turn), F::splat(0.25f));
  return (before + half_turn + cross(half_turn, before)) * (F::splat(1.0f) / share);
}

/// Returns the rotation vector, in body axes, of the torque-free rotation over the time `h`. The
/// body frame's dL/dt = L × ω is integrated by the classical Runge–Kutta method, and the rotation
/// by a Magnus series of fourth order with Simpson's rule (Iserles and Nørsett, "On the solution of
/// linear differential equations in Lie groups", 1999):
///
///   θ = h/6·(ω₀ + 4·ω_½ + ω₁) + h²/12·(ω₀ × ω₁)
///
/// For physical moments of inertia, none of which exceeds the sum of the other two, the method
/// depends on h·|ω| only, whatever the ratio of the moments.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> free_turn(const SymmetricMatrices<F>& inverse,
                                        const Vectors<F>& momentum, const F& h) {
  const F half = h * F::splat(0.5f), sixth = h * F::splat(1.0f / 6);
  const auto slope = [&](const Vectors<F>& l) { return cross(l, inverse * l); };
  const Vectors<F> omega = inverse * momentum;
  const Vectors<F> k1 = cross(momentum, omega);
  const Vectors<F> k2 = slope(momentum + k1 * half);
  const Vectors<F> k3 = slope(momentum + k2 * half);
  const Vectors<F> k4 = slope(momentum + k3 * h);
  const Vectors<F> change = (k1 + (k2 + k3) * F::splat(2.0f) + k4) * sixth;
  const Vectors<F> omega_end = inverse * (momentum + change);
  const Vectors<F> k5 = cross(momentum + change, omega_end);
  // Hermite interpolation in the middle
  const Vectors<F> middle = momentum + change * F::splat(0.5f) + (k1 - k5) * (h * F::splat(0.125f));
  const Vectors<F> omega_middle = inverse * middle;
  return (omega + omega_middle * F::splat(4.0f) + omega_end) * sixth +
         cross(omega, omega_end) * (h * h * F::splat(1.0f / 12));
}

/// Returns the same as free_turn for a small rotation, with the midpoint rule:
///
///   θ = h·I⁻¹(L + h/2·L × ω₀)
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> small_free_turn(const SymmetricMatrices<F>& inverse,
                                              const Vectors<F>& momentum, const Vectors<F>& omega,
                                              const F& h) {
  return inverse * (momentum + cross(momentum, omega) * (h * F::splat(0.5f))) * h;
}

/// Returns the rotation vector, in body axes, by which L·ω/L² becomes `ratio`. `momentum` is L in
/// body axes, and L·ω is twice the energy. The rotation is about L × ω: d(L·ω) = −2·θ·(L × ω). It
/// tends to zero if ω is nearly parallel to L, because the energy has an extremum there. The ratio
/// does not contain the rounding error of the length of the quaternion that rotates L.
template <typename F>
JOSTLE_SIMD_INLINE Vectors<F> turn_to_energy(const SymmetricMatrices<F>& inverse,
                                             const Vectors<F>& momentum, const F& ratio) {
  constexpr float least_sine = 0.02f;
  const Vectors<F> omega = inverse * momentum, across = cross(momentum, omega);
  const F squared = dot(momentum, momentum);
  const F missing = F::splat(0.5f) * (ratio * squared - dot(momentum, omega));
  const F least = squared * dot(omega, omega) * F::splat(least_sine * least_sine);
  return across * (-missing / max_of(dot(across, across) + least, F::splat(1e-30f)));
}

/// Number of parts into which the torque-free rotation of a substep is divided: one per
/// `part_turn`, in rad, at most `max_turn_parts`.
inline constexpr float part_turn = 0.3f;
inline constexpr int max_turn_parts = 24;
/// Rotation of a substep, in rad, up to which the midpoint rule is used. Its error is of the third
/// order in this angle.
inline constexpr float small_turn = 0.01f;

/// Integrates the torque-free rotation of one substep. `angular` is the angular velocity at its
/// start. The world's L does not change at all. The energy is kept by a final rotation about L × ω.
/// While nothing acts on the body, the energy is that of the first such substep: errors of the
/// method and of rounding do not add up.
template <typename F>
JOSTLE_SIMD_INLINE Turned<F> turn_freely(const BodyBlock& block, const Rotations<F>& rotation,
                                         const Vectors<F>& momentum_world,
                                         const Vectors<F>& angular, float h) {
  const auto inverse = SymmetricMatrices<F>::load(block.inverse_inertia_local);
  const F one = F::splat(1.0f), zero = F::splat(0.0f), half = F::splat(0.5f);
  const Vectors<F> start = rotate(conjugate(rotation), momentum_world), omega = inverse * start;
  const F wide = sqrt_of(dot(omega, omega)) * F::splat(h / part_turn);
  F parts = one;
  auto is_wide = one < wide;
  int most = 1;
  while (most < max_turn_parts && bits_of(is_wide) != 0) {
    ++most;
    parts = select(is_wide, F::splat(static_cast<float>(most)), parts);
    is_wide = F::splat(static_cast<float>(most)) < wide;
  }
  const F step = F::splat(h) / parts;
  const auto is_small = wide <= F::splat(small_turn / part_turn);
  Rotations<F> now = rotation;
  Vectors<F> momentum = start, half_turn{zero, zero, zero};
  Turned<F> out;
  for (int part = 0; part < most; ++part) {
    const auto acts = F::splat(static_cast<float>(part)) < parts;
    Vectors<F> way = small_free_turn(inverse, momentum, omega, step);
    if (bits_of(is_small) != 0xFFU) way = select(is_small, way, free_turn(inverse, momentum, step));
    way = way * half;
    way = way * tangent_stretch(dot(way, way));
    const Vectors<F> turned = rotate(now, way);
    half_turn = part == 0 ? turned : select(acts, after_turn(half_turn, turned), half_turn);
    const Rotations<F> then = changed(now, now * cayley_change(way));
    now = {select(acts, then.v, now.v), select(acts, then.w, now.w)};
    momentum = select(acts, rotate(conjugate(now), momentum_world), momentum);
  }
  const F squared = dot(start, start);
  const Vectors<F> acted = angular - Vectors<F>::load(block.reference_angular);
  const F known = F::load(block.turn_ratio);
  const auto is_alone = (dot(acted, acted) == zero) & (F::load(block.is_free) == one);
  out.ratio = select(is_alone & (zero < known), known,
                     dot(start, omega) / select(zero < squared, squared, one));
  // A small rotation has no error that must be corrected, unless it would add up.
  const F is_exact = select(is_alone, zero, select(is_small, one, zero));
  if (bits_of(is_exact == one) != 0xFFU) {
    const auto keeps = is_exact == one;
    const Vectors<F> way = turn_to_energy(inverse, momentum, out.ratio) * half;
    half_turn = select(keeps, half_turn, after_turn(half_turn, rotate(now, way)));
    const Rotations<F> then = changed(now, now * cayley_change(way));
    now = {select(keeps, now.v, then.v), select(keeps, now.w, then.w)};
    momentum = rotate(conjugate(now), momentum_world);
  }
  out.after = now;
  out.turn = half_turn * F::splat(2.0f);
  out.angular = rotate(now, inverse * momentum);
  return out;
}

}  // namespace jostle::physics::kernels
