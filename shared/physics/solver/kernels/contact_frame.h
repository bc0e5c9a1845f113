#pragma once

#include "shared/physics/solver/contact_bundle.h"
#include "shared/physics/solver/kernels/body_rows.h"

namespace jostle::physics::kernels {

using simd::SymmetricMatrices;
using simd::Vectors;

// The frame of a contact between the bodies a and b has its origin at c, the mean of the points
// that are nearer than speculative_distance. Its axes are the unit normal n from a to b and the
// tangents t₁, t₂ = n × t₁. With r = c − centre of mass, the bodies move relative to each other at
// c by
//
//   w = v_b + ω_b × r_b − v_a − ω_a × r_a        relative velocity
//   Ω = ω_b − ω_a                                relative angular velocity
//
// and all rows of the contact are functions of these six numbers. A point at c + d, with d = α·t₁ +
// β·t₂, separates with the speed
//
//   u = n·(w + Ω × d) = w·n + Ω·(d × n) = w·n + β·(Ω·t₁) − α·(Ω·t₂)
//
// The component of d along n does not affect u. Friction acts on w·t₁ and w·t₂, twist on Ω·n. In
// the same way, every impulse of the contact is a force f and a moment m about c. An impulse λ at
// the point gives f = λ·n and m = λ·(β·t₁ − α·t₂). In general, f and m change
//
//   v_b += m_b⁻¹·f,  ω_b += I_b⁻¹·(r_b × f + m),  v_a −= m_a⁻¹·f,  ω_a −= I_a⁻¹·(r_a × f + m)
//
// A row therefore costs two or three multiplications, and the bodies' velocities are updated once
// per pass. Without the contact frame, each row would need two cross products and four products
// with I⁻¹. The effect of a unit impulse of one row on the velocity of another row is stored in the
// bundle's couplings. The couplings are computed once per step, and again if a body has turned far
// (measure_turned). Solving the rows one after the other (Gauss–Seidel) thus gives the same
// impulses as if each impulse had been applied to the bodies immediately.
//
// The arms d are short, because they are measured from c and not from the centres of mass.
// Precision is therefore not lost by cancellation if a centre is far away, such as that of the
// ground.

template <typename F>
struct ContactAxes {
  Vectors<F> normal, tangent_1, tangent_2;
};

/// The relative motion of two bodies in the contact's axes: (w·t₁, w·t₂, w·n, Ω·t₁, Ω·t₂, Ω·n).
template <typename F>
struct RelativeMotion {
  F along_1, along_2, along_n;
  F about_1, about_2, about_n;
};

template <typename F, int N>
JOSTLE_SIMD_INLINE ContactAxes<F> load_axes(const ContactBundle<N>& bundle) {
  const Vectors<F> normal = Vectors<F>::load(bundle.normal);
  const Vectors<F> tangent = Vectors<F>::load(bundle.tangent);
  return {normal, tangent, cross(normal, tangent)};
}

/// Returns the relative motion of two bodies from their velocities or, to first order, from their
/// displacements.
template <typename F>
JOSTLE_SIMD_INLINE RelativeMotion<F> relative(const ContactAxes<F>& axes,
                                              const Vectors<F>& centre_a,
                                              const Vectors<F>& centre_b, const BodyRows<F>& a,
                                              const BodyRows<F>& b) {
  const Vectors<F> w =
      (b.first + cross(b.second, centre_b)) - (a.first + cross(a.second, centre_a));
  const Vectors<F> omega = b.second - a.second;
  return {dot(axes.tangent_1, w),     dot(axes.tangent_2, w),     dot(axes.normal, w),
          dot(axes.tangent_1, omega), dot(axes.tangent_2, omega), dot(axes.normal, omega)};
}

/// The impulses of a contact along and about its axes: a force impulse and a moment impulse.
template <typename F>
struct ContactImpulse {
  F along_1, along_2, along_n;  // N·s
  F about_1, about_2, about_n;  // N·m·s
};

template <typename F, int N>
JOSTLE_SIMD_INLINE void apply(const ContactBundle<N>& bundle, const ContactAxes<F>& axes,
                              const Vectors<F>& centre_a, const Vectors<F>& centre_b,
                              const ContactImpulse<F>& p, BodyRows<F>& a, BodyRows<F>& b) {
  const Vectors<F> force =
      axes.normal * p.along_n + axes.tangent_1 * p.along_1 + axes.tangent_2 * p.along_2;
  Vectors<F> moment = axes.normal * p.about_n;
  if constexpr (N > 1) {
    moment = moment + axes.tangent_1 * p.about_1 + axes.tangent_2 * p.about_2;
  }
  a.first = a.first - force * a.after_first;
  b.first = b.first + force * b.after_first;
  a.second = a.second - SymmetricMatrices<F>::load(bundle.inverse_inertia_a) *
                            (cross(centre_a, force) + moment);
  b.second = b.second + SymmetricMatrices<F>::load(bundle.inverse_inertia_b) *
                            (cross(centre_b, force) + moment);
}

template <typename F>
JOSTLE_SIMD_INLINE F inverse_or_zero(const F& x) {
  const F zero = F::splat(0.0f);
  return select(zero < x, F::splat(1.0f) / x, zero);
}

/// Returns the lanes whose bodies have a finite mass and can therefore be moved by impulses, one
/// bit each. The inverse mass is stored after the linear velocity.
template <typename F>
JOSTLE_SIMD_INLINE std::uint32_t movable(const BodyRows<F>& velocity) {
  return bits_of(F::splat(0.0f) < velocity.after_first);
}

}  // namespace jostle::physics::kernels
