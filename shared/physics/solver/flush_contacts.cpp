#include "shared/physics/solver/flush_contacts.h"

#include "shared/physics/contact_list.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/narrow_phase/collide.h"
#include "shared/physics/narrow_phase/convex.h"

namespace jostle::physics {
namespace {

using math::Vec3;

/// A contact of a dynamic body with a static shape, from the body's side: n from the shape to it.
struct Rest {
  const Manifold& manifold;
  std::uint32_t shape = 0;  // the static one
  bool is_body_b = false;   // the dynamic one is b
  Vec3 normal;

  Vec3 offset(const ManifoldPoint& point) const {
    return is_body_b ? point.offset_b : point.offset_a;
  }
  /// Of the shape's surface at the point, from the body's centre along `direction`.
  float height(const ManifoldPoint& point, Vec3 direction) const {
    return dot(direction, offset(point) - normal * (0.5f * point.separation));
  }
  /// The highest that may be. Points of fast pairs are those of the blow, with the separation of
  /// now (carry_back in fast_pairs.cpp): there the two surfaces meet.
  float highest(const ManifoldPoint& point, Vec3 direction) const {
    return math::max_of(height(point, direction), dot(direction, offset(point)));
  }
};

Rest rest_of(const Contact& contact, bool is_body_b) {
  const Manifold& manifold = contact.manifold;
  return {manifold, is_body_b ? contact.shape_a : contact.shape_b, is_body_b,
          is_body_b ? manifold.normal : -manifold.normal};
}

bool has_rim(state::ShapeKind kind) {
  return !is_surface(kind) && kind != state::ShapeKind::Plane;
}

/// How far the shape reaches along n, from the body's centre.
float reach(const WorldState& world, std::uint32_t shape, const Body& body, Vec3 n) {
  const ShapePlace& place = world.places[shape];
  const Convex convex = convex_of(world.shapes[shape].def.shape);
  const Vec3 local = transpose_multiply(place.axes, n);
  const math::Vec3d farthest = support(convex, math::Vec3d{local.x, local.y, local.z});
  const Vec3 core{static_cast<float>(farthest.x), static_cast<float>(farthest.y),
                  static_cast<float>(farthest.z)};
  return dot(n, (place.centre - body.position) + place.from_centre + place.axes * core) +
         convex.rounding;
}

/// Whether the shape has a flat face there with the outward normal n.
bool is_face(const WorldState& world, std::uint32_t shape, Vec3 n) {
  const state::Shape& geometry = world.shapes[shape].def.shape;
  if (geometry.kind == state::ShapeKind::Plane) return true;
  if (!has_rim(geometry.kind)) return false;
  const Vec3 local = transpose_multiply(world.places[shape].axes, n);
  const Side side = side_towards(convex_of(geometry), local);
  return side.is_face() && dot(side.normal, local) > flush_cosine;
}

/// Whether the body lies on the face of `floor` and is only at the rim of what `rim` touches.
bool ends_with(const WorldState& world, const Body& body, const Rest& floor, const Rest& rim) {
  const Vec3 n = floor.normal;
  if (dot(n, rim.normal) > flush_cosine) return false;
  const ManifoldPoint* lowest = nullptr;
  for (std::uint32_t i = 0; i < floor.manifold.point_count; ++i) {
    const ManifoldPoint& point = floor.manifold.points[i];
    if (lowest == nullptr || point.separation < lowest->separation) lowest = &point;
  }
  if (lowest == nullptr || lowest->separation > touch_distance) return false;
  const float height = floor.height(*lowest, n);
  for (std::uint32_t i = 0; i < rim.manifold.point_count; ++i)
    if (rim.highest(rim.manifold.points[i], n) < height - flush_tolerance) return false;
  const float end = reach(world, rim.shape, body, n);
  return math::abs_of(end - height) <= flush_tolerance && is_face(world, floor.shape, n);
}

}  // namespace

bool is_at_flush_rim(const WorldState& world, const Contact& contact, const Body& a,
                     const Body& b) {
  const bool is_body_b = is_dynamic(b);
  const Body& body = is_body_b ? b : a;
  const Body& other = is_body_b ? a : b;
  if (other.motion != MotionType::Static) return false;
  const Rest rim = rest_of(contact, is_body_b);
  if (!has_rim(world.shapes[rim.shape].def.shape.kind)) return false;
  const std::uint32_t index = is_body_b ? contact.body_b : contact.body_a;
  bool is_flush = false;
  for_each_contact(world, index, [&](std::uint32_t slot) {
    const Contact& next = world.contacts[slot];
    if (is_flush || &next == &contact || next.manifold.point_count == 0) return;
    const bool is_next_b = next.body_b == index;
    if (world.bodies[is_next_b ? next.body_a : next.body_b].motion != MotionType::Static) return;
    is_flush = ends_with(world, body, rest_of(next, is_next_b), rim);
  });
  return is_flush;
}

}  // namespace jostle::physics
