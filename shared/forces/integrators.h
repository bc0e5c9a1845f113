#pragma once

#include "shared/math/vec3d.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

namespace jostle::forces {

/// Methods to advance a freely moving point by a step of h seconds. World::step uses them for
/// particles, and for bodies with BodyDef::integrator while no contact and no joint acts on them.
/// For all other bodies, World::step has its own method. All are textbook methods (Hairer, Nørsett
/// and Wanner, "Solving ordinary differential equations I", 1993, II.1; Hairer, Lubich and Wanner,
/// "Geometric numerical integration", 2006, I.1).
enum class Integrator : std::uint8_t {
  ExplicitEuler,      // order 1; gains energy in every oscillation
  BackwardEuler,      // order 1; loses energy, but is stable for any stiffness
  SemiImplicitEuler,  // order 1; symplectic
  Midpoint,           // order 2, explicit
  // order 2, symplectic and reversible if a does not depend on v; otherwise order 1
  PositionVerlet,
  VelocityVerlet,  // order 2; symplectic and reversible if a does not depend on v
  RungeKutta4,     // order 4
};
inline constexpr std::uint8_t integrator_count = 7;

/// Names in scene files, e.g. "semi_implicit_euler".
constexpr std::array<std::string_view, integrator_count> integrator_names{
    "explicit_euler",  "backward_euler",  "semi_implicit_euler", "midpoint",
    "position_verlet", "velocity_verlet", "runge_kutta_4"};
constexpr std::optional<Integrator> integrator_named(std::string_view name) {
  for (std::size_t i = 0; i < integrator_names.size(); ++i) {
    if (integrator_names[i] == name) return static_cast<Integrator>(i);
  }
  return std::nullopt;
}

/// Position and velocity of a point. Vector is math::Vec3 or math::Vec3d.
template <typename Vector>
struct MotionState {
  Vector position, velocity;  // m, m/s

  bool operator==(const MotionState&) const = default;
};

namespace detail {

template <typename Vector>
using ScalarOf = decltype(Vector::x);

/// Solves [x y z]·s = b for s by Cramer's rule. Returns zero if the columns are coplanar.
template <typename Vector>
Vector solved(const Vector& x, const Vector& y, const Vector& z, const Vector& b) {
  using Scalar = ScalarOf<Vector>;
  const Scalar determinant = dot(x, cross(y, z));
  if (determinant == Scalar{0}) return {};
  const Scalar share = Scalar{1} / determinant;
  return Vector{dot(b, cross(y, z)), dot(x, cross(b, z)), dot(x, cross(y, b))} * share;
}

/// Returns the velocity at the end of the step, which satisfies v = v₀ + h·a(x₀ + h·v, v, t + h).
/// Uses Newton's method with finite differences as derivatives. The method converges in one
/// iteration if the acceleration is linear.
template <typename Vector, typename Acceleration>
Vector backward_velocity(const MotionState<Vector>& start, ScalarOf<Vector> t, ScalarOf<Vector> h,
                         const Acceleration& a) {
  using Scalar = ScalarOf<Vector>;
  constexpr int rounds = 12;
  const Scalar small = std::sqrt(std::numeric_limits<Scalar>::epsilon());
  const auto defect = [&](const Vector& v) {
    return v - start.velocity - a(start.position + v * h, v, t + h) * h;
  };
  Vector v = start.velocity;
  for (int i = 0; i < rounds; ++i) {
    const Vector rest = defect(v);
    const Scalar size = std::sqrt(dot(v, v));
    const Scalar apart = small * (Scalar{1} + size), rate = Scalar{1} / apart;
    const auto slope = [&](const Vector& axis) { return (defect(v + axis * apart) - rest) * rate; };
    const Vector change =
        solved(slope(Vector{1, 0, 0}), slope(Vector{0, 1, 0}), slope(Vector{0, 0, 1}), rest);
    v = v - change;
    const Scalar limit = Scalar{4} * std::numeric_limits<Scalar>::epsilon() * (Scalar{1} + size);
    if (dot(change, change) <= limit * limit) break;
  }
  return v;
}

template <typename Vector, typename Acceleration>
MotionState<Vector> runge_kutta(const MotionState<Vector>& s, ScalarOf<Vector> t,
                                ScalarOf<Vector> h, const Acceleration& a) {
  using Scalar = ScalarOf<Vector>;
  const Scalar half = h * Scalar{0.5}, sixth = h * (Scalar{1} / Scalar{6});
  const Vector v1 = s.velocity, a1 = a(s.position, v1, t);
  const Vector v2 = s.velocity + a1 * half, a2 = a(s.position + v1 * half, v2, t + half);
  const Vector v3 = s.velocity + a2 * half, a3 = a(s.position + v2 * half, v3, t + half);
  const Vector v4 = s.velocity + a3 * h, a4 = a(s.position + v3 * h, v4, t + h);
  return {s.position + (v1 + (v2 + v3) * Scalar{2} + v4) * sixth,
          s.velocity + (a1 + (a2 + a3) * Scalar{2} + a4) * sixth};
}

}  // namespace detail

/// Returns the state h seconds after time t. `acceleration(position, velocity, time)` returns m/s².
template <typename Vector, typename Acceleration>
MotionState<Vector> advanced(Integrator integrator, const MotionState<Vector>& s,
                             detail::ScalarOf<Vector> t, detail::ScalarOf<Vector> h,
                             const Acceleration& acceleration) {
  using Scalar = detail::ScalarOf<Vector>;
  const Scalar half = h * Scalar{0.5};
  switch (integrator) {
    case Integrator::ExplicitEuler:
      return {s.position + s.velocity * h,
              s.velocity + acceleration(s.position, s.velocity, t) * h};
    case Integrator::BackwardEuler: {
      const Vector v = detail::backward_velocity(s, t, h, acceleration);
      return {s.position + v * h, v};
    }
    case Integrator::SemiImplicitEuler: {
      const Vector v = s.velocity + acceleration(s.position, s.velocity, t) * h;
      return {s.position + v * h, v};
    }
    case Integrator::Midpoint: {
      const Vector middle = s.velocity + acceleration(s.position, s.velocity, t) * half;
      const Vector a = acceleration(s.position + s.velocity * half, middle, t + half);
      return {s.position + middle * h, s.velocity + a * h};
    }
    case Integrator::PositionVerlet: {
      const Vector middle = s.position + s.velocity * half;
      const Vector v = s.velocity + acceleration(middle, s.velocity, t + half) * h;
      return {middle + v * half, v};
    }
    case Integrator::VelocityVerlet: {
      const Vector before = acceleration(s.position, s.velocity, t);
      const Vector x = s.position + (s.velocity + before * half) * h;
      const Vector after = acceleration(x, s.velocity + before * h, t + h);
      return {x, s.velocity + (before + after) * half};
    }
    case Integrator::RungeKutta4:
      break;
  }
  return detail::runge_kutta(s, t, h, acceleration);
}

}  // namespace jostle::forces
