#include "shared/forces/submersion.h"

#include "shared/forces/detail/clip_polyhedron.h"
#include "shared/forces/detail/round_solid.h"
#include "shared/geometry/bounds.h"
#include "shared/geometry/mass_properties.h"

#include <array>
#include <numbers>
#include <span>

namespace jostle::forces {

using detail::HalfSpace;
using detail::Polyhedron;
using math::Mat3d;
using math::Vec3d;

namespace {

/// The planes that bound a fluid, relative to a shape's origin.
struct Faces {
  std::array<HalfSpace, 6> all;
  std::size_t count = 0;
  bool is_outside = false;

  /// Adds a plane. `radius` is that of the ball around the shape's origin that contains the shape.
  /// Skips the plane if the whole ball is in its half-space; sets is_outside if the whole ball is
  /// outside.
  void add(Vec3d normal, double offset, double radius) {
    if (offset >= radius) return;
    if (offset <= -radius) is_outside = true;
    all[count++] = {normal, offset};
  }
};

Faces faces_of(const Fluid& fluid, math::Position origin, double radius) {
  Faces faces;
  double top = fluid.level - origin.y;
  if (fluid.region.kind == RegionKind::Box) {
    const Vec3d half = math::widened(fluid.region.half_extents);
    const double x = fluid.region.centre.x - origin.x, y = fluid.region.centre.y - origin.y,
                 z = fluid.region.centre.z - origin.z;
    top = y + half.y < top ? y + half.y : top;
    faces.add({0, -1, 0}, half.y - y, radius);
    faces.add({1, 0, 0}, x + half.x, radius);
    faces.add({-1, 0, 0}, half.x - x, radius);
    faces.add({0, 0, 1}, z + half.z, radius);
    faces.add({0, 0, -1}, half.z - z, radius);
  }
  faces.add({0, 1, 0}, top, radius);
  return faces;
}

/// Returns the cap of a ball of radius r below a plane. If h is the height of the cap, its volume
/// is π·h²·(3r − h)/3, and its centre lies 3(2r − h)²/(4(3r − h)) from the ball's centre
/// (Weisstein, "Spherical Cap").
Submersion cap(double r, const HalfSpace& face) {
  const double h = face.offset + r;
  const double volume = std::numbers::pi * h * h * (3 * r - h) * (1.0 / 3);
  const double away = 0.75 * (2 * r - h) * (2 * r - h) / (3 * r - h);
  return {volume, face.normal * -away};
}

Polyhedron box_of(math::Vec3 half_extents) {
  const Vec3d h = math::widened(half_extents);
  Polyhedron box;
  const auto add = [&](Vec3d a, Vec3d b, Vec3d c, Vec3d d) {
    box.points.insert(box.points.end(), {a, b, c, d});
    box.end_loop();
  };
  const Vec3d x{h.x, 0, 0}, y{0, h.y, 0}, z{0, 0, h.z};
  add(x - y - z, x + y - z, x + y + z, x - y + z);
  add(-x - y - z, -x - y + z, -x + y + z, -x + y - z);
  add(y - x - z, y - x + z, y + x + z, y + x - z);
  add(-y - x - z, -y + x - z, -y + x + z, -y - x + z);
  add(z - x - y, z + x - y, z + x + y, z - x + y);
  add(-z - x - y, -z - x + y, -z + x + y, -z + x - y);
  return box;
}

Polyhedron hull_of(const state::ConvexHull& hull) {
  Polyhedron solid;
  for (const state::HullFace& face : hull.faces) {
    const std::uint16_t* corners = hull.corners.data() + face.first_corner;
    for (std::uint32_t i = 0; i < face.corner_count; ++i)
      solid.points.push_back(math::widened(hull.vertices[corners[i]]));
    solid.end_loop();
  }
  return solid;
}

Polyhedron polyhedron_of(const state::Shape& shape) {
  if (shape.kind == state::ShapeKind::Box) return box_of(shape.half_extents);
  if (shape.kind == state::ShapeKind::Hull)
    return hull_of(std::get<state::ConvexHull>(shape.solid->content));
  return detail::round_solid(shape);
}

Submersion cut(const state::Shape& shape, const Mat3d& axes, std::span<const HalfSpace> faces) {
  Polyhedron solid = polyhedron_of(shape);
  for (Vec3d& point : solid.points)
    point = axes * point;
  for (const HalfSpace& face : faces)
    solid = clipped(solid, face);
  const detail::Volume volume = volume_of(solid);
  return {volume.size, volume.centre};
}

Submersion whole(const state::Shape& shape, const Mat3d& axes) {
  const geometry::MassProperties properties = geometry::mass_properties(shape, 1);
  return {static_cast<double>(properties.mass), axes * math::widened(properties.centre)};
}

}  // namespace

Submersion submerged(const state::Shape& shape, const math::Mat3& axes, const Fluid& fluid,
                     math::Position origin) {
  if (state::is_static_only(shape.kind)) return {};
  const double radius = static_cast<double>(geometry::bounding_radius(shape));
  const Faces faces = faces_of(fluid, origin, radius);
  if (faces.is_outside) return {};
  if (faces.count == 0) return whole(shape, math::widened(axes));
  if (faces.count == 1 && shape.kind == state::ShapeKind::Sphere) return cap(radius, faces.all[0]);
  return cut(shape, math::widened(axes), {faces.all.data(), faces.count});
}

}  // namespace jostle::forces
