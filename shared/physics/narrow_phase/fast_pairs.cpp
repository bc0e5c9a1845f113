#include "shared/physics/narrow_phase/fast_pairs.h"

#include "shared/geometry/ray_cast.h"
#include "shared/math/trig.h"
#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/contact_list.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/narrow_phase/collide.h"
#include "shared/physics/narrow_phase/convex_distance.h"
#include "shared/physics/narrow_phase/manifold_update.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace jostle::physics {

using math::Mat3;
using math::Quat;
using math::Vec3;
using state::ShapeKind;

namespace {

// Motions are seen from the centre of mass of body a at the start of the step.

/// The solver turns bodies by Cayley's map, substep by substep, which is a little slower than ω.
Vec3 turn_of(Vec3 angular_velocity, const WorldOptions& options) {
  const float speed = length(angular_velocity);
  if (speed == 0.0f) return {};
  const float h = options.step_seconds / static_cast<float>(options.substeps);
  const float half = 0.5f * h * speed;
  // The series' next term, half⁵/5, is lost in rounding below this.
  constexpr float slow = 0.01f;
  const float angle =
      2.0f * (half < slow ? half - half * half * half / 3.0f : math::atan2(half, 1.0f));
  return angular_velocity * (angle * static_cast<float>(options.substeps) / speed);
}

Vec3 turn_between(Quat from, Quat to) {
  return math::to_rotation_vector(normalized(to * conjugate(from)));
}

MovingShape moving_shape(const Convex& convex, const ShapePlace& place, Vec3 centre,
                         const Motion& motion) {
  return {convex, centre, place.from_centre, place.axes, motion};
}

/// The triangles that a body may meet on its way, and the moment of the first.
std::optional<Impact> first_impact_on_surface(const MovingShape& body, const MovingShape& surface,
                                              const state::Shape& surface_shape, float distance,
                                              SurfaceScratch& scratch) {
  // In the surface's own frame, in which the surface rests: it is static.
  const Vec3 origin = surface.centre + surface.from_centre;
  const Vec3 start = transpose_multiply(surface.axes, body.centre - origin);
  const Vec3 travel = transpose_multiply(surface.axes, body.motion.travel);
  const float reach = body.motion.extent + distance;
  const Vec3 border{reach, reach, reach};
  geometry::find_triangles(surface_shape, min_of(start, start + travel) - border,
                           max_of(start, start + travel) + border, scratch.triangles);
  std::optional<Impact> first;
  for (const geometry::SurfaceTriangle& triangle : scratch.triangles) {
    std::array<Vec3, 3> corners;
    for (std::size_t i = 0; i < 3; ++i)
      corners[i] = surface.axes * (triangle.corners[i] - start);
    const Vec3 normal =
        normalized_or(cross(corners[1] - corners[0], corners[2] - corners[0]), Vec3{});
    // From behind, or going away from it.
    if (dot(normal, corners[0]) >= 0.0f) continue;
    const Convex flat = convex_of_triangle(corners, normal);
    const MovingShape still{flat, body.centre, {}, {}, {}};
    const std::optional<Impact> impact = first_impact(body, still, distance);
    if (impact && (!first || impact->fraction < first->fraction)) first = impact;
  }
  return first;
}

std::optional<Impact> impact_of(const ShapeRecord& shape_a, const MovingShape& a,
                                const ShapeRecord& shape_b, const MovingShape& b, float distance,
                                SurfaceScratch& scratch) {
  if (is_surface(shape_b.def.shape.kind)) {
    return first_impact_on_surface(a, b, shape_b.def.shape, distance, scratch);
  }
  if (is_surface(shape_a.def.shape.kind)) {
    auto impact = first_impact_on_surface(b, a, shape_a.def.shape, distance, scratch);
    if (impact) impact->normal = -impact->normal;
    return impact;
  }
  return first_impact(a, b, distance);
}

/// A point of contact at the impact as the solver wants it at the start of the step: the arms are
/// those of the blow, which they turn the bodies by, and the separation is what the expected motion
/// will use up until then.
void carry_back(const MovingShape& a, const MovingShape& b, float fraction, Manifold& manifold) {
  for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
    ManifoldPoint& point = manifold.points[i];
    const Vec3 path = b.motion.travel + cross(b.motion.turn, point.offset_b) - a.motion.travel -
                      cross(a.motion.turn, point.offset_a);
    point.separation -= fraction * dot(manifold.normal, path);
  }
}

/// How far apart two shapes are along a direction; negative where they overlap along it.
float separation_along(const MovingShape& a, const MovingShape& b, float fraction, Vec3 normal) {
  const auto reach = [&](const MovingShape& moving, Vec3 direction) {
    const MovedShape at = moved(moving, fraction);
    const Vec3 local = transpose_multiply(at.axes, direction);
    return dot(at.centre + at.from_centre, direction) +
           dot(narrowed(support(moving.shape, widened(local))), local) + moving.shape.rounding;
  };
  return -reach(a, normal) - reach(b, -normal);
}

Motion motion_between(const math::Pose& start, const Body& body) {
  return {body.position - start.position, turn_between(start.rotation, body.rotation), body.extent};
}

void put_back(WorldState& world, std::uint32_t index, const math::Pose& start, float fraction) {
  Body& body = world.bodies[index];
  if (!is_dynamic(body) || !is_active(body)) return;
  const Motion motion = motion_between(start, body);
  const float angle = length(motion.turn);
  body.position = start.position + motion.travel * fraction;
  if (angle > 0.0f) {
    body.rotation =
        normalized(math::from_axis_angle(motion.turn / angle, angle * fraction) * start.rotation);
  }
  // The momentum is the body's; its angular velocity follows from the new orientation.
  body.angular_velocity =
      world_tensor(body.inverse_inertia_local, body.rotation) * body.angular_momentum;
  refresh_proxies(world, index);
  forget_points_of_body(world, index);
}

/// How deep a pair must be in each other to have passed, as a share of the thinner shape. What is
/// put back alone is torn from its joints: a jointed body must be through all of what it met, and
/// among bodies that can move it is left to the contacts to come.
std::optional<float> passing_share(const Body& a, const Body& b) {
  const bool is_jointed = a.first_joint_edge != no_index || b.first_joint_edge != no_index;
  if (!is_jointed) return 0.5f;
  if (is_dynamic(a) && is_dynamic(b)) return std::nullopt;
  return 1.0f;
}

/// No point of a body has turned farther than this: the angle is 2·asin(x) ≤ π·x, x = √(1 − cos²).
float turned_at_most(const math::Pose& start, const Body& body) {
  const float cosine = dot(start.rotation, body.rotation);
  constexpr float spare = 1e-6f;  // for rounding
  const float squared = math::max_of(1.0f - cosine * cosine, 0.0f) + spare;
  return math::pi * std::sqrt(squared) * body.extent;
}

/// Whether a pair has not passed for certain, by how far the two have gone and how near they came.
bool cannot_have_passed(const WorldState& world, const FastPair& pair, float through,
                        float distance) {
  const Body& a = world.bodies[world.shapes[pair.shape_a].body.index];
  const Body& b = world.bodies[world.shapes[pair.shape_b].body.index];
  const Vec3 travel = (b.position - pair.start_b.position) - (a.position - pair.start_a.position);
  // From apart to so deep in each other they must have gone at least as far.
  const float gone =
      length(travel) + turned_at_most(pair.start_a, a) + turned_at_most(pair.start_b, b);
  return gone < through || points_stay_apart(pair.start_b.position - pair.start_a.position, travel,
                                             a.extent + b.extent + distance);
}

/// A point of the shape that is inside of it, in the surface's own frame.
Vec3 inner_point(const MovingShape& body, const MovingShape& surface, float fraction) {
  const MovedShape at = moved(body, fraction);
  const Vec3 middle =
      narrowed((support(body.shape, {0, 1, 0}) + support(body.shape, {0, -1, 0})) * 0.5);
  return transpose_multiply(surface.axes, at.centre + at.from_centre + at.axes * middle -
                                              surface.centre - surface.from_centre);
}

/// The share of the step after which a body met a mesh or height field and then passed with its
/// middle: these have one side, and do not push back what lies more than half behind it.
std::optional<float> passed_surface_at(const MovingShape& body, const MovingShape& surface,
                                       const state::Shape& surface_shape, float distance,
                                       SurfaceScratch& scratch) {
  const Vec3 start = inner_point(body, surface, 0), end = inner_point(body, surface, 1);
  if (!geometry::cast_ray(surface_shape, start, end - start)) return std::nullopt;
  const auto impact = first_impact_on_surface(body, surface, surface_shape, distance, scratch);
  return impact ? impact->fraction : 0.0f;  // touched from the start
}

/// A shape and the way of its body in the step, seen from `origin`.
MovingShape motion_of(const WorldState& world, std::uint32_t shape_index, const Convex& convex,
                      const math::Pose& start, math::Position origin) {
  const ShapeRecord& shape = world.shapes[shape_index];
  const Body& body = world.bodies[shape.body.index];
  return {convex, start.position - origin,
          rotate(start.rotation, shape.def.local.offset - body.local_centre),
          to_matrix(start.rotation * shape.def.local.rotation), motion_between(start, body)};
}

/// The share of the step after which a pair met and then passed, by where it really went.
std::optional<float> passed_at(const WorldState& world, const FastPair& pair,
                               SurfaceScratch& scratch) {
  const ShapeRecord &shape_a = world.shapes[pair.shape_a], &shape_b = world.shapes[pair.shape_b];
  const std::optional<float> share =
      passing_share(world.bodies[shape_a.body.index], world.bodies[shape_b.body.index]);
  if (!share) return std::nullopt;
  const ShapePlace &place_a = world.places[pair.shape_a], &place_b = world.places[pair.shape_b];
  const float through = *share * math::min_of(place_a.thickness, place_b.thickness);
  const float distance = impact_distance(place_a, place_b);
  if (cannot_have_passed(world, pair, through, distance)) return std::nullopt;
  const state::Shape &geometry_a = shape_a.def.shape, &geometry_b = shape_b.def.shape;
  const Convex convex_a = convex_of(geometry_a), convex_b = convex_of(geometry_b);
  const math::Position origin = pair.start_a.position;
  const MovingShape a = motion_of(world, pair.shape_a, convex_a, pair.start_a, origin);
  const MovingShape b = motion_of(world, pair.shape_b, convex_b, pair.start_b, origin);
  if (stay_apart(a, b, distance)) return std::nullopt;
  if (is_surface(geometry_a.kind)) return passed_surface_at(b, a, geometry_a, distance, scratch);
  if (is_surface(geometry_b.kind)) return passed_surface_at(a, b, geometry_b, distance, scratch);
  const auto impact = first_impact(a, b, distance);
  if (!impact) return std::nullopt;
  if (separation_along(a, b, 1.0f, impact->normal) > -through) return std::nullopt;
  return impact->fraction;
}

}  // namespace

float thickness_of(const state::Shape& shape) {
  return is_surface(shape.kind) || shape.kind == ShapeKind::Plane ? max_local_offset
                                                                  : smallest_size(convex_of(shape));
}

float impact_distance(const ShapePlace& a, const ShapePlace& b) {
  constexpr float share = 0.05f;
  return math::min_of(0.1f * touch_distance, share * math::min_of(a.thickness, b.thickness));
}

Motion expected_motion(const WorldOptions& options, const Body& body) {
  if (!is_active(body)) return {{}, {}, body.extent};
  const float dt = options.step_seconds;
  if (body.target_state == TargetState::Pending) {
    const math::Pose target = target_of(body);
    return {transform_point(target, body.local_centre) - body.position,
            turn_between(body.rotation, target.rotation), body.extent};
  }
  Vec3 travel = body.linear_velocity * dt;
  if (is_dynamic(body)) travel += options.gravity * (0.5f * body.gravity_scale * dt * dt);
  return {travel, turn_of(body.angular_velocity, options), body.extent};
}

float approach_reach(const ShapePlace& a, const ShapePlace& b) {
  return length(b.travel - a.travel) + a.turn_reach + b.turn_reach;
}

void collide_fast(const WorldState& world, const FastPair& pair, const Placing& now, Vec3 axis,
                  SurfaceScratch& scratch, Contact& fresh) {
  const ShapeRecord &shape_a = world.shapes[pair.shape_a], &shape_b = world.shapes[pair.shape_b];
  const ShapePlace &place_a = world.places[pair.shape_a], &place_b = world.places[pair.shape_b];
  const float distance = impact_distance(place_a, place_b);
  const Convex convex_a = convex_of(shape_a.def.shape), convex_b = convex_of(shape_b.def.shape);
  const MovingShape a = moving_shape(
      convex_a, place_a, {}, expected_motion(world.options, world.bodies[shape_a.body.index]));
  const MovingShape b =
      moving_shape(convex_b, place_b, now.between,
                   expected_motion(world.options, world.bodies[shape_b.body.index]));
  // What will not meet within the step needs no contact ahead of touching.
  const float margin = 2 * distance;
  if (stay_apart(a, b, margin)) return;
  const auto impact = impact_of(shape_a, a, shape_b, b, distance, scratch);
  if (impact) {
    const MovedShape at_a = moved(a, impact->fraction), at_b = moved(b, impact->fraction);
    const Vec3 between = at_b.centre - at_a.centre;
    const Placing placing{{shape_a.def.shape, at_a.axes},
                          {shape_b.def.shape, at_b.axes},
                          at_a.from_centre,
                          between,
                          between + at_b.from_centre - at_a.from_centre};
    // What the impact stops at one end it may throw down at the other within the step.
    const float rest = (1.0f - impact->fraction) * approach_reach(place_a, place_b);
    find_manifolds(placing, math::max_of(speculative_distance, 2.0f * rest), impact->normal,
                   scratch, fresh);
    for (std::uint32_t k = 0; k < manifold_count(fresh); ++k)
      carry_back(a, b, impact->fraction, manifold_at(fresh, k));
    if (fresh.manifold.point_count > 0) return;
  }
  find_manifolds(now, margin, axis, scratch, fresh);
  // What touches at one end may come down at the other.
  if (fresh.manifold.point_count == 0) return;
  find_manifolds(now, speculative_distance + approach_reach(place_a, place_b), axis, scratch,
                 fresh);
}

void stop_at_impacts(WorldState& world) {
  // First all moments, then all moves: no pair sees what another has changed.
  struct Stop {
    std::uint32_t body = 0;
    float fraction = 0;
    math::Pose start;
  };
  std::vector<Stop> stops;
  const auto look = [&](std::uint32_t, Range range) {
    SurfaceScratch scratch;
    for (std::size_t i = range.first; i < range.last; ++i)
      world.fast_pairs[i].passed_at = passed_at(world, world.fast_pairs[i], scratch);
  };
  const auto take = [&](std::uint32_t, Range range) {
    for (std::size_t i = range.first; i < range.last; ++i) {
      const FastPair& pair = world.fast_pairs[i];
      if (!pair.passed_at) continue;
      stops.push_back({world.shapes[pair.shape_a].body.index, *pair.passed_at, pair.start_a});
      stops.push_back({world.shapes[pair.shape_b].body.index, *pair.passed_at, pair.start_b});
    }
  };
  constexpr std::size_t pairs_per_piece = 16, pieces_per_batch = 1024;
  for_each_piece(*world.runtime.workers, world.fast_pairs.size(), pairs_per_piece, pieces_per_batch,
                 look, take);
  std::sort(stops.begin(), stops.end(), [](const Stop& x, const Stop& y) {
    return x.body != y.body ? x.body < y.body : x.fraction < y.fraction;
  });
  for (std::size_t i = 0; i < stops.size(); ++i) {
    if (i > 0 && stops[i].body == stops[i - 1].body) continue;
    put_back(world, stops[i].body, stops[i].start, stops[i].fraction);
  }
  world.fast_pairs.clear();
}

}  // namespace jostle::physics
