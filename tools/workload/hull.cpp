#include "tools/workload/hull.h"

#include <cstddef>

namespace jostle::workload {
namespace {

struct Point {
  double x = 0, y = 0, z = 0;
};

Point to_point(math::Vec3 v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}
Point operator-(Point a, Point b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
double triple_product(Point a, Point b, Point c) {
  return a.x * (b.y * c.z - b.z * c.y) + a.y * (b.z * c.x - b.x * c.z) +
         a.z * (b.x * c.y - b.y * c.x);
}

/// Returns −1 or +1 for the side of the triangle on which all other points lie, or 0 if they lie on
/// both.
int side_of_others(const std::vector<Point>& points, std::size_t i, std::size_t j, std::size_t k) {
  int side = 0;
  for (std::size_t other = 0; other < points.size(); ++other) {
    if (other == i || other == j || other == k) continue;
    const double volume =
        triple_product(points[j] - points[i], points[k] - points[i], points[other] - points[i]);
    const int sign = volume > 0 ? 1 : -1;
    if (side != 0 && sign != side) return 0;
    side = sign;
  }
  return side;
}

std::vector<std::array<std::uint32_t, 3>> find_faces(const std::vector<Point>& points) {
  std::vector<std::array<std::uint32_t, 3>> faces;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = i + 1; j < points.size(); ++j) {
      for (std::size_t k = j + 1; k < points.size(); ++k) {
        const int side = side_of_others(points, i, j, k);
        if (side == 0) continue;
        const auto a = static_cast<std::uint32_t>(i), b = static_cast<std::uint32_t>(j),
                   c = static_cast<std::uint32_t>(k);
        // All other points lie behind the face: its normal (b − a) × (c − a) points away from them.
        faces.push_back(side < 0 ? std::array{a, b, c} : std::array{a, c, b});
      }
    }
  }
  return faces;
}

struct HullMoments {
  double volume = 0;
  Point centre;   // centre of the volume
  Point squares;  // ∫x², ∫y², ∫z² about the origin
};

/// Returns the moments of a hull, added up over the tetrahedra between the origin and each face.
/// For (0, a, b, c) of volume V: ∫x = V·(a + b + c)/4 and ∫x² = V·(a² + b² + c² + ab + bc + ca)/10.
HullMoments sum_tetrahedra(const std::vector<Point>& points,
                           const std::vector<std::array<std::uint32_t, 3>>& faces) {
  HullMoments sum;
  const auto square = [](double a, double b, double c) {
    return (a * a + b * b + c * c + a * b + b * c + c * a) / 10;
  };
  for (const auto& face : faces) {
    const Point a = points[face[0]], b = points[face[1]], c = points[face[2]];
    const double volume = triple_product(a, b, c) / 6;
    sum.volume += volume;
    sum.centre.x += volume * (a.x + b.x + c.x) / 4;
    sum.centre.y += volume * (a.y + b.y + c.y) / 4;
    sum.centre.z += volume * (a.z + b.z + c.z) / 4;
    sum.squares.x += volume * square(a.x, b.x, c.x);
    sum.squares.y += volume * square(a.y, b.y, c.y);
    sum.squares.z += volume * square(a.z, b.z, c.z);
  }
  sum.centre.x /= sum.volume;
  sum.centre.y /= sum.volume;
  sum.centre.z /= sum.volume;
  return sum;
}

std::vector<Point> to_point(const std::vector<math::Vec3>& points) {
  std::vector<Point> wide;
  wide.reserve(points.size());
  for (const math::Vec3& point : points)
    wide.push_back(to_point(point));
  return wide;
}

SolidMoments from_squares(double volume, double xx, double yy, double zz) {
  return {volume, {yy + zz, zz + xx, xx + yy}};
}

constexpr double pi = 3.14159265358979323846;

SolidMoments capsule_moments(double r, double h) {
  // A cylinder of height 2h and two half balls, whose centres of mass are 3r/8 from their flat
  // sides.
  const double cylinder = pi * r * r * 2 * h, ball = 4.0 / 3 * pi * r * r * r;
  const double along = cylinder * h * h / 3 + ball * (r * r / 5 + h * h + 2 * h * 3 * r / 8);
  const double across = cylinder * r * r / 4 + ball * r * r / 5;
  return from_squares(cylinder + ball, across, along, across);
}

}  // namespace

Shape make_centred_hull(std::vector<math::Vec3> points) {
  Shape hull;
  hull.kind = ShapeKind::Hull;
  const std::vector<Point> wide = to_point(points);
  hull.triangles = find_faces(wide);
  const Point centre = sum_tetrahedra(wide, hull.triangles).centre;
  const math::Vec3 shift{static_cast<float>(centre.x), static_cast<float>(centre.y),
                         static_cast<float>(centre.z)};
  for (math::Vec3& point : points)
    point -= shift;
  hull.points = std::move(points);
  return hull;
}

SolidMoments moments_of(const Shape& shape) {
  const double r = static_cast<double>(shape.radius), h = static_cast<double>(shape.half_segment);
  switch (shape.kind) {
    case ShapeKind::Sphere: {
      const double volume = 4.0 / 3 * pi * r * r * r;
      return from_squares(volume, volume * r * r / 5, volume * r * r / 5, volume * r * r / 5);
    }
    case ShapeKind::Box: {
      const Point e = to_point(shape.half_extents);
      const double volume = 8 * e.x * e.y * e.z;
      return from_squares(volume, volume * e.x * e.x / 3, volume * e.y * e.y / 3,
                          volume * e.z * e.z / 3);
    }
    case ShapeKind::Capsule:
      return capsule_moments(r, h);
    case ShapeKind::Cylinder: {
      const double volume = pi * r * r * 2 * h;
      return from_squares(volume, volume * r * r / 4, volume * h * h / 3, volume * r * r / 4);
    }
    case ShapeKind::Cone: {
      // Per volume, ∫y² is 3/80 of the squared height 2h, and ∫x² is 3/20 of r².
      const double volume = pi * r * r * 2 * h / 3;
      return from_squares(volume, volume * r * r * 3 / 20, volume * 4 * h * h * 3 / 80,
                          volume * r * r * 3 / 20);
    }
    case ShapeKind::Hull: {
      const HullMoments sum = sum_tetrahedra(to_point(shape.points), shape.triangles);
      return from_squares(sum.volume, sum.squares.x, sum.squares.y, sum.squares.z);
    }
    case ShapeKind::Mesh:
    case ShapeKind::Plane:
      break;
  }
  return {};
}

}  // namespace jostle::workload
