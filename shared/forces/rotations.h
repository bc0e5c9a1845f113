#pragma once

#include "shared/math/vec3d.h"

#include <cstdint>

namespace jostle::forces {

/// A unit quaternion in doubles.
struct Turn {
  double w = 1;
  math::Vec3d v;

  bool operator==(const Turn&) const = default;
};
Turn operator*(const Turn& a, const Turn& b);  // b first
math::Vec3d turned(const Turn& turn, math::Vec3d v);
math::Vec3d turned_back(const Turn& turn, math::Vec3d v);

/// What the three forms tell each other: where a body is turned to, and its angular momentum about
/// its centre of mass, in the world.
struct TurningState {
  Turn orientation;
  math::Vec3d momentum;  // N·m·s

  bool operator==(const TurningState&) const = default;
};

/// What is carried from step to step, and so kept best. World::step carries the momentum, by a rule
/// of the same kind as the first, made one of order 4 (physics/solver/kernels/body_kernels.h).
enum class RotationForm : std::uint8_t {
  AngularMomentum,  // order 2: L and energy are exact
  Quaternion,       // order 4: Runge and Kutta's rule for q, which is made unit again; L is exact
  BodyFrame,        // order 2: Euler's equations of the body's ω; energy and L drift
};
inline constexpr std::uint8_t rotation_form_count = 3;

/// ω in the world, rad/s; `moments`: the principal moments of inertia, kg·m², about the body's own
/// axes.
math::Vec3d angular_velocity(const TurningState& state, math::Vec3d moments);
/// J
double turning_energy(const TurningState& state, math::Vec3d moments);

/// The state h seconds later, under a constant torque in the world, N·m; h·|ω| at most 1.
///
/// The first solves the implicit midpoint rule, whose rotation is Cayley's map of ω in the middle:
/// axis ω, tan(angle/2) = h·|ω|/2 (Simo and Wong, "Unconditionally stable algorithms for rigid body
/// dynamics that exactly preserve energy and momentum", 1991), between two halves of the torque's
/// kick. The others are explicit.
TurningState advanced(RotationForm form, const TurningState& state, math::Vec3d moments,
                      math::Vec3d torque, double h);

}  // namespace jostle::forces
