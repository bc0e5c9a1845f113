#include "tools/check/simplex.h"

#include <limits>

namespace jostle::check {
namespace {

Simplex make(Vector a) {
  return {{a}, 1};
}
Simplex make(Vector a, Vector b) {
  return {{a, b}, 2};
}

Vector nearest_on_segment(Vector a, Vector b, Simplex& carrier) {
  const Vector ab = b - a;
  const double along = -dot(a, ab), squared = dot(ab, ab);
  if (!(along > 0)) {
    carrier = make(a);
    return a;
  }
  if (along >= squared) {
    carrier = make(b);
    return b;
  }
  carrier = make(a, b);
  return a + along / squared * ab;
}

/// Returns the point of the triangle nearest to the origin, and sets `carrier` to the vertices that
/// support it. Uses the Voronoi regions of vertices, edges and face (Ericson §5.1.5).
Vector nearest_on_triangle(Vector a, Vector b, Vector c, Simplex& carrier) {
  const Vector ab = b - a, ac = c - a;
  const double d1 = -dot(ab, a), d2 = -dot(ac, a);
  if (d1 <= 0 && d2 <= 0) return carrier = make(a), a;
  const double d3 = -dot(ab, b), d4 = -dot(ac, b);
  if (d3 >= 0 && d4 <= d3) return carrier = make(b), b;
  const double d5 = -dot(ab, c), d6 = -dot(ac, c);
  if (d6 >= 0 && d5 <= d6) return carrier = make(c), c;

  const double area_c = d1 * d4 - d3 * d2;
  if (area_c <= 0 && d1 >= 0 && d3 <= 0) return nearest_on_segment(a, b, carrier);
  const double area_b = d5 * d2 - d1 * d6;
  if (area_b <= 0 && d2 >= 0 && d6 <= 0) return nearest_on_segment(a, c, carrier);
  const double area_a = d3 * d6 - d5 * d4;
  if (area_a <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return nearest_on_segment(b, c, carrier);

  carrier = {{a, b, c}, 3};
  const Vector normal = cross(ab, ac);
  return dot(normal, a) / dot(normal, normal) * normal;
}

}  // namespace

Vector nearest_to_origin(Simplex& simplex) {
  const Simplex from = simplex;
  const auto& p = from.points;
  if (from.size == 1) return p[0];
  if (from.size == 2) return nearest_on_segment(p[0], p[1], simplex);
  if (from.size == 3) return nearest_on_triangle(p[0], p[1], p[2], simplex);

  // The origin is outside of a face if the fourth point is on the other side of the face. A flat
  // tetrahedron has no interior, so every face is tried.
  constexpr std::array<std::array<std::size_t, 4>, 4> faces{
      {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 3, 2, 0}}};
  double best_squared = std::numeric_limits<double>::infinity();
  Vector best;
  bool is_inside = true;
  for (const auto& face : faces) {
    const Vector a = p[face[0]], b = p[face[1]], c = p[face[2]], other = p[face[3]];
    const Vector normal = cross(b - a, c - a);
    const double side_of_origin = -dot(normal, a), side_of_other = dot(normal, other - a);
    if (side_of_origin * side_of_other > 0) continue;
    is_inside = false;
    Simplex carrier;
    const Vector nearest = nearest_on_triangle(a, b, c, carrier);
    if (dot(nearest, nearest) < best_squared) {
      best_squared = dot(nearest, nearest);
      best = nearest;
      simplex = carrier;
    }
  }
  return is_inside ? Vector{} : best;
}

}  // namespace jostle::check
