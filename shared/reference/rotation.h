#pragma once

#include "shared/math/quat.h"
#include "shared/math/vec3d.h"

namespace jostle::reference {

using math::Mat3d;
using math::Vec3d;

/// A rotation as a unit quaternion in doubles; w is the real part.
struct Rotation {
  double x = 0, y = 0, z = 0, w = 1;

  bool operator==(const Rotation&) const = default;
};

/// Returns the rotation that applies b first, then a.
Rotation operator*(Rotation a, Rotation b);
Rotation normalized(Rotation q);
/// Converts to double and normalises again: a float quaternion has unit length only to seven
/// digits.
Rotation widened(math::Quat q);
Mat3d to_matrix(Rotation q);

/// Returns the rotation after turning for h seconds at the angular velocity `omega` (world frame,
/// rad/s):
///
///   q̇ = ½·(ω, 0)·q,   q(h) ≈ (q + h·q̇) / |q + h·q̇|
///
/// For a constant ω, the axis is exact and the angle is 2·atan(|ω|·h/2) = |ω|·h − (|ω|·h)³/12 + …
Rotation turned(Rotation q, Vec3d omega, double h);

/// Returns atan2(y, x), in (−π, π]; 0 at the origin. Uses square roots and a series instead of
/// libm, so that the result is the same on every machine.
double angle_of(double y, double x);

constexpr Mat3d zero_matrix() {
  return {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
}
Mat3d operator*(const Mat3d& a, const Mat3d& b);
Mat3d transposed(const Mat3d& m);
/// Returns the inverse by cofactors, or the zero matrix if the determinant is zero.
Mat3d inverse(const Mat3d& m);

/// Returns a unit vector perpendicular to the unit vector n: the normalised cross product of n and
/// the axis along which n has its smallest component.
Vec3d perpendicular(Vec3d n);

}  // namespace jostle::reference
