#include "shared/geometry/ray_cast.h"

#include "shared/geometry/detail/hull_queries.h"
#include "shared/geometry/detail/surface_queries.h"
#include "shared/math/vec3d.h"

#include <array>
#include <cmath>

namespace jostle::geometry {

using math::Vec3;
using math::Vec3d;
using state::Shape;
using state::ShapeKind;

namespace {

/// Returns the smaller root t in [0, 1] of |o + t·d|² = r²; nothing if there is none or if o, the
/// start of the ray, is inside.
std::optional<double> enter_ball(Vec3d o, Vec3d d, double r) {
  const double a = dot(d, d), b = dot(o, d), c = dot(o, o) - r * r;
  if (c < 0.0 || b >= 0.0 || a == 0.0) return std::nullopt;
  const double discriminant = b * b - a * c;
  if (discriminant < 0.0) return std::nullopt;
  // Uses c / (−b + √…) instead of (−b − √…) / a to avoid cancellation.
  const double t = c / (-b + std::sqrt(discriminant));
  if (t > 1.0) return std::nullopt;
  return t;
}

std::optional<ShapeRayHit> cast_sphere(float radius, Vec3d o, Vec3d d) {
  const auto t = enter_ball(o, d, static_cast<double>(radius));
  if (!t) return std::nullopt;
  const Vec3d p{o.x + *t * d.x, o.y + *t * d.y, o.z + *t * d.z};
  return ShapeRayHit{static_cast<float>(*t), normalized_or(narrowed(p), {0, 1, 0})};
}

std::optional<ShapeRayHit> cast_box(Vec3 half_extents, Vec3d o, Vec3d d) {
  const std::array<double, 3> origin{o.x, o.y, o.z}, step{d.x, d.y, d.z};
  const Vec3d h = widened(half_extents);
  const std::array<double, 3> half{h.x, h.y, h.z};
  double enter = -1.0, leave = 1.0;
  int axis = -1;
  for (int i = 0; i < 3; ++i) {
    const auto k = static_cast<std::size_t>(i);
    if (step[k] == 0.0) {
      if (origin[k] < -half[k] || origin[k] > half[k]) return std::nullopt;
      continue;
    }
    const double side = step[k] > 0.0 ? 1.0 : -1.0;
    const double near = (-side * half[k] - origin[k]) / step[k];
    const double far = (side * half[k] - origin[k]) / step[k];
    if (near > enter) {
      enter = near;
      axis = i;
    }
    if (far < leave) leave = far;
  }
  if (axis < 0 || enter < 0.0 || enter > leave || enter > 1.0) return std::nullopt;
  const float side = step[static_cast<std::size_t>(axis)] > 0.0 ? -1.0f : 1.0f;
  const Vec3 normal{axis == 0 ? side : 0.0f, axis == 1 ? side : 0.0f, axis == 2 ? side : 0.0f};
  return ShapeRayHit{static_cast<float>(enter), normal};
}

/// Returns the t at which a ray enters the side of a capsule or a cylinder: |(o + t·d) without y| =
/// r, with y between the two ends.
std::optional<double> enter_side(const Vec3d& o, const Vec3d& d, double r, double half) {
  const auto t = enter_ball({o.x, 0, o.z}, {d.x, 0, d.z}, r);
  if (!t) return std::nullopt;
  const double y = o.y + *t * d.y;
  if (y < -half || y > half) return std::nullopt;
  return t;
}

std::optional<ShapeRayHit> cast_capsule(const Shape& shape, Vec3d o, Vec3d d) {
  const double r = static_cast<double>(shape.radius), l = static_cast<double>(shape.half_segment);
  const double nearest_y = o.y < -l ? -l : o.y > l ? l : o.y;
  const Vec3d offset{o.x, o.y - nearest_y, o.z};
  if (dot(offset, offset) < r * r) return std::nullopt;  // starts inside

  double best = 2.0;
  if (const auto t = enter_side(o, d, r, l)) best = *t;
  for (const double end : {-l, l}) {
    const auto t = enter_ball({o.x, o.y - end, o.z}, d, r);
    if (t && *t < best) best = *t;
  }
  if (best > 1.0) return std::nullopt;
  const Vec3d p{o.x + best * d.x, o.y + best * d.y, o.z + best * d.z};
  const double axis_y = p.y < -l ? -l : p.y > l ? l : p.y;
  const Vec3 normal = normalized_or(narrowed(Vec3d{p.x, p.y - axis_y, p.z}), {0, 1, 0});
  return ShapeRayHit{static_cast<float>(best), normal};
}

/// The first entry found so far: its fraction, and the outward normal of any length.
struct Entry {
  double fraction = 2.0;
  Vec3d normal;

  void take(double t, Vec3d n) {
    if (t >= 0.0 && t < fraction) *this = {t, n};
  }
};

/// Adds the entry of the ray through the disc of radius r at height y. The disc faces up if `side`
/// is 1, and down if it is −1.
void enter_disc(Entry& entry, Vec3d o, Vec3d d, double y, double r, double side) {
  if (side * (o.y - y) < 0.0 || side * d.y >= 0.0) return;
  const double t = (y - o.y) / d.y;
  const double x = o.x + t * d.x, z = o.z + t * d.z;
  if (x * x + z * z <= r * r) entry.take(t, {0, side, 0});
}

std::optional<ShapeRayHit> to_hit(const Entry& entry) {
  if (entry.fraction > 1.0) return std::nullopt;
  return ShapeRayHit{static_cast<float>(entry.fraction),
                     narrowed(entry.normal * (1.0 / length(entry.normal)))};
}

std::optional<ShapeRayHit> cast_cylinder(const Shape& shape, Vec3d o, Vec3d d) {
  const double r = static_cast<double>(shape.radius), l = static_cast<double>(shape.half_segment);
  Entry entry;
  if (const auto t = enter_side(o, d, r, l)) entry.take(*t, {o.x + *t * d.x, 0, o.z + *t * d.z});
  enter_disc(entry, o, d, l, r, 1.0);
  enter_disc(entry, o, d, -l, r, -1.0);
  return to_hit(entry);
}

/// Casts a ray against a cone. With k = r / 2l and the depth below the tip s = l − y, the cone is
/// x² + z² = k²·s² for s from 0 to 2l. Its normal at a point is (x, k²·s, z).
std::optional<ShapeRayHit> cast_cone(const Shape& shape, Vec3d o, Vec3d d) {
  const double r = static_cast<double>(shape.radius), l = static_cast<double>(shape.half_segment);
  const double k = r / (2.0 * l), kk = k * k, s = l - o.y;
  Entry entry;
  enter_disc(entry, o, d, -l, r, -1.0);
  const double a = d.x * d.x + d.z * d.z - kk * d.y * d.y;
  const double b = o.x * d.x + o.z * d.z + kk * s * d.y;
  const double c = o.x * o.x + o.z * o.z - kk * s * s;
  const double discriminant = b * b - a * c;
  if (discriminant < 0.0) return to_hit(entry);
  // Computes both roots, q / a and c / q, without cancellation.
  const double q = -(b + (b < 0.0 ? -std::sqrt(discriminant) : std::sqrt(discriminant)));
  const auto consider = [&](double above, double below) {
    if (below == 0.0) return;
    const double t = above / below, depth = s - t * d.y;
    const Vec3d normal{o.x + t * d.x, kk * depth, o.z + t * d.z};
    const bool is_way_in = depth >= 0.0 && depth <= 2.0 * l && dot(normal, d) < 0.0;
    if (is_way_in) entry.take(t, normal);
  };
  consider(q, a);
  consider(c, q);
  return to_hit(entry);
}

std::optional<ShapeRayHit> cast_plane(Vec3d o, Vec3d d) {
  if (o.y < 0.0 || d.y >= 0.0) return std::nullopt;
  const double t = -o.y / d.y;
  if (t > 1.0) return std::nullopt;
  return ShapeRayHit{static_cast<float>(t), {0, 1, 0}};
}

}  // namespace

std::optional<ShapeRayHit> cast_ray(const Shape& shape, Vec3 origin, Vec3 translation) {
  const Vec3d o = widened(origin), d = widened(translation);
  switch (shape.kind) {
    case ShapeKind::Sphere:
      return cast_sphere(shape.radius, o, d);
    case ShapeKind::Box:
      return cast_box(shape.half_extents, o, d);
    case ShapeKind::Capsule:
      return cast_capsule(shape, o, d);
    case ShapeKind::Plane:
      return cast_plane(o, d);
    case ShapeKind::Cylinder:
      return cast_cylinder(shape, o, d);
    case ShapeKind::Cone:
      return cast_cone(shape, o, d);
    case ShapeKind::Hull:
      return detail::cast_hull(std::get<state::ConvexHull>(shape.solid->content), o, d);
    case ShapeKind::Mesh:
    case ShapeKind::HeightField:
      return detail::cast_surface(shape, o, d);
  }
  return std::nullopt;
}

std::optional<ShapeRayHit> cast_ray(const Shape& shape, const math::Pose& pose,
                                    math::Position origin, Vec3 translation) {
  auto hit = cast_ray(shape, inverse_transform_point(pose, origin),
                      inverse_rotate(pose.rotation, translation));
  if (hit) hit->normal = rotate(pose.rotation, hit->normal);
  return hit;
}

}  // namespace jostle::geometry
