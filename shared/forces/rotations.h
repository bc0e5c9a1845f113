#pragma once

#include "shared/math/vec3d.h"

#include <cstdint>

namespace jostle::forces {

/// A unit quaternion in double precision.
struct Turn {
  double w = 1;
  math::Vec3d v;

  bool operator==(const Turn&) const = default;
};
Turn operator*(const Turn& a, const Turn& b);  // applies b first
math::Vec3d turned(const Turn& turn, math::Vec3d v);
math::Vec3d turned_back(const Turn& turn, math::Vec3d v);

/// The state that every RotationForm integrates: the orientation of a body and its angular momentum
/// about its centre of mass, in the world.
struct TurningState {
  Turn orientation;
  math::Vec3d momentum;  // N·m·s

  bool operator==(const TurningState&) const = default;
};

/// The quantity that an integrator stores from step to step, and therefore preserves best.
/// World::step stores the angular momentum, with a fourth-order variant of AngularMomentum
/// (physics/solver/kernels/body_kernels.h).
enum class RotationForm : std::uint8_t {
  AngularMomentum,  // order 2; L and energy are exact
  Quaternion,       // order 4; Runge–Kutta for q, normalised after each step; L is exact
  BodyFrame,        // order 2; Euler's equations for ω in the body frame; energy and L drift
};
inline constexpr std::uint8_t rotation_form_count = 3;

/// Returns ω in the world, rad/s. `moments` are the principal moments of inertia in kg·m², about
/// the body's own axes.
math::Vec3d angular_velocity(const TurningState& state, math::Vec3d moments);
/// Returns the rotational energy, J.
double turning_energy(const TurningState& state, math::Vec3d moments);

/// Returns the state h seconds later under a constant torque in the world (N·m). h·|ω| must be at
/// most 1.
///
/// AngularMomentum solves the implicit midpoint rule between two half kicks of the torque. Its
/// rotation is the Cayley map of ω at the midpoint: axis ω, tan(angle/2) = h·|ω|/2 (Simo and Wong,
/// "Unconditionally stable algorithms for rigid body dynamics that exactly preserve energy and
/// momentum", 1991). The other forms are explicit.
TurningState advanced(RotationForm form, const TurningState& state, math::Vec3d moments,
                      math::Vec3d torque, double h);

}  // namespace jostle::forces
