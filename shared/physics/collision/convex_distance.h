#pragma once

#include "shared/physics/collision/convex.h"

#include <optional>

namespace jostle::physics {

/// Two convex bodies in the frame of a: `centre` is the origin of b, and `axes` are the axes of b.
struct ConvexPair {
  const Convex &a, &b;
  math::Vec3d centre;
  math::Mat3d axes;
};

/// The distance and the closest points of two cores, without their convex radii, in the frame of a.
struct ConvexDistance {
  double distance = 0;          // m; if negative, minus the penetration depth along `normal`
  math::Vec3d normal{0, 1, 0};  // unit, from a to b
  math::Vec3d on_a, on_b;       // the closest points, or the deepest ones if the cores overlap
  // true beyond `max_distance`: then only `normal` is set, a separating axis
  bool is_beyond = false;
};

/// Options of convex_distance that save time.
struct DistancePrecision {
  // GJK stops when the distance exceeds the separation along the normal by at most relative_gap ·
  // (distance − least). Below 1e-4, pairs with rims are searched by closest_features first.
  double relative_gap = 1e-8;
  // false: overlapping cores have distance 0 and no meaningful normal
  bool measures_overlap = true;
  // m; GJK also stops at any distance up to this, because smaller ones make no difference to the
  // caller
  double least = 0;
};

/// Computes the distance of two cores with closest_features or, if that finds nothing, with GJK
/// (Gilbert, Johnson and Keerthi, 1988). If they overlap, computes the smallest translation that
/// separates them with the expanding polytope algorithm (EPA; van den Bergen, 2001). Works in
/// double. The error of a depth is at most 1e-7 of the cores' sizes plus a thousandth of the depth,
/// except where EPA runs out of points.
///
/// `axis` is a first guess of the direction from a to b, of any length but zero. Stops early once
/// the cores are known to be farther apart than `max_distance`.
ConvexDistance convex_distance(const ConvexPair& pair, math::Vec3d axis, double max_distance,
                               const DistancePrecision& precision = {});

/// A point `at` of the Minkowski difference a − b of two bodies, and the point of a that it comes
/// from.
struct DifferencePoint {
  math::Vec3d on_a, at;

  math::Vec3d on_b() const { return on_a - at; }
};
/// Returns the support point of the difference along `direction`, in the frame of a.
DifferencePoint difference_support(const ConvexPair& pair, math::Vec3d direction);

/// The Minkowski difference of two bodies, by its support function.
class Difference {
 public:
  virtual ~Difference() = default;
  /// Returns the support point along `direction`. `on_a` may stay unset.
  virtual DifferencePoint support(math::Vec3d direction) const = 0;
};

/// Searches for a unit vector along which two bodies are farther apart than `distance`, with GJK.
/// `axis` is a first guess of the direction from a to b, of any length but zero. Returns nothing if
/// the bodies are not farther apart, or if 32 rounds find no such vector.
std::optional<math::Vec3d> separating_axis(const Difference& difference, math::Vec3d axis,
                                           double distance);

/// A GJK simplex: up to four points of the difference, and the weights of its point nearest to the
/// origin.
struct Simplex {
  std::array<DifferencePoint, 4> points;
  std::array<double, 4> weights{1, 0, 0, 0};
  std::uint32_t count = 0;
};

/// Computes the penetration of overlapping cores by EPA. `simplex` is the final simplex of GJK, and
/// `size` a length of the order of the difference's extent, for tolerances.
ConvexDistance penetration(const ConvexPair& pair, const Simplex& simplex, double size);

}  // namespace jostle::physics
