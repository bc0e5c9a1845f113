#include "tests/scene/separation.h"

#include "shared/geometry/bounds.h"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

namespace jostle::scene {
namespace {

/// A shape in the world as a box with a convex radius. A sphere has no extents, and a capsule has
/// one.
struct Placed {
  std::size_t body = 0;
  bool is_dynamic = false, is_plane = false;
  math::Position centre;
  math::Vec3 axes[3];
  math::Vec3 half;
  float radius = 0;
  float reach = 0;  // radius of the bounding sphere
};

Placed placed(const SceneBody& body, std::size_t index, const SceneShape& part) {
  const math::Pose pose = body.pose * part.local;
  const math::Mat3 matrix = to_matrix(pose.rotation);
  Placed out;
  out.body = index;
  out.is_dynamic = body.motion == state::MotionType::Dynamic;
  out.is_plane = part.shape.kind == state::ShapeKind::Plane;
  out.centre = pose.position;
  out.axes[0] = matrix.cx;
  out.axes[1] = matrix.cy;
  out.axes[2] = matrix.cz;
  out.half = part.shape.half_extents + math::Vec3{0, part.shape.half_segment, 0};
  out.radius = part.shape.radius;
  if (part.shape.kind > state::ShapeKind::Plane) {
    // Another shape is replaced by its bounding box in the frame of the shape, which contains the
    // shape.
    const math::Aabb box = geometry::bounds(part.shape, {});
    const math::Vec3 middle = (to_vec3(box.lower) + to_vec3(box.upper)) * 0.5f;
    out.centre = transform_point(pose, middle);
    out.half = to_vec3(box.upper) - middle;
    out.radius = 0;
  }
  out.reach = length(out.half) + out.radius;
  return out;
}

/// Returns the support distance of the shape from its centre along the unit vector `n`.
float support(const Placed& shape, math::Vec3 n) {
  float reach = shape.radius;
  for (int i = 0; i < 3; ++i)
    reach += math::abs_of(dot(shape.axes[i], n)) * shape.half[i];
  return reach;
}

/// Returns the point of the shape's core box nearest to `point`, relative to the shape's centre.
math::Vec3 nearest_in_core(const Placed& shape, math::Position point) {
  const math::Vec3 offset = point - shape.centre;
  math::Vec3 nearest;
  for (int i = 0; i < 3; ++i) {
    nearest +=
        shape.axes[i] * math::clamp(dot(shape.axes[i], offset), -shape.half[i], shape.half[i]);
  }
  return nearest;
}

/// Returns the largest gap along any axis that can separate two boxes or spheres. It is negative if
/// they overlap.
float separation(const Placed& a, const Placed& b) {
  const math::Vec3 offset = b.centre - a.centre;
  float best = -std::numeric_limits<float>::max();
  const auto try_axis = [&](math::Vec3 axis) {
    if (length_squared(axis) < 1e-8f) return;
    const math::Vec3 n = normalized_or(axis, {1, 0, 0});
    best = std::max(best, math::abs_of(dot(n, offset)) - support(a, n) - support(b, n));
  };
  try_axis(offset);
  try_axis(b.centre - (a.centre + nearest_in_core(a, b.centre)));
  try_axis(a.centre - (b.centre + nearest_in_core(b, a.centre)));
  for (const math::Vec3 axis_a : a.axes) {
    try_axis(axis_a);
    for (const math::Vec3 axis_b : b.axes)
      try_axis(cross(axis_a, axis_b));
  }
  for (const math::Vec3 axis_b : b.axes)
    try_axis(axis_b);
  return best;
}

float above_plane(const Placed& plane, const Placed& other) {
  return dot(plane.axes[1], other.centre - plane.centre) - support(other, plane.axes[1]);
}

}  // namespace

float smallest_separation(const SceneDef& scene) {
  std::vector<Placed> shapes;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    for (const SceneShape& part : scene.bodies[i].shapes)
      if (!part.is_sensor) shapes.push_back(placed(scene.bodies[i], i, part));
  }
  std::set<std::pair<std::size_t, std::size_t>> joined;  // joined bodies, which may overlap
  for (const SceneJoint& joint : scene.joints)
    if (!joint.collide_connected)
      joined.insert(std::minmax<std::size_t>(joint.body_a, joint.body_b));
  float smallest = std::numeric_limits<float>::max();
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    for (std::size_t j = i + 1; j < shapes.size(); ++j) {
      const Placed &a = shapes[i], &b = shapes[j];
      if (a.body == b.body || (!a.is_dynamic && !b.is_dynamic)) continue;
      if (joined.contains(std::minmax(a.body, b.body))) continue;
      if (a.is_plane || b.is_plane) {
        smallest = std::min(smallest, a.is_plane ? above_plane(a, b) : above_plane(b, a));
        continue;
      }
      const float reach = a.reach + b.reach;
      if (length_squared(b.centre - a.centre) > reach * reach) continue;
      smallest = std::min(smallest, separation(a, b));
    }
  }
  return smallest;
}

double lowest_point(const SceneBody& body) {
  double lowest = std::numeric_limits<double>::max();
  for (const SceneShape& part : body.shapes) {
    const Placed shape = placed(body, 0, part);
    if (shape.is_plane) continue;
    lowest = std::min(lowest, shape.centre.y - static_cast<double>(support(shape, {0, 1, 0})));
  }
  return lowest;
}

}  // namespace jostle::scene
