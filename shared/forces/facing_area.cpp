#include "shared/forces/facing_area.h"

#include "shared/math/trig.h"

#include <cmath>
#include <variant>

namespace jostle::forces {

using math::Vec3;

namespace {

float area_of_box(Vec3 half, Vec3 direction) {
  const Vec3 share = math::abs_of(direction);
  return 4.0f * (half.y * half.z * share.x + half.z * half.x * share.y + half.x * half.y * share.z);
}

/// Returns the projected area of a cone with the radius r and the height h. `c` and `s` are the
/// cosine and the sine of the angle between its axis and the direction. The base appears as an
/// ellipse with half axes r and r·c. The tip lies h·s from the middle of the ellipse, along the
/// short axis. If the tip lies outside the ellipse, two tangents from the tip bound the area.
/// Stretched by 1/c along the short axis, the ellipse is a circle.
float area_of_cone(float radius, float height, float c, float s) {
  const float base = math::pi * radius * radius * c;
  const float tip = height * s, edge = radius * c;
  if (tip <= edge) return base;
  const float tangents = radius * std::sqrt(tip * tip - edge * edge);
  return tangents + radius * edge * (math::pi - math::acos(edge / tip));
}

/// Returns half of the sum of the faces' projected areas, because each point of the projection
/// belongs to two points of the surface. The length of `twice` is twice the area of a triangle,
/// hence the factor 1/4.
float area_of_hull(const state::ConvexHull& hull, Vec3 direction) {
  double sum = 0;
  for (const state::HullFace& face : hull.faces) {
    const std::uint16_t* corners = hull.corners.data() + face.first_corner;
    const auto corner = [&](std::uint32_t i) { return hull.vertices[corners[i]]; };
    for (std::uint32_t i = 1; i + 1 < face.corner_count; ++i) {
      const Vec3 twice = cross(corner(i) - corner(0), corner(i + 1) - corner(0));
      const float seen = dot(twice, direction);
      sum += static_cast<double>(math::abs_of(seen));
    }
  }
  return static_cast<float>(0.25 * sum);
}

}  // namespace

float facing_area(const state::Shape& shape, Vec3 direction) {
  const float r = shape.radius;
  const float disc = math::pi * r * r;
  const float c = math::min_of(math::abs_of(direction.y), 1.0f);
  const float s = std::sqrt(1.0f - c * c);
  switch (shape.kind) {
    case state::ShapeKind::Sphere:
      return disc;
    case state::ShapeKind::Box:
      return area_of_box(shape.half_extents, direction);
    case state::ShapeKind::Capsule:
      return disc + 4.0f * r * shape.half_segment * s;
    case state::ShapeKind::Cylinder:
      return disc * c + 4.0f * r * shape.half_segment * s;
    case state::ShapeKind::Cone:
      return area_of_cone(r, 2.0f * shape.half_segment, c, s);
    case state::ShapeKind::Hull:
      return area_of_hull(std::get<state::ConvexHull>(shape.solid->content), direction);
    case state::ShapeKind::Plane:
    case state::ShapeKind::Mesh:
    case state::ShapeKind::HeightField:
      break;
  }
  return 0;
}

}  // namespace jostle::forces
