#pragma once

#include "shared/math/quat.h"
#include "shared/math/vec3d.h"

namespace jostle::reference {

using math::Mat3d;
using math::Vec3d;

/// A rotation as a unit quaternion, w the real part, in doubles.
struct Rotation {
  double x = 0, y = 0, z = 0, w = 1;

  bool operator==(const Rotation&) const = default;
};

/// The rotation b first, then a.
Rotation operator*(Rotation a, Rotation b);
Rotation normalized(Rotation q);
/// Made unit again: a float quaternion is so only to seven digits.
Rotation widened(math::Quat q);
Mat3d to_matrix(Rotation q);

/// The rotation after it has turned with the angular velocity `omega` (world frame, rad/s) for h
/// seconds:
///
///   q̇ = ½·(ω, 0)·q,   q(h) ≈ (q + h·q̇) / |q + h·q̇|
///
/// The axis is exact for a constant ω, and the angle is 2·atan(|ω|·h/2) = |ω|·h − (|ω|·h)³/12 + …
Rotation turned(Rotation q, Vec3d omega, double h);

/// The angle of the point (x, y), in (−π, π]: what libm calls atan2, by square roots and a series,
/// so that it is the same on every machine. 0 at the origin.
double angle_of(double y, double x);

constexpr Mat3d zero_matrix() {
  return {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
}
Mat3d operator*(const Mat3d& a, const Mat3d& b);
Mat3d transposed(const Mat3d& m);
/// By cofactors; the zero matrix when the determinant is zero.
Mat3d inverse(const Mat3d& m);

/// A unit vector perpendicular to the unit vector n: across the axis that n leans to least.
Vec3d perpendicular(Vec3d n);

}  // namespace jostle::reference
