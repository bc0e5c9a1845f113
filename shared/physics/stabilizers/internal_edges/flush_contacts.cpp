#include "shared/physics/stabilizers/internal_edges/flush_contacts.h"

#include "shared/geometry/surface.h"
#include "shared/physics/collision/collide.h"
#include "shared/physics/collision/convex.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/detail/world_state.h"

#include <algorithm>
#include <span>
#include <vector>

namespace jostle::physics {
namespace {

using math::Vec3;

/// A manifold of a dynamic body, seen from this body: `normal` points from the other shape to the
/// body.
struct Rest {
  const Manifold& manifold;
  std::uint32_t shape = 0;  // shape of the other body
  bool is_body_b = false;   // true if the body is b of the contact
  Vec3 normal;

  Vec3 offset(const ManifoldPoint& point) const {
    return is_body_b ? point.offset_b : point.offset_a;
  }
  /// Returns the height of the other shape's surface at the point, along `direction` from the
  /// body's centre.
  float height(const ManifoldPoint& point, Vec3 direction) const {
    return dot(direction, surface_point(point));
  }
  /// Returns the point on the other shape's surface, relative to the body's centre.
  Vec3 surface_point(const ManifoldPoint& point) const {
    return offset(point) - normal * (0.5f * point.separation);
  }
  /// Returns the greater of two heights along `direction`: that of the other shape's surface at the
  /// point, and that of the body's own surface. The points of fast pairs are those of the predicted
  /// impact, with the current separation (carry_back in fast_pairs.cpp). The body's own surface at
  /// such a point is where the two surfaces will meet.
  float highest(const ManifoldPoint& point, Vec3 direction) const {
    const Vec3 own = offset(point) + normal * (0.5f * point.separation);
    return math::max_of(height(point, direction), dot(direction, own));
  }
};

Rest rest_of(const Contact& contact, std::uint32_t k, bool is_body_b) {
  const Manifold& manifold = manifold_at(contact, k);
  return {manifold, is_body_b ? contact.shape_a : contact.shape_b, is_body_b,
          is_body_b ? manifold.normal : -manifold.normal};
}

bool is_convex(state::ShapeKind kind) {
  return !is_surface(kind) && kind != state::ShapeKind::Plane;
}

/// Transforms a point, given relative to a body's centre, into the frame of a shape.
Vec3 local_point(const ShapePlace& place, const Body& body, Vec3 point) {
  return transpose_multiply(place.axes, point + (body.position - place.centre) - place.from_centre);
}

/// Returns the position of the point on the other shape's surface, relative to the body's centre.
/// The offsets of a predicted impact are those at the impact. The point is therefore placed by its
/// offset from the other body's centre, not from this body's.
Vec3 place_on_other(const WorldState& world, const Body& body, const Rest& rest,
                    const ManifoldPoint& point) {
  const Body& other = world.bodies[world.shapes[rest.shape].body.index];
  const Vec3 offset = rest.is_body_b ? point.offset_a : point.offset_b;
  return (other.position - body.position) + offset - rest.normal * (0.5f * point.separation);
}

/// Returns true if the point lies on a face with counter-clockwise `corners` about its normal.
bool is_on_face(std::span<const Vec3> corners, Vec3 normal, Vec3 point) {
  if (math::abs_of(dot(normal, point - corners[0])) > flush_tolerance) return false;
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Vec3 edge = corners[(i + 1) % corners.size()] - corners[i];
    if (dot(cross(edge, normal), point - corners[i]) > flush_tolerance * length(edge)) return false;
  }
  return true;
}

/// Returns the normals of the triangles on which the point lies. `point` and the normals are in the
/// surface's frame.
std::vector<Vec3> faces_at(const state::Shape& surface, Vec3 point) {
  const float r = flush_tolerance;
  std::vector<geometry::SurfaceTriangle> found;
  geometry::find_triangles(surface, point - Vec3{r, r, r}, point + Vec3{r, r, r}, found);
  std::vector<Vec3> normals;
  for (const geometry::SurfaceTriangle& triangle : found) {
    const auto& [p, q, s] = triangle.corners;
    const Vec3 normal = normalized_or(cross(q - p, s - p), Vec3{});
    if (is_on_face(triangle.corners, normal, point)) normals.push_back(normal);
  }
  return normals;
}

/// Returns the greatest distance of the shape's points from the body's centre along `n`, m.
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

/// Returns true if the shape has a flat face with the outward normal `n`. For meshes and height
/// fields, the face must also contain `point`, which is relative to the body's centre. For a plane
/// the result is always true.
bool is_face(const WorldState& world, std::uint32_t shape, const Body& body, Vec3 point, Vec3 n) {
  const state::Shape& geometry = world.shapes[shape].def.shape;
  const ShapePlace& place = world.places[shape];
  if (geometry.kind == state::ShapeKind::Plane) return true;
  const Vec3 local = transpose_multiply(place.axes, n);
  if (is_surface(geometry.kind)) {
    return std::ranges::any_of(faces_at(geometry, local_point(place, body, point)),
                               [&](Vec3 normal) { return dot(normal, local) > flush_cosine; });
  }
  const Side side = side_towards(convex_of(geometry), local);
  return side.is_face() && dot(side.normal, local) > flush_cosine;
}

/// Returns true if the body lies on a face of `floor`'s shape, and `rim`'s shape ends flush with
/// this face. The body then touches only the edge of `rim`'s shape.
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
  // The prediction of an impact ignores the floor, so a predicted point may be below the floor by
  // the height `fall`.
  const float step = world.options.step_seconds;
  const float fall = 0.5f * length(world.options.gravity) * step * step;
  for (std::uint32_t i = 0; i < rim.manifold.point_count; ++i)
    if (rim.highest(rim.manifold.points[i], n) < height - flush_tolerance - fall) return false;
  const float end = reach(world, rim.shape, body, n);
  return math::abs_of(end - height) <= flush_tolerance &&
         is_face(world, floor.shape, body, place_on_other(world, body, floor, *lowest), n);
}

/// Distance beyond the edge of a face at which goes_on() searches for a face that continues the
/// surface, m.
const float beyond_edge = 2 * flush_tolerance;

/// Returns true if the shape has a face at `point` whose normal is nearer to `t` than `m` is.
/// `point` is relative to the body's centre; `t` and `m` are in world axes.
bool goes_on(const WorldState& world, std::uint32_t shape, const Body& body, Vec3 point, Vec3 t,
             Vec3 m) {
  constexpr float nearer = 1e-3f;  // difference of cosines
  const state::Shape& geometry = world.shapes[shape].def.shape;
  const ShapePlace& place = world.places[shape];
  const Vec3 at = local_point(place, body, point), up = transpose_multiply(place.axes, t);
  const float least = dot(m, t) + nearer;
  if (is_surface(geometry.kind)) {
    return std::ranges::any_of(faces_at(geometry, at),
                               [&](Vec3 normal) { return dot(normal, up) > least; });
  }
  if (geometry.kind == state::ShapeKind::Plane)
    return math::abs_of(at.y) <= flush_tolerance && up.y > least;
  const Side side = side_towards(convex_of(geometry), up);
  if (!side.is_face() || dot(side.normal, up) <= least) return false;
  return is_on_face({&side.corners[0], side.count}, side.normal, at);
}

/// Returns the normal, in world axes, of the face at `point` whose direction is nearest to the
/// manifold's normal. Returns zero if `point` lies on no face.
Vec3 face_normal(const WorldState& world, const Body& body, const Rest& rim, Vec3 point) {
  const ShapePlace& place = world.places[rim.shape];
  const Vec3 m = transpose_multiply(place.axes, rim.normal);
  Vec3 best;
  float most = -1;
  for (const Vec3 normal :
       faces_at(world.shapes[rim.shape].def.shape, local_point(place, body, point))) {
    if (dot(normal, m) <= most) continue;
    most = dot(normal, m);
    best = normal;
  }
  return place.axes * best;
}

/// Returns true if the contact normal of a mesh or height field at `at` differs from the face
/// normal there, and the ground continues beyond the edge. `at` is relative to the body's centre.
/// `any_floor` calls a function for the manifolds that may continue the ground, until the function
/// returns true.
template <typename Floors>
bool is_seam(const WorldState& world, const Body& body, const Rest& rim, Vec3 at,
             const Floors& any_floor) {
  const Vec3 m = rim.normal, t = face_normal(world, body, rim, at);
  if (t == Vec3{} || dot(m, t) > flush_cosine) return false;
  const Vec3 outward = normalized_or(m - t * dot(m, t), Vec3{});
  return any_floor([&](const Rest& floor, const Contact&, std::uint32_t) {
    return goes_on(world, floor.shape, body, at + outward * beyond_edge, t, m);
  });
}

bool is_still(const Body& body) {
  return body.motion == MotionType::Static ||
         (body.motion == MotionType::Kinematic && body.linear_velocity == Vec3{} &&
          body.angular_velocity == Vec3{});
}

/// Calls `visit(rest, contact, k)` for the manifolds of the body `index` with `other` and, if
/// `other` is at rest, with all other bodies at rest. Stops and returns true as soon as `visit`
/// returns true.
template <typename Visit>
bool any_floor(const WorldState& world, std::uint32_t index, std::uint32_t other,
               std::uint64_t& comparisons, Visit&& visit) {
  const bool is_other_still = is_still(world.bodies[other]);
  const auto look = [&](std::uint32_t slot) {
    ++comparisons;
    const Contact& contact = world.contacts[slot];
    if (contact.body_a != index && contact.body_b != index) return false;
    const bool is_body_b = contact.body_b == index;
    const std::uint32_t floor = is_body_b ? contact.body_a : contact.body_b;
    if (floor != other && !(is_other_still && is_still(world.bodies[floor]))) return false;
    if (contact.manifold.point_count == 0) return false;
    for (std::uint32_t k = 0; k < manifold_count(contact); ++k)
      if (visit(rest_of(contact, k, is_body_b), contact, k)) return true;
    return false;
  };
  // The contacts of two moving bodies with each other are in the lists of both.
  const bool is_other_shorter =
      !is_other_still && world.bodies[other].contact_count < world.bodies[index].contact_count;
  return any_contact(world, is_other_shorter ? other : index, look);
}

/// Returns true if all contact normals of the body count as equal to each other (flush_cosine), and
/// no contact is with a mesh or height field.
bool has_one_normal(const WorldState& world, std::uint32_t index) {
  // The cosine of about a third of the angle up to which normals count as equal. Any two normals
  // within this angle of the first one therefore count as equal, in spite of rounding.
  const float least = 1.0f - 0.1f * (1.0f - flush_cosine);
  Vec3 first;
  return !any_contact(world, index, [&](std::uint32_t slot) {
    const Contact& contact = world.contacts[slot];
    if (contact.manifold.point_count == 0) return false;
    if (is_surface(world.shapes[contact.shape_a].def.shape.kind) ||
        is_surface(world.shapes[contact.shape_b].def.shape.kind))
      return true;
    const Vec3 normal =
        contact.body_b == index ? contact.manifold.normal : -contact.manifold.normal;
    if (first == Vec3{}) first = normal;
    return !(dot(normal, first) > least);
  });
}

/// Returns true if manifold k of a contact, seen from the other body, comes from the rim of a shape
/// of the body `index`. Such a manifold is no floor of `index`. Two long bodies of many boxes may
/// lie on each other with faces that are almost parallel. Some contacts then have the normal of a
/// face of the one body and the others that of the other body. Without this test, all would be
/// skipped.
bool is_at_rim_of(const WorldState& world, const Contact& contact, std::uint32_t k,
                  std::uint32_t index, std::uint64_t& comparisons) {
  const bool is_other_b = contact.body_b != index;
  const std::uint32_t other = is_other_b ? contact.body_b : contact.body_a;
  const Body& body = world.bodies[other];
  if (!is_dynamic(body)) return false;
  const Rest rim = rest_of(contact, k, is_other_b);
  return any_floor(world, other, index, comparisons,
                   [&](const Rest& floor, const Contact&, std::uint32_t) {
                     return floor.shape != rim.shape && ends_with(world, body, floor, rim);
                   });
}

/// Returns true if the manifold comes from the rim of a shape and the ground continues beyond this
/// rim.
bool is_at_rim(const WorldState& world, std::uint32_t index, std::uint32_t other, const Rest& rim,
               std::uint64_t& comparisons) {
  const Body& body = world.bodies[index];
  const auto floors = [&](auto&& visit) {
    return any_floor(world, index, other, comparisons, visit);
  };
  const state::ShapeKind kind = world.shapes[rim.shape].def.shape.kind;
  if (kind == state::ShapeKind::Plane) return false;
  if (is_convex(kind)) {
    return floors([&](const Rest& floor, const Contact& contact, std::uint32_t k) {
      return floor.shape != rim.shape && ends_with(world, body, floor, rim) &&
             !is_at_rim_of(world, contact, k, index, comparisons);
    });
  }
  // The narrow phase has already handled seams within one surface. Most bodies touch no other
  // shape, and then there is nothing to test.
  const auto is_another = [&](const Rest& floor, const Contact&, std::uint32_t) {
    return floor.shape != rim.shape;
  };
  if (!floors(is_another)) return false;
  for (std::uint32_t i = 0; i < rim.manifold.point_count; ++i) {
    const ManifoldPoint& point = rim.manifold.points[i];
    const Vec3 at = place_on_other(world, body, rim, point);
    if (!is_seam(world, body, rim, at - rim.normal * (0.5f * point.separation), floors) &&
        !is_seam(world, body, rim, at, floors))
      return false;
  }
  return true;
}

/// Returns true if two bodies can have only one contact with each other, and no contact of the
/// first one with a third body can continue the surface of the second one, which moves.
bool have_no_other_floor(const Body& body, const Body& other) {
  return !is_still(other) && body.shapes.size() == 1 && other.shapes.size() == 1;
}

}  // namespace

void find_bodies_with_one_normal(WorldState& world) {
  constexpr std::size_t bodies_per_piece = 512;
  // For bodies with fewer contacts, comparing the contacts is as fast as this search.
  constexpr std::uint32_t many = 5;
  std::vector<std::uint8_t>& found = world.clusters.one_normal;
  found.assign(world.awake_bodies.size(), 0);
  for_each_range(*world.runtime.workers, found.size(), bodies_per_piece, [&](Range range) {
    for (std::size_t i = range.first; i < range.last; ++i) {
      const std::uint32_t body = world.awake_bodies[i];
      if (world.bodies[body].contact_count < many) continue;
      found[i] = has_one_normal(world, body) ? 1 : 0;
    }
  });
}

std::uint32_t flush_manifolds(const WorldState& world, const Contact& contact,
                              std::uint64_t& comparisons) {
  std::uint32_t flush = 0;
  for (const bool is_body_b : {false, true}) {
    const std::uint32_t index = is_body_b ? contact.body_b : contact.body_a;
    const std::uint32_t other = is_body_b ? contact.body_a : contact.body_b;
    const Body& body = world.bodies[index];
    if (!is_dynamic(body) || body.contact_count == 1) continue;
    if (have_no_other_floor(body, world.bodies[other])) continue;
    if (is_active(body) && world.clusters.one_normal[body.awake_place] != 0) continue;
    for (std::uint32_t k = 0; k < manifold_count(contact); ++k)
      if (is_at_rim(world, index, other, rest_of(contact, k, is_body_b), comparisons))
        flush |= 1U << k;
  }
  return flush;
}

}  // namespace jostle::physics
