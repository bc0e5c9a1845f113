#pragma once

#include "shared/physics/narrow_phase/convex.h"

namespace jostle::physics {

/// Two convex bodies; b has its origin at `centre` and its own axes `axes` in the frame of a.
struct ConvexPair {
  const Convex &a, &b;
  math::Vec3d centre;
  math::Mat3d axes;
};

/// How two cores stand to each other, without their roundings, in the frame of a.
struct ConvexDistance {
  double distance = 0;          // negative: how far b must move along `normal` to be free
  math::Vec3d normal{0, 1, 0};  // unit, from a to b
  math::Vec3d on_a, on_b;       // the nearest points, or the deepest
  bool is_beyond = false;       // farther apart than asked; only `normal` holds: it separates them
};

/// The distance of two cores (Gilbert, Johnson and Keerthi, 1988) and, where they overlap, the
/// least translation that parts them (van den Bergen's expanding polytope, 2001). In double, to
/// 1e-7 of the cores' sizes. `axis` is a first guess of the direction from a to b, of any length
/// but zero. Ends early once the cores are known to be farther apart than `max_distance`.
ConvexDistance convex_distance(const ConvexPair& pair, math::Vec3d axis, double max_distance);

/// A point of the difference a − b of two bodies, and where it comes from.
struct DifferencePoint {
  math::Vec3d on_a, at;

  math::Vec3d on_b() const { return on_a - at; }
};
/// The farthest one along `direction`, in the frame of a.
DifferencePoint difference_support(const ConvexPair& pair, math::Vec3d direction);

/// Up to four points of the difference, with the weights that give its point nearest to the origin.
struct Simplex {
  std::array<DifferencePoint, 4> points;
  std::array<double, 4> weights{1, 0, 0, 0};
  std::uint32_t count = 0;
};

/// For cores that overlap: `simplex` is what the distance algorithm ended with.
ConvexDistance penetration(const ConvexPair& pair, const Simplex& simplex, double size);

}  // namespace jostle::physics
