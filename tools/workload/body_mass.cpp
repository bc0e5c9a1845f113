#include "tools/workload/body_mass.h"

#include "tools/workload/hull.h"

#include <cstddef>

namespace jostle::workload {
namespace {

using Double3 = std::array<double, 3>;
using Tensor = std::array<Double3, 3>;

Double3 widen(math::Vec3 v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

/// The mass of a solid, and the integrals of x and of x·xᵀ over its mass.
struct Sums {
  double mass = 0;
  Double3 first{};
  Tensor second{};
};

void add(Sums& sums, const Sums& more) {
  sums.mass += more.mass;
  for (std::size_t i = 0; i < 3; ++i) {
    sums.first[i] += more.first[i];
    for (std::size_t j = 0; j < 3; ++j)
      sums.second[i][j] += more.second[i][j];
  }
}

/// Returns the sums of a solid whose points x were moved to x' = R·x + d:
///
///   Σx' = R·Σx + m·d
///   Σx'x'ᵀ = RΣxxᵀRᵀ + (RΣx)dᵀ + d(RΣx)ᵀ + m·ddᵀ
Sums moved(const Sums& sums, const Placement& place) {
  const Double3 x = widen(rotate(place.rotation, {1, 0, 0}));
  const Double3 y = widen(rotate(place.rotation, {0, 1, 0}));
  const Double3 z = widen(rotate(place.rotation, {0, 0, 1}));
  const Tensor columns{x, y, z};
  const Double3 d = widen(place.offset);
  Sums result;
  result.mass = sums.mass;
  Double3 turned{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k)
      turned[i] += columns[k][i] * sums.first[k];
    result.first[i] = turned[i] + sums.mass * d[i];
  }
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = turned[i] * d[j] + d[i] * turned[j] + sums.mass * d[i] * d[j];
      for (std::size_t k = 0; k < 3; ++k) {
        for (std::size_t l = 0; l < 3; ++l)
          sum += columns[k][i] * sums.second[k][l] * columns[l][j];
      }
      result.second[i][j] = sum;
    }
  }
  return result;
}

/// Returns the sums of a hull of density 1, added up over the tetrahedra between the origin and
/// each face. For (0, a, b, c) of volume V:
///
///   ∫xᵢxⱼ = V/20·(aᵢaⱼ + bᵢbⱼ + cᵢcⱼ + (a + b + c)ᵢ(a + b + c)ⱼ)
Sums sums_of_hull(const Shape& hull) {
  Sums sums;
  for (const auto& face : hull.triangles) {
    const Double3 a = widen(hull.points[face[0]]), b = widen(hull.points[face[1]]),
                  c = widen(hull.points[face[2]]);
    const double volume = (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) +
                           a[2] * (b[0] * c[1] - b[1] * c[0])) /
                          6;
    sums.mass += volume;
    for (std::size_t i = 0; i < 3; ++i) {
      const double total_i = a[i] + b[i] + c[i];
      sums.first[i] += volume / 4 * total_i;
      for (std::size_t j = 0; j < 3; ++j) {
        sums.second[i][j] +=
            volume / 20 *
            (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + total_i * (a[j] + b[j] + c[j]));
      }
    }
  }
  return sums;
}

/// Returns the volume integrals of a shape of density 1, in the frame of the shape.
Sums sums_of(const Shape& shape) {
  if (shape.kind == ShapeKind::Hull) return sums_of_hull(shape);
  const SolidMoments moments = moments_of(shape);
  Sums sums;
  sums.mass = moments.volume;
  sums.second[0][0] = (moments.inertia.y + moments.inertia.z - moments.inertia.x) / 2;
  sums.second[1][1] = (moments.inertia.z + moments.inertia.x - moments.inertia.y) / 2;
  sums.second[2][2] = (moments.inertia.x + moments.inertia.y - moments.inertia.z) / 2;
  if (shape.kind != ShapeKind::Cone) return sums;
  // The moments are about the centre of mass, which is a quarter of the height above the base.
  Placement below;
  below.offset.y = -0.5f * shape.half_segment;
  return moved(sums, below);
}

}  // namespace

BodyMass mass_of(const Scene& scene, const Body& body) {
  Sums sums;
  for (const Part& part : body.parts) {
    Sums own = moved(sums_of(scene.shapes[part.shape]), part.local);
    const auto density = static_cast<double>(surface_of(scene, part).density);
    own.mass *= density;
    for (std::size_t i = 0; i < 3; ++i) {
      own.first[i] *= density;
      for (double& value : own.second[i])
        value *= density;
    }
    add(sums, own);
  }
  BodyMass result;
  if (!(sums.mass > 0)) return result;
  const double scale = body.mass > 0 ? static_cast<double>(body.mass) / sums.mass : 1;
  const Double3 c{sums.first[0] / sums.mass, sums.first[1] / sums.mass, sums.first[2] / sums.mass};
  Tensor about_centre = sums.second;
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      about_centre[i][j] = scale * (sums.second[i][j] - sums.mass * c[i] * c[j]);
  }
  const double trace = about_centre[0][0] + about_centre[1][1] + about_centre[2][2];
  result.mass = scale * sums.mass;
  result.centre = {c[0], c[1], c[2]};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j)
      result.inertia[i][j] = (i == j ? trace : 0) - about_centre[i][j];
  }
  return result;
}

}  // namespace jostle::workload
