#pragma once

#include "shared/math/vec3d.h"

#include <vector>

namespace jostle::physics::laws {

struct PointMass {
  double mass = 0;  // kg
  math::Vec3d at;   // m
};

/// Reference solution, in doubles, of a frictionless mechanism with one degree of freedom q under
/// gravity along −y. With the mass M(q) = Σ m·|dp/dq|² and the potential energy V(q), the equation
/// of motion is M·q″ + M′·q′²/2 + V′ = 0. Runge–Kutta steps of 1 ms solve it with an error far
/// below those of the engine.
class Mechanism {
 public:
  /// Returns point masses that replace the bodies at the coordinate q. The number and the order of
  /// the points do not depend on q.
  using Points = std::vector<PointMass> (*)(double q);

  Mechanism(Points points, double start, double start_rate)
      : q(start), rate(start_rate), points_(points) {}

  double q = 0, rate = 0;

  void advance(double seconds);

 private:
  double acceleration(double at, double speed) const;

  Points points_;
};

/// Returns `v` turned by `angle` about the unit vector `axis`.
math::Vec3d turned(math::Vec3d v, math::Vec3d axis, double angle);

}  // namespace jostle::physics::laws
