#include "shared/geometry/detail/polyhedron.h"

namespace jostle::geometry::detail {
namespace {

struct Sums {
  double volume = 0;  // 6 × the volume
  math::Vec3d first;  // 24 × ∫ x dV
  // 120 × ∫ x xᵀ dV
  double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};

/// Adds the tetrahedron from the origin to a, b, c: ∫ x xᵀ = V/20·(a aᵀ + b bᵀ + c cᵀ + s sᵀ) with
/// s = a + b + c.
void add_tetrahedron(Sums& sums, math::Vec3d a, math::Vec3d b, math::Vec3d c) {
  const double volume = dot(a, cross(b, c));
  const math::Vec3d s = a + b + c;
  sums.volume += volume;
  sums.first = sums.first + s * volume;
  sums.xx += volume * (a.x * a.x + b.x * b.x + c.x * c.x + s.x * s.x);
  sums.yy += volume * (a.y * a.y + b.y * b.y + c.y * c.y + s.y * s.y);
  sums.zz += volume * (a.z * a.z + b.z * b.z + c.z * c.z + s.z * s.z);
  sums.xy += volume * (a.x * a.y + b.x * b.y + c.x * c.y + s.x * s.y);
  sums.xz += volume * (a.x * a.z + b.x * b.z + c.x * c.z + s.x * s.z);
  sums.yz += volume * (a.y * a.z + b.y * b.z + c.y * c.z + s.y * s.z);
}

}  // namespace

PolyhedronIntegrals integrate(const state::ConvexHull& hull) {
  // Uses coordinates relative to a vertex, because a hull far from its origin would lose precision.
  const math::Vec3d origin = widened(hull.vertices[0]);
  Sums sums;
  for (const state::HullFace& face : hull.faces) {
    const auto corner = [&](std::size_t i) {
      return widened(hull.vertices[hull.corners[face.first_corner + i]]) - origin;
    };
    for (std::size_t i = 1; i + 1 < face.corner_count; ++i)
      add_tetrahedron(sums, corner(0), corner(i), corner(i + 1));
  }
  PolyhedronIntegrals result;
  result.volume = sums.volume / 6.0;
  if (!(result.volume > 0.0)) return result;
  const math::Vec3d mean = sums.first * (1.0 / (4.0 * sums.volume));
  result.centre = origin + mean;
  const double v = result.volume;
  result.xx = sums.xx / 120.0 - v * mean.x * mean.x;
  result.yy = sums.yy / 120.0 - v * mean.y * mean.y;
  result.zz = sums.zz / 120.0 - v * mean.z * mean.z;
  result.xy = sums.xy / 120.0 - v * mean.x * mean.y;
  result.xz = sums.xz / 120.0 - v * mean.x * mean.z;
  result.yz = sums.yz / 120.0 - v * mean.y * mean.z;
  return result;
}

}  // namespace jostle::geometry::detail
