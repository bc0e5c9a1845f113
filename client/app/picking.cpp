#include "client/app/picking.h"

#include <algorithm>
#include <cmath>

namespace jostle::client_app {

using math::Vec3;

namespace {

// |origin + t·direction − centre|² = radius², the smaller root, if the ray starts outside.
std::optional<float> enter_sphere(Vec3 centre, float radius, Vec3 origin, Vec3 direction) {
  const Vec3 offset = origin - centre;
  const float b = math::dot(offset, direction);
  const float c = math::length_squared(offset) - radius * radius;
  if (c < 0 || b > 0) return std::nullopt;
  // The distance of the ray from the centre, not b² − c, which cancels for far small spheres.
  const Vec3 nearest = offset - direction * b;
  const float discriminant = radius * radius - math::length_squared(nearest);
  if (discriminant < 0) return std::nullopt;
  return -b - std::sqrt(discriminant);
}

// Slabs: the latest entry into the three of them, if it is before the earliest exit.
std::optional<float> enter_box(Vec3 half, Vec3 origin, Vec3 direction) {
  float entry = -INFINITY, exit = INFINITY;
  for (int axis = 0; axis < 3; ++axis) {
    if (std::abs(direction[axis]) < 1e-12f) {
      if (std::abs(origin[axis]) > half[axis]) return std::nullopt;
      continue;
    }
    const float inverse = 1 / direction[axis];
    const float a = (-half[axis] - origin[axis]) * inverse;
    const float b = (half[axis] - origin[axis]) * inverse;
    entry = std::max(entry, std::min(a, b));
    exit = std::min(exit, std::max(a, b));
  }
  if (entry < 0 || entry > exit) return std::nullopt;
  return entry;
}

// The side is an infinite cylinder about y, kept between the centres of the end spheres.
std::optional<float> enter_capsule(const state::Shape& shape, Vec3 origin, Vec3 direction) {
  const float radius = shape.radius, half = shape.half_segment;
  const Vec3 nearest_on_axis{0, math::clamp(origin.y, -half, half), 0};
  if (math::length_squared(origin - nearest_on_axis) < radius * radius) return std::nullopt;

  const float a = direction.x * direction.x + direction.z * direction.z;
  const float b = origin.x * direction.x + origin.z * direction.z;
  const float c = origin.x * origin.x + origin.z * origin.z - radius * radius;
  if (a > 1e-12f && b * b - a * c >= 0) {
    const float t = (-b - std::sqrt(b * b - a * c)) / a;
    if (t >= 0 && std::abs(origin.y + t * direction.y) <= half) return t;
  }
  std::optional<float> first = enter_sphere({0, half, 0}, radius, origin, direction);
  const std::optional<float> other = enter_sphere({0, -half, 0}, radius, origin, direction);
  if (other && (!first || *other < *first)) first = other;
  return first;
}

std::optional<float> enter_plane(Vec3 origin, Vec3 direction) {
  if (origin.y <= 0 || direction.y >= 0) return std::nullopt;
  return -origin.y / direction.y;
}

}  // namespace

std::optional<float> enter_shape(const state::Shape& shape, Vec3 origin, Vec3 direction) {
  switch (shape.kind) {
    case state::ShapeKind::Sphere: return enter_sphere({}, shape.radius, origin, direction);
    case state::ShapeKind::Box: return enter_box(shape.half_extents, origin, direction);
    case state::ShapeKind::Capsule: return enter_capsule(shape, origin, direction);
    case state::ShapeKind::Plane: return enter_plane(origin, direction);
  }
  return std::nullopt;
}

std::optional<Pick> pick(const Ray& ray, std::span<const client::ShownBody> bodies,
                         state::PlayerId ignored_owner) {
  Pick best;
  best.distance = max_pick_distance;
  for (const client::ShownBody& body : bodies) {
    if (!ignored_owner.is_null() && body.info->owner == ignored_owner) continue;
    for (const state::BodyShape& part : body.info->shapes) {
      const math::Pose pose = body.pose * part.local;
      const std::optional<float> distance =
          enter_shape(part.shape, math::inverse_transform_point(pose, ray.origin),
                      math::inverse_rotate(pose.rotation, ray.direction));
      if (!distance || *distance >= best.distance) continue;
      best.body = &body;
      best.distance = *distance;
    }
  }
  if (best.body == nullptr) return std::nullopt;
  best.position = ray.origin + ray.direction * best.distance;
  best.point_local = math::inverse_transform_point(best.body->pose, best.position);
  return best;
}

}  // namespace jostle::client_app
