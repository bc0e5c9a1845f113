#include "shared/physics/continuous/fast_pairs.h"

#include "shared/geometry/ray_cast.h"
#include "shared/math/trig.h"
#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/collision/collide.h"
#include "shared/physics/collision/convex_distance.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/contacts/manifold_update.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/detail/world_state.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace jostle::physics {

using math::Mat3;
using math::Quat;
using math::Vec3;
using state::ShapeKind;

namespace {

// In this file, positions are relative to the centre of mass of body a at the start of the step.

MovingShape moving_shape(const Convex& convex, const ShapePlace& place, Vec3 centre,
                         const Motion& motion) {
  return {convex,     centre, place.from_centre,
          place.axes, motion, length(place.from_centre) + place.core_radius};
}

/// Returns the first impact of a pair. `axis` is as for first_impact; it is not changed if a shape
/// is a mesh or height field. `along` is the separation along it, if known.
std::optional<Impact> impact_of(const ShapeRecord& shape_a, const MovingShape& a,
                                const ShapeRecord& shape_b, const MovingShape& b, float distance,
                                SurfaceScratch& scratch, Vec3& axis,
                                std::optional<AxisSeparation>& along) {
  if (is_surface(shape_b.def.shape.kind)) {
    return first_impact_on_surface(a, b, shape_b.def.shape, distance, scratch);
  }
  if (is_surface(shape_a.def.shape.kind)) {
    auto impact = first_impact_on_surface(b, a, shape_a.def.shape, distance, scratch);
    if (impact) impact->normal = -impact->normal;
    return impact;
  }
  return along ? first_impact(a, b, distance, axis, *along) : first_impact(a, b, distance, axis);
}

/// Converts the separations of contact points at the time of impact to those at the start of the
/// step. Each separation grows by the approach of the expected motion until the impact. The lever
/// arms are those of the impact, because they determine how the impact rotates the bodies. They end
/// in the middle of the gap, as those of all points do (find_centre in
/// solver/kernels/prepare_contacts_kernel.h).
void carry_back(const MovingShape& a, const MovingShape& b, float fraction, Manifold& manifold) {
  for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
    ManifoldPoint& point = manifold.points[i];
    const Vec3 path = b.motion.travel + cross(b.motion.turn, point.offset_b) - a.motion.travel -
                      cross(a.motion.turn, point.offset_a);
    const float gap = -fraction * dot(manifold.normal, path);
    point.separation += gap;
    point.offset_a += manifold.normal * (0.5f * gap);
    point.offset_b -= manifold.normal * (0.5f * gap);
  }
}

/// Adds the manifolds of `met` whose normals differ by more than 26° from all those of `contact`.
void add_directions(const Contact& met, Contact& contact) {
  constexpr float other_direction = 0.9f;
  for (std::uint32_t k = 0; k < manifold_count(met); ++k) {
    const Manifold& manifold = manifold_at(met, k);
    bool is_new = manifold.point_count > 0;
    for (std::uint32_t i = 0; i < manifold_count(contact) && is_new; ++i)
      is_new = dot(manifold_at(contact, i).normal, manifold.normal) < other_direction;
    if (is_new && manifold_count(contact) < max_manifolds) contact.more.push_back(manifold);
  }
}

/// The bounds of the space that a shape moves through, in the frame of a surface.
struct SweptBounds {
  Vec3 lower, upper;
};

SweptBounds swept_bounds(const MovingShape& body, const MovingShape& surface) {
  const Vec3 origin = surface.centre + surface.from_centre;
  const auto reach = [&](Vec3 direction) {
    // Rotation takes a point off its chord by at most angle²/8 of its distance from the axis.
    const float bulge = 0.125f * length_squared(body.motion.turn) * body.extent;
    return math::max_of(reach_along(body, 0, direction), reach_along(body, 1, direction)) + bulge -
           dot(origin, direction);
  };
  const Mat3& axes = surface.axes;
  return {{-reach(-axes.cx), -reach(-axes.cy), -reach(-axes.cz)},
          {reach(axes.cx), reach(axes.cy), reach(axes.cz)}};
}

}  // namespace

math::Vec3 turn_between(Quat from, Quat to) {
  return math::to_rotation_vector(normalized(to * conjugate(from)));
}

std::optional<Impact> first_impact_on_surface(const MovingShape& body, const MovingShape& surface,
                                              const state::Shape& surface_shape, float distance,
                                              SurfaceScratch& scratch) {
  // A surface is static, so its motion is ignored.
  const Vec3 origin = surface.centre + surface.from_centre;
  const Vec3 start = transpose_multiply(surface.axes, body.centre - origin);
  const SweptBounds swept = swept_bounds(body, surface);
  const Vec3 border{distance, distance, distance};
  geometry::find_triangles(surface_shape, swept.lower - border, swept.upper + border,
                           scratch.triangles);
  scratch.examined_triangles += scratch.triangles.size();
  std::optional<Impact> first;
  for (const geometry::SurfaceTriangle& triangle : scratch.triangles) {
    std::array<Vec3, 3> corners;
    for (std::size_t i = 0; i < 3; ++i)
      corners[i] = surface.axes * (triangle.corners[i] - start);
    const Vec3 normal =
        normalized_or(cross(corners[1] - corners[0], corners[2] - corners[0]), Vec3{});
    // Ignore triangles that the body's centre lies behind at the start.
    if (dot(normal, corners[0]) >= 0.0f) continue;
    const Convex flat = convex_of_triangle(corners, normal);
    const MovingShape still{flat, body.centre, {}, {}, {}, 0};
    Vec3 axis = -normal;
    const auto impact = first_impact(body, still, distance, axis, first ? first->fraction : 1.0f);
    if (impact) first = impact;
  }
  return first;
}

float thickness_of(const state::Shape& shape) {
  return is_surface(shape.kind) || shape.kind == ShapeKind::Plane ? max_local_offset
                                                                  : smallest_size(convex_of(shape));
}

float impact_distance(const ShapePlace& a, const ShapePlace& b) {
  constexpr float share = 0.05f;
  return math::min_of(0.1f * touch_distance, share * math::min_of(a.thickness, b.thickness));
}

Motion expected_motion(const WorldOptions& options, const Body& body) {
  if (!is_active(body)) return {};
  const float dt = options.step_seconds;
  if (body.target_state == TargetState::Pending) {
    const math::Pose target = target_of(body);
    return {transform_point(target, body.local_centre) - body.position,
            turn_between(body.rotation, target.rotation)};
  }
  Vec3 travel = body.linear_velocity * dt;
  if (is_dynamic(body)) travel += options.gravity * (0.5f * body.gravity_scale * dt * dt);
  return {travel, body.angular_velocity * dt};
}

float approach_reach(const ShapePlace& a, const ShapePlace& b) {
  return length(b.travel - a.travel) + a.turn_reach + b.turn_reach;
}

void collide_fast(const WorldState& world, const Placing& now, Vec3 axis, SurfaceScratch& scratch,
                  FastPair& pair, Contact& fresh) {
  const ShapeRecord &shape_a = world.shapes[pair.shape_a], &shape_b = world.shapes[pair.shape_b];
  const ShapePlace &place_a = world.places[pair.shape_a], &place_b = world.places[pair.shape_b];
  const float distance = impact_distance(place_a, place_b);
  const Convex convex_a = convex_of(shape_a.def.shape), convex_b = convex_of(shape_b.def.shape);
  const MovingShape a = moving_shape(
      convex_a, place_a, {}, expected_motion(world.options, world.bodies[shape_a.body.index]));
  const MovingShape b =
      moving_shape(convex_b, place_b, now.between,
                   expected_motion(world.options, world.bodies[shape_b.body.index]));
  // Shapes that will not hit each other within the step need no contact yet.
  const float margin = 2 * distance;
  if (stay_apart(a, b, margin)) {
    fresh.manifold.normal = axis;
    return;
  }
  // A body that touches at one end may come down at the other, so the margin covers the whole
  // motion. The pair gets a contact only if it touches now.
  const auto touch = [&] {
    find_manifolds(now, speculative_distance + approach_reach(place_a, place_b), axis, scratch,
                   fresh);
    pair.axis = fresh.manifold.normal;
    pair.is_touching = is_near(fresh, margin);
    if (pair.is_touching) return true;
    fresh.manifold.point_count = 0;
    fresh.more.clear();
    return false;
  };
  // A mesh or height field has no separation along an axis.
  const bool are_convex =
      !is_surface(shape_a.def.shape.kind) && !is_surface(shape_b.def.shape.kind);
  std::optional<AxisSeparation> along;
  if (are_convex && axis != Vec3{}) along.emplace(a, b, axis);
  // A ball that runs on a surface needs the facets that carry it until the impact. Of the impact it
  // takes only the directions in which none of these facets pushes.
  const bool is_ball = convex_a.kind == ConvexKind::Point || convex_b.kind == ConvexKind::Point;
  const bool may_touch = are_convex ? along && along->at(0) <= margin : is_ball;
  const bool runs = may_touch && touch();
  if (runs && are_convex) return;
  Vec3 apart = axis;
  ++scratch.impact_searches;
  const auto impact = impact_of(shape_a, a, shape_b, b, distance, scratch, apart, along);
  if (impact) {
    const MovedShape at_a = moved(a, impact->fraction), at_b = moved(b, impact->fraction);
    const Vec3 between = at_b.centre - at_a.centre;
    const Placing placing{{shape_a.def.shape, at_a.axes},
                          {shape_b.def.shape, at_b.axes},
                          at_a.from_centre,
                          between,
                          between + at_b.from_centre - at_a.from_centre,
                          (b.motion.travel - a.motion.travel) * (1.0f - impact->fraction)};
    // The impact may stop a body at one end and swing its other end down within the step, so the
    // margin covers the rest of the motion.
    const float rest = (1.0f - impact->fraction) * approach_reach(place_a, place_b);
    Contact met;
    Contact& found = runs ? met : fresh;
    find_manifolds(placing, math::max_of(speculative_distance, 2.0f * rest), impact->normal,
                   scratch, found);
    for (std::uint32_t k = 0; k < manifold_count(found); ++k)
      carry_back(a, b, impact->fraction, manifold_at(found, k));
    if (runs) return add_directions(met, fresh);
    pair.axis = fresh.manifold.normal;
    if (fresh.manifold.point_count > 0) {
      if (are_convex) pair.separation = AxisSeparation(a, b, pair.axis).at(0);
      return;
    }
  } else if (are_convex && apart != Vec3{}) {
    const float separation = AxisSeparation(a, b, apart).at(0);
    if (separation > margin) {
      fresh.manifold.normal = pair.axis = apart;
      pair.separation = separation;
      return;
    }
  }
  if (!may_touch) touch();
}

}  // namespace jostle::physics
