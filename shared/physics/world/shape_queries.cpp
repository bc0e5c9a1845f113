#include "shared/geometry/bounds.h"
#include "shared/geometry/shape_check.h"
#include "shared/geometry/surface.h"
#include "shared/physics/collision/convex_distance.h"
#include "shared/physics/collision/sweep.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/query_visits.h"
#include "shared/physics/world.h"
#include "shared/physics/world/shape_overlap.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace jostle::physics {

using math::Vec3;
using math::Vec3d;
using state::ShapeKind;

namespace {

// All computations in this file are in world axes with the origin at the query shape.

/// Returns true if queries accept the shape. They accept each convex shape that bodies may have.
/// They also accept convex shapes below the minimum size for bodies, such as a sphere of radius 0,
/// which is a point.
bool is_askable(const state::Shape& shape) {
  const auto error = geometry::check_shape(shape);
  if (error && *error != geometry::ShapeError::TooSmall) return false;
  const Vec3 half = shape.half_extents;
  for (const float size : {shape.radius, shape.half_segment, half.x, half.y, half.z}) {
    if (!std::isfinite(size) || size < 0.0f) return false;
  }
  return !is_static_only(shape.kind);
}

math::Pose checked_pose(const QueryShape& query) {
  JOSTLE_ASSERT(is_askable(query.shape));
  const math::Pose& pose = query.pose;
  JOSTLE_ASSERT(is_finite(pose.position) && is_unit(pose.rotation, call_unit_tolerance));
  return {pose.position, normalized(pose.rotation)};
}

/// The query shape in world axes, relative to `origin`.
struct Asking {
  Convex convex;
  math::Position origin;
  math::Mat3 axes;
  Vec3 lower, upper;  // its AABB

  explicit Asking(const QueryShape& query) : Asking(query.shape, checked_pose(query)) {}
  Asking(const state::Shape& shape, const math::Pose& pose)
      : convex(convex_of(shape)), origin(pose.position), axes(to_matrix(pose.rotation)) {
    const math::Aabb box = geometry::bounds(shape, pose);
    lower = box.lower - origin;
    upper = box.upper - origin;
  }

  /// Returns the extent from the origin along a unit vector (support function).
  float reach(Vec3 direction) const { return dot(farthest(direction), direction); }
  Vec3 farthest(Vec3 direction) const {
    const Vec3 local = transpose_multiply(axes, direction);
    return axes * narrowed(support(convex, widened(local))) + direction * convex.rounding;
  }
};

/// A convex part of a shape of the world: the whole shape, or one triangle of a surface.
struct Part {
  Convex convex;
  Vec3 origin;
  math::Mat3 axes;
};

struct Nearest {
  float distance = 0;
  Vec3 point_on_query, on_part, normal;  // normal from the part to the query
};

Nearest nearest_on_part(const Asking& asking, const Part& part, float max_distance) {
  const math::Mat3d axes = widened(part.axes);
  const ConvexPair pair{part.convex, asking.convex, -transpose_multiply(axes, widened(part.origin)),
                        transpose_multiply(axes, widened(asking.axes))};
  Vec3d guess = pair.centre;
  if (dot(guess, guess) == 0) guess = {0, 1, 0};
  const float roundings = part.convex.rounding + asking.convex.rounding;
  const ConvexDistance found =
      convex_distance(pair, guess, static_cast<double>(max_distance + roundings));
  Nearest nearest;
  nearest.normal = narrowed(axes * found.normal);
  constexpr float beyond = 3.0e38f;
  nearest.distance = found.is_beyond ? beyond : static_cast<float>(found.distance) - roundings;
  nearest.on_part =
      part.origin + narrowed(axes * found.on_a) + nearest.normal * part.convex.rounding;
  nearest.point_on_query =
      part.origin + narrowed(axes * found.on_b) - nearest.normal * asking.convex.rounding;
  return nearest;
}

/// Calls `visit(part)` for a convex shape, or for each triangle of a surface within the box from
/// `lower` to `upper`, which are relative to `asking.origin`.
template <typename Visit>
void visit_parts(const WorldState& world, const ShapeRecord& shape, const Asking& asking,
                 Vec3 lower, Vec3 upper, Visit&& visit) {
  const math::Pose pose = shape_pose(world.bodies[shape.body.index], shape);
  const Vec3 origin = pose.position - asking.origin;
  const math::Mat3 axes = to_matrix(pose.rotation);
  if (!is_surface(shape.def.shape.kind)) {
    visit(Part{convex_of(shape.def.shape), origin, axes});
    return;
  }
  // Bounding box, in the frame of the surface, of the box from `lower` to `upper`.
  const Vec3 middle = transpose_multiply(axes, (lower + upper) * 0.5f - origin);
  const Vec3 half = (upper - lower) * 0.5f;
  const Vec3 reach{dot(abs_of(axes.cx), half), dot(abs_of(axes.cy), half),
                   dot(abs_of(axes.cz), half)};
  std::vector<geometry::SurfaceTriangle> triangles;
  geometry::find_triangles(shape.def.shape, middle - reach, middle + reach, triangles);
  for (const geometry::SurfaceTriangle& triangle : triangles) {
    const auto& c = triangle.corners;
    const Vec3 normal = normalized_or(cross(c[1] - c[0], c[2] - c[0]), {0, 1, 0});
    visit(Part{convex_of_triangle(c, normal), origin, axes});
  }
}

std::optional<Nearest> nearest_on_shape(const WorldState& world, const ShapeRecord& shape,
                                        const Asking& asking, float max_distance) {
  std::optional<Nearest> best;
  if (shape.def.shape.kind == ShapeKind::Plane) {
    const math::Pose pose = shape_pose(world.bodies[shape.body.index], shape);
    const Vec3 normal = rotate(pose.rotation, {0, 1, 0});
    const Vec3 lowest = asking.farthest(-normal);
    const float distance = dot(lowest - (pose.position - asking.origin), normal);
    best = Nearest{distance, lowest, lowest - normal * distance, normal};
  } else {
    const Vec3 border{max_distance, max_distance, max_distance};
    visit_parts(world, shape, asking, asking.lower - border, asking.upper + border,
                [&](const Part& part) {
                  const Nearest nearest = nearest_on_part(asking, part, max_distance);
                  if (!best || nearest.distance < best->distance) best = nearest;
                });
  }
  if (best && best->distance > max_distance) best.reset();
  return best;
}

struct SweepHit {
  float fraction = 0;
  Vec3 point, normal;
};

/// Returns the hit of the moving shape on a plane, from the path of its lowest point. Returns
/// nothing if the shape overlaps the plane at the start or does not reach it.
std::optional<SweepHit> meet_plane(const Asking& asking, const math::Pose& plane, Vec3 travel) {
  const Vec3 normal = rotate(plane.rotation, {0, 1, 0});
  const Vec3 lowest = asking.farthest(-normal);
  const float height = dot(lowest - (plane.position - asking.origin), normal);
  const float falling = -dot(travel, normal);
  if (height < 0.0f || falling <= 0.0f || height > falling) return std::nullopt;
  const float fraction = height / falling;
  return SweepHit{fraction, lowest + travel * fraction, normal};
}

std::optional<SweepHit> meet_part(const Asking& asking, const Part& part, Vec3 travel) {
  // Distance that counts as touching.
  constexpr float touching = 1e-5f;  // m
  // Back faces are ignored, as in ray casts.
  if (part.convex.kind == ConvexKind::Triangle &&
      dot(part.axes * part.convex.normal, travel) >= 0.0f) {
    return std::nullopt;
  }
  const MovingShape moving{asking.convex, {}, {}, asking.axes, {travel, {}}, 0};
  const MovingShape still{part.convex, part.origin, {}, part.axes, {}, 0};
  Vec3 axis;
  const std::optional<Impact> impact = first_impact(moving, still, touching, axis);
  if (!impact) return std::nullopt;
  // The normal is computed at the moment of impact, at which a small distance remains.
  const Part seen{part.convex, part.origin - travel * impact->fraction, part.axes};
  const Nearest nearest = nearest_on_part(asking, seen, 1.0f);
  return SweepHit{impact->fraction, nearest.on_part + travel * impact->fraction, nearest.normal};
}

std::optional<CastHit> cast_at_shape(const WorldState& world, std::uint32_t index,
                                     const Asking& asking, Vec3 travel, const QueryFilter& filter) {
  const ShapeRecord& shape = world.shapes[index];
  if (!passes(filter, shape)) return std::nullopt;
  std::optional<SweepHit> first;
  if (shape.def.shape.kind == ShapeKind::Plane) {
    first = meet_plane(asking, shape_pose(world.bodies[shape.body.index], shape), travel);
  } else {
    visit_parts(world, shape, asking, min_of(asking.lower, asking.lower + travel),
                max_of(asking.upper, asking.upper + travel), [&](const Part& part) {
                  const auto meeting = meet_part(asking, part, travel);
                  if (meeting && (!first || meeting->fraction < first->fraction)) first = meeting;
                });
  }
  if (!first) return std::nullopt;
  return CastHit{world.shape_pool.at(index), shape.body, first->fraction,
                 asking.origin + first->point, first->normal};
}

/// The ray of the centre of the moving shape's box, and the margin by which other boxes must be
/// enlarged to test this ray instead of the box.
struct SweptBox {
  Ray ray;
  Vec3 half;

  SweptBox(const Asking& asking, Vec3 travel)
      : ray{asking.origin + (asking.lower + asking.upper) * 0.5f, travel},
        half((asking.upper - asking.lower) * 0.5f) {}

  bool meets(const math::Aabb& box, double max_fraction) const {
    return passes_through(ray, {box.lower - half, box.upper + half}, max_fraction);
  }
};

bool is_nearer(const ClosestHit& x, const ClosestHit& y) {
  return std::tie(x.distance, x.shape) < std::tie(y.distance, y.shape);
}

}  // namespace

bool shape_overlaps(const WorldState& world, const state::Shape& convex, const math::Pose& pose,
                    std::uint32_t shape) {
  const Asking asking(convex, pose);
  return nearest_on_shape(world, world.shapes[shape], asking, 0.0f).has_value();
}

std::optional<CastHit> World::cast_shape(const ShapeCast& cast, const QueryFilter& filter) const {
  JOSTLE_ASSERT(is_finite(cast.translation));
  const Asking asking(cast.moving);
  const SweptBox swept(asking, cast.translation);
  std::optional<CastHit> best;
  double max_fraction = 1.0;
  visit_shapes(
      *state_, [&](const math::Aabb& box) { return swept.meets(box, max_fraction); },
      [&](std::uint32_t index) {
        const auto hit = cast_at_shape(*state_, index, asking, cast.translation, filter);
        if (!hit || (best && !is_before(*hit, *best))) return;
        best = hit;
        // Slightly more than the fraction of the hit, so that all shapes at this fraction are
        // compared, whatever the order of the tree.
        max_fraction = static_cast<double>(hit->fraction) * (1.0 + 1e-6);
      });
  return best;
}

std::vector<CastHit> World::cast_shape_all(const ShapeCast& cast, const QueryFilter& filter) const {
  JOSTLE_ASSERT(is_finite(cast.translation));
  const Asking asking(cast.moving);
  const SweptBox swept(asking, cast.translation);
  std::vector<CastHit> hits;
  visit_shapes(
      *state_, [&](const math::Aabb& box) { return swept.meets(box, 1.0); },
      [&](std::uint32_t index) {
        const auto hit = cast_at_shape(*state_, index, asking, cast.translation, filter);
        if (hit) hits.push_back(*hit);
      });
  std::sort(hits.begin(), hits.end(), is_before);
  return hits;
}

std::vector<ClosestHit> World::closest_all(const QueryShape& query, float max_distance,
                                           const QueryFilter& filter) const {
  JOSTLE_ASSERT(std::isfinite(max_distance) && max_distance >= 0.0f);
  const Asking asking(query);
  // Larger than all distances in a world, but small enough for boxes not to overflow.
  constexpr float anywhere = 1e12f;  // m
  const float reach = math::min_of(max_distance, anywhere);
  const math::Aabb box =
      math::expanded({asking.origin + asking.lower, asking.origin + asking.upper}, reach);
  std::vector<ClosestHit> hits;
  visit_shapes(
      *state_, [&](const math::Aabb& node) { return overlaps(node, box); },
      [&](std::uint32_t index) {
        const ShapeRecord& shape = state_->shapes[index];
        if (!passes(filter, shape)) return;
        const auto nearest = nearest_on_shape(*state_, shape, asking, reach);
        if (!nearest) return;
        hits.push_back({state_->shape_pool.at(index), shape.body, nearest->distance,
                        asking.origin + nearest->point_on_query, asking.origin + nearest->on_part,
                        nearest->normal});
      });
  std::sort(hits.begin(), hits.end(), is_nearer);
  return hits;
}

std::optional<ClosestHit> World::closest(const QueryShape& query, float max_distance,
                                         const QueryFilter& filter) const {
  const std::vector<ClosestHit> hits = closest_all(query, max_distance, filter);
  if (hits.empty()) return std::nullopt;
  return hits.front();
}

std::vector<ShapeHandle> World::overlap_shape(const QueryShape& query,
                                              const QueryFilter& filter) const {
  std::vector<ShapeHandle> found;
  for (const ClosestHit& hit : closest_all(query, 0.0f, filter))
    found.push_back(hit.shape);
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace jostle::physics
