#include "shared/physics/continuous/stop_at_impacts.h"

#include "shared/geometry/bounds.h"
#include "shared/geometry/ray_cast.h"
#include "shared/math/trig.h"
#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/broad_phase/pair_list.h"
#include "shared/physics/broad_phase/shape_bounds.h"
#include "shared/physics/collision/convex.h"
#include "shared/physics/collision/surface_scratch.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/continuous/fast_pairs.h"
#include "shared/physics/continuous/put_back.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/count_work.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/world/body_state.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jostle::physics {

using math::Vec3;

namespace {

Motion motion_from(const WorldState& world, const math::Pose& start, const Body& body) {
  return {body.position - start.position, turn_of_step(world, start, body)};
}

/// Returns the overlap at the end of the step from which two shapes count as having passed through
/// each other, as a share of the thickness of the thinner shape (thickness_of). Without joints the
/// share is a half. Returns nothing if the pair is not tested.
///
/// If one of the bodies is jointed, all bodies that are joined to it are moved back, too. The
/// overlap must then be a whole thickness: the middle of the thinner shape is at the surface of the
/// other. A pair of dynamic bodies with a jointed one is not tested; contacts of later steps
/// separate the pair.
std::optional<float> passing_share(const Body& a, const Body& b) {
  const bool is_jointed = a.first_joint_edge != no_index || b.first_joint_edge != no_index;
  if (!is_jointed) return 0.5f;
  if (is_dynamic(a) && is_dynamic(b)) return std::nullopt;
  return 1.0f;
}

bool was_solved(const WorldState& world, const Body& body) {
  return is_active(body) && body.awake_place < world.starts.size();
}

/// Returns true if a body has turned so far in the step that its poses at the start and at the end
/// may not tell the direction and number of its turns.
bool has_turned_far(const WorldState& world, const Body& body) {
  constexpr float far = 0.8f * math::pi;
  return was_solved(world, body) && length_squared(world.turns[body.awake_place]) > far * far;
}

/// Returns an upper bound for the length of the path, in m, along which rotation has moved any
/// point of a body. Up to half a turn the angle is 2·asin(x) ≤ π·x, where x = √(1 − cos²) and cos
/// is the cosine of half the angle.
float turned_at_most(const WorldState& world, const math::Pose& start, const Body& body) {
  if (has_turned_far(world, body)) return length(turn_of_step(world, start, body)) * body.extent;
  const float cosine = dot(start.rotation, body.rotation);
  constexpr float spare = 1e-6f;  // margin for rounding errors
  const float squared = math::max_of(1.0f - cosine * cosine, 0.0f) + spare;
  return math::pi * std::sqrt(squared) * body.extent;
}

/// Returns true if two shapes certainly have not passed through each other: they have moved by less
/// than `through` relative to each other, have never come as near as `distance`, or have never
/// overlapped by `through` along the pair's axis.
bool cannot_have_passed(const WorldState& world, const FastPair& pair, float through,
                        float distance) {
  const Body& a = world.bodies[world.shapes[pair.shape_a].body.index];
  const Body& b = world.bodies[world.shapes[pair.shape_b].body.index];
  const Vec3 travel = (b.position - pair.start_b.position) - (a.position - pair.start_a.position);
  // If the pair was apart and now overlaps by `through`, it has moved at least that far.
  const float turned =
      turned_at_most(world, pair.start_a, a) + turned_at_most(world, pair.start_b, b);
  if (length(travel) + turned < through) return true;
  const float along = math::min_of(dot(pair.axis, travel), 0.0f);
  return pair.separation + along - turned > -through ||
         points_stay_apart(pair.start_b.position - pair.start_a.position, travel,
                           a.extent + b.extent + distance);
}

/// Returns how far a shape reaches along the unit vector `direction` at the end of the step, from
/// `origin`.
float reach_at_end(const WorldState& world, std::uint32_t shape_index, math::Position origin,
                   Vec3 direction) {
  const ShapeRecord& shape = world.shapes[shape_index];
  const Body& body = world.bodies[shape.body.index];
  const Convex convex = convex_of(shape.def.shape);
  const Vec3 from_centre = shape.def.local.offset - body.local_centre;
  const Vec3 seen = inverse_rotate(body.rotation, direction);
  return dot(body.position - origin, direction) + dot(from_centre, seen) +
         support_value(convex, inverse_rotate(shape.def.local.rotation, seen)) + convex.rounding;
}

/// Returns true if two convex shapes overlap by less than `depth` along the pair's axis at the end
/// of the step. They are then still on the same sides of each other (stay_on_their_sides).
bool end_on_their_sides(const WorldState& world, const FastPair& pair, float depth) {
  const math::Position origin = pair.start_a.position;
  return reach_at_end(world, pair.shape_a, origin, pair.axis) +
             reach_at_end(world, pair.shape_b, origin, -pair.axis) <
         depth;
}

/// Returns a point inside the shape, in the frame of the shape.
Vec3 middle_of(const Convex& convex) {
  if (convex.kind != ConvexKind::Hull) return {};
  Vec3 sum;
  for (const Vec3 vertex : convex.hull->vertices)
    sum += vertex;
  return sum / static_cast<float>(convex.hull->vertices.size());
}

/// Returns the middle of a shape at a share of the step, in the frame of another shape.
Vec3 middle_at(const MovingShape& body, const MovingShape& other, float fraction) {
  const MovedShape at = moved(body, fraction), frame = moved(other, fraction);
  return transpose_multiply(frame.axes, at.centre + at.from_centre +
                                            at.axes * middle_of(body.shape) - frame.centre -
                                            frame.from_centre);
}

/// Returns the time, as a share of the step, at which a body hit a mesh or height field that its
/// middle has then passed. Returns nothing if its middle has not passed the surface. Triangles push
/// from the front only, so contacts would not push back a body that lies far behind them.
std::optional<float> passed_surface_at(const MovingShape& body, const MovingShape& surface,
                                       const state::Shape& surface_shape, float distance,
                                       SurfaceScratch& scratch) {
  const Vec3 start = middle_at(body, surface, 0), end = middle_at(body, surface, 1);
  if (!geometry::cast_ray(surface_shape, start, end - start)) return std::nullopt;
  const auto impact = first_impact_on_surface(body, surface, surface_shape, distance, scratch);
  return impact ? impact->fraction : 0.0f;  // touched from the start
}

/// Returns true if the body is kinematic and may have moved in the step.
bool is_pushing(const Body& body) {
  return body.motion == MotionType::Kinematic && is_active(body);
}

/// Returns true if the straight path of the middle of `body` goes through the other shape, in the
/// frame of the other shape.
bool middle_passes(const MovingShape& body, const MovingShape& other, const state::Shape& shape) {
  const Vec3 start = middle_at(body, other, 0), end = middle_at(body, other, 1);
  return geometry::cast_ray(shape, start, end - start).has_value();
}

/// Returns a shape and the motion of its body in the step, relative to `origin`.
MovingShape motion_of(const WorldState& world, std::uint32_t shape_index, const Convex& convex,
                      const math::Pose& start, math::Position origin) {
  const ShapeRecord& shape = world.shapes[shape_index];
  const Body& body = world.bodies[shape.body.index];
  return {convex,
          start.position - origin,
          rotate(start.rotation, shape.def.local.offset - body.local_centre),
          to_matrix(start.rotation * shape.def.local.rotation),
          motion_from(world, start, body),
          length(world.places[shape_index].from_centre) + world.places[shape_index].core_radius};
}

/// Returns true if, at the end of the step, the shapes touch (`touch_distance`), overlap by less
/// than `flush_tolerance`, and have a contact normal that does not oppose `met`, the normal at the
/// impact. The body has then passed the edge that it hit and lies on a face, for example after it
/// has slid over a seam of a floor. Contacts can support it on this face.
bool has_come_to_lie(const state::Shape& geometry_a, const MovingShape& a,
                     const state::Shape& geometry_b, const MovingShape& b, Vec3 met) {
  constexpr float behind = -0.1f;  // cosine
  const MovedShape end_a = moved(a, 1), end_b = moved(b, 1);
  const Vec3 offset = end_b.centre + end_b.from_centre - (end_a.centre + end_a.from_centre);
  const Collision end =
      collide({geometry_a, end_a.axes}, {geometry_b, end_b.axes}, offset, touch_distance, {});
  float deepest = 0;
  for (std::uint32_t i = 0; i < end.point_count; ++i)
    deepest = math::min_of(deepest, end.points[i].separation);
  return end.point_count > 0 && deepest > -flush_tolerance && dot(end.normal, met) > behind;
}

/// Returns true if two shapes are still on the same sides of each other at the end of the step as
/// at the start, and overlap by less than `depth`. `axis` points from a to b at the start. Shapes
/// that have passed through each other face each other the other way round.
bool stay_on_their_sides(const MovingShape& a, const MovingShape& b, Vec3 axis, float depth) {
  constexpr float same_side = 0.5f;  // cosine
  // If the shapes are apart after b is moved by `depth`, they overlap by less than `depth` without
  // this move.
  MovingShape apart = b;
  apart.centre += axis * depth;
  const std::optional<Vec3> end_axis = separating_axis_at(a, apart, 1, axis);
  return end_axis && dot(*end_axis, axis) > same_side;
}

/// Returns the time, as a share of the step, at which two shapes hit each other before they passed
/// through each other, along their actual motions. Returns nothing if they have not passed.
std::optional<float> passed_at(const WorldState& world, const FastPair& pair,
                               SurfaceScratch& scratch) {
  const ShapeRecord &shape_a = world.shapes[pair.shape_a], &shape_b = world.shapes[pair.shape_b];
  const Body &body_a = world.bodies[shape_a.body.index], &body_b = world.bodies[shape_b.body.index];
  const std::optional<float> share = passing_share(body_a, body_b);
  if (!share) return std::nullopt;
  const bool is_driven = is_pushing(body_a) || is_pushing(body_b);
  const state::Shape &geometry_a = shape_a.def.shape, &geometry_b = shape_b.def.shape;
  const bool has_surface = is_surface(geometry_a.kind) || is_surface(geometry_b.kind);
  // If a pair touched at the start, its contact points keep the shapes from passing, unless a
  // kinematic body pushes.
  if (pair.is_touching && !has_surface && !is_driven) return std::nullopt;
  const ShapePlace &place_a = world.places[pair.shape_a], &place_b = world.places[pair.shape_b];
  const float through = *share * math::min_of(place_a.thickness, place_b.thickness);
  const float distance = impact_distance(place_a, place_b);
  if (!pair.is_half_through && cannot_have_passed(world, pair, through, distance))
    return std::nullopt;
  if (!has_surface && pair.axis != Vec3{} && end_on_their_sides(world, pair, through))
    return std::nullopt;
  const Convex convex_a = convex_of(geometry_a), convex_b = convex_of(geometry_b);
  const math::Position origin = pair.start_a.position;
  const MovingShape a = motion_of(world, pair.shape_a, convex_a, pair.start_a, origin);
  const MovingShape b = motion_of(world, pair.shape_b, convex_b, pair.start_b, origin);
  if (stay_apart(a, b, distance)) return std::nullopt;
  ++scratch.impact_searches;
  if (is_surface(geometry_a.kind)) return passed_surface_at(b, a, geometry_a, distance, scratch);
  if (is_surface(geometry_b.kind)) return passed_surface_at(a, b, geometry_b, distance, scratch);
  Vec3 axis = pair.axis;
  if (axis != Vec3{} && stay_on_their_sides(a, b, axis, through)) return std::nullopt;
  // A dynamic body does not count as a floor for another one.
  const bool is_floor = !is_dynamic(body_a) || !is_dynamic(body_b);
  const auto impact = first_impact(a, b, distance, axis);
  if (!impact) {
    // A kinematic body may push its way through a body that it touched at the start. If the two did
    // not touch at the start, first_impact has found that `axis` separates them; the margin is for
    // rounding.
    constexpr float margin = 0.8f;
    const bool touched = is_driven && AxisSeparation(a, b, axis).at(0) < margin * aim_of(distance);
    const bool has_passed =
        touched && (middle_passes(a, b, geometry_b) || middle_passes(b, a, geometry_a));
    return has_passed ? std::optional(0.0f) : std::nullopt;
  }
  const Vec3 normal = normal_at(a, b, impact->fraction, impact->normal);
  if (AxisSeparation(a, b, normal).at(1) > -through) return std::nullopt;
  if (is_floor && has_come_to_lie(geometry_a, a, geometry_b, b, normal)) return std::nullopt;
  return impact->fraction;
}

void add_pair(WorldState& world, std::uint32_t a, std::uint32_t b, bool is_half_through) {
  const Body& body_a = world.bodies[world.shapes[a].body.index];
  const Body& body_b = world.bodies[world.shapes[b].body.index];
  world.fast_pairs.push_back({a, b, start_of_step(world, body_a), start_of_step(world, body_b)});
  world.fast_pairs.back().is_half_through = is_half_through;
}

/// Returns the bounds of the space that the shape has moved through in the step.
math::Aabb swept_box(const WorldState& world, const Body& body, const ShapeRecord& shape) {
  const math::Aabb end = geometry::bounds(shape.def.shape, shape_pose(body, shape));
  const math::Pose start = start_of_step(world, body);
  const Vec3 back = start.position - body.position;
  const float turned = turned_at_most(world, start, body);
  return expanded(united(end, {end.lower + back, end.upper + back}), turned);
}

/// Adds pairs of a thrown body with the meshes and height fields with which it has contacts.
void add_surfaces(WorldState& world, std::uint32_t body) {
  for_each_contact(world, body, [&](std::uint32_t index) {
    const Contact& contact = world.contacts[index];
    if (is_surface(world.shapes[contact.shape_a].def.shape.kind) ||
        is_surface(world.shapes[contact.shape_b].def.shape.kind))
      add_pair(world, contact.shape_a, contact.shape_b, true);
  });
}

/// Adds pairs of a thrown body with everything that it may have passed, because the fast pairs of
/// this step were chosen before the solver moved it so far.
void add_passed(WorldState& world, std::uint32_t body_index) {
  const Body& body = world.bodies[body_index];
  for (const ShapeHandle handle : body.shapes) {
    const std::uint32_t shape = handle.index;
    if (world.shapes[shape].def.is_sensor) continue;
    const auto add = [&](std::uint32_t other) {
      if (world.bounds[other].body == body_index || !can_pair(world, shape, other)) return;
      add_pair(world, std::min(shape, other), std::max(shape, other), false);
    };
    const math::Aabb box = swept_box(world, body, world.shapes[shape]);
    world.moving_tree.query(box, add);
    world.static_tree.query(box, add);
  }
}

bool is_before(const FastPair& a, const FastPair& b) {
  return std::pair(a.shape_a, a.shape_b) < std::pair(b.shape_a, b.shape_b);
}

/// Removes duplicates from the fast pairs after the first `known` ones: pairs that are among the
/// first ones, and pairs that occur several times.
void merge_pairs(std::vector<FastPair>& pairs, std::size_t known) {
  if (pairs.size() == known) return;
  const auto middle = pairs.begin() + static_cast<std::ptrdiff_t>(known);
  std::sort(pairs.begin(), middle, is_before);
  std::stable_sort(middle, pairs.end(), is_before);
  std::size_t kept = known;
  for (std::size_t i = known; i < pairs.size(); ++i) {
    const FastPair& pair = pairs[i];
    const auto listed = std::lower_bound(pairs.begin(), middle, pair, is_before);
    const bool is_listed = listed != middle && !is_before(pair, *listed);
    const bool is_double = kept > known && !is_before(pairs[kept - 1], pair);
    FastPair* const first = is_listed ? &*listed : is_double ? &pairs[kept - 1] : nullptr;
    if (first != nullptr) {
      first->is_half_through |= pair.is_half_through;
    } else {
      pairs[kept++] = pair;
    }
  }
  pairs.resize(kept);
}

void add_pairs_of_thrown(WorldState& world) {
  const std::size_t known = world.fast_pairs.size();
  for (const ThrownBody& thrown : world.thrown) {
    add_surfaces(world, thrown.body);
    if (thrown.how == Throw::Far) add_passed(world, thrown.body);
  }
  merge_pairs(world.fast_pairs, known);
}

}  // namespace

math::Pose start_of_step(const WorldState& world, const Body& body) {
  return was_solved(world, body) ? world.starts[body.awake_place]
                                 : math::Pose{body.position, body.rotation};
}

Vec3 turn_of_step(const WorldState& world, const math::Pose& start, const Body& body) {
  const Vec3 shortest = turn_between(start.rotation, body.rotation);
  if (!has_turned_far(world, body)) return shortest;
  const Vec3 whole = world.turns[body.awake_place];
  const float angle = length(shortest);
  const Vec3 axis = angle > 0.0f ? shortest / angle : whole / length(whole);
  constexpr float circle = 2.0f * math::pi;
  return axis * (angle + circle * std::floor((dot(whole, axis) - angle) / circle + 0.5f));
}

Throw throw_of(const WorldState& world, const Body& body, const SolverMotion& motion) {
  constexpr float pressed_share = 0.2f, far_share = 0.5f;
  // An upper bound of turn_reach: the centre of a shape is at most one extent from the centre of
  // mass, and its points at most two extents from its own centre. The rest is for rounding.
  constexpr float most_extents = 3.05f;
  const float most_turned = most_extents * length(motion.turn) * body.extent;
  Throw result = Throw::None;
  for (const ShapeHandle shape : body.shapes) {
    // Skip sensors, which are not in the broad phase.
    if ((world.bounds[shape.index].flags & ShapeBounds::gone) != 0) continue;
    const ShapePlace& place = world.places[shape.index];
    const float off = length(motion.offset - place.travel);
    if (off + most_turned <= speculative_distance) continue;
    const float turned = turn_reach(world.shapes[shape.index].def.shape, place, motion.turn);
    const float gone = length(motion.offset) + turned;
    // Also large for a body that was deflected, however far it has moved.
    const float beyond = off + math::max_of(turned - place.turn_reach, 0.0f) - speculative_distance;
    if (beyond > far_share * place.thickness) return Throw::Far;
    if (beyond > 0.0f && gone > pressed_share * place.thickness) result = Throw::Near;
  }
  return result;
}

void stop_at_impacts(WorldState& world) {
  // Find all times of impact before moving anything, so that the moves of one pair do not affect
  // the test of another.
  add_pairs_of_thrown(world);
  std::vector<Stop> stops;
  const auto look = [&](std::uint32_t, Range range) {
    SurfaceScratch scratch;
    for (std::size_t i = range.first; i < range.last; ++i)
      world.fast_pairs[i].passed_at = passed_at(world, world.fast_pairs[i], scratch);
    count_work(world.stats.work.impact_searches, scratch.impact_searches);
    count_work(world.stats.work.triangles, scratch.examined_triangles);
  };
  const auto take = [&](std::uint32_t, Range range) {
    for (std::size_t i = range.first; i < range.last; ++i) {
      const FastPair& pair = world.fast_pairs[i];
      if (!pair.passed_at) continue;
      const std::uint32_t a = world.shapes[pair.shape_a].body.index;
      const std::uint32_t b = world.shapes[pair.shape_b].body.index;
      stops.push_back({a, *pair.passed_at, pair.start_a, b, pair.start_b});
      stops.push_back({b, *pair.passed_at, pair.start_b, a, pair.start_a});
    }
  };
  constexpr std::size_t pairs_per_piece = 16, pieces_per_batch = 1024;
  for_each_piece(*world.runtime.workers, world.fast_pairs.size(), pairs_per_piece, pieces_per_batch,
                 look, take);
  put_back(world, std::move(stops));
  world.fast_pairs.clear();
}

}  // namespace jostle::physics
