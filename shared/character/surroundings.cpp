#include "shared/character/detail/surroundings.h"

#include "shared/character/detail/planes.h"

#include <algorithm>
#include <cmath>

namespace jostle::character {

using math::Position;
using math::Vec3;

namespace {

/// Minimum sine of the angle between a sweep and an obstacle's surface. Smaller sines are raised to
/// it, so that the distance to stop at the skin stays finite.
constexpr float min_closing = 1e-3f;
/// Number of skin widths that a sweep searches beyond the end of its displacement.
constexpr float skins_ahead = 4.0f;
/// Displacements shorter than this count as zero.
constexpr float min_way = 1e-9f;  // m

// A capsule that touches the edge of a step gets the normal of the edge, not that of the step's
// top. A vertical ray beside the edge finds the normal of the top.
constexpr float edge_inset = 0.01f;  // m, horizontal distance of the ray from the edge
constexpr float edge_look = 0.05f;   // m, length of the ray above the edge, and also below it

bool is_seen(const CapsuleQuery& around, physics::BodyHandle body, physics::ShapeHandle shape) {
  return body != around.own && may_collide(around.filter, around.world.shape_def(shape).filter);
}

bool leaves(const CapsuleQuery& around, const physics::CastHit& hit, Vec3 way, float seconds) {
  if (around.world.motion_type(hit.body) != physics::MotionType::Kinematic) return false;
  const Vec3 left = around.world.velocity_at(hit.body, hit.point) * seconds;
  constexpr float rounding = 1e-5f;  // m
  return dot(hit.normal, way - left) >= -rounding;
}

}  // namespace

std::vector<physics::ClosestHit> find_near(const CapsuleQuery& around, Position at,
                                           float distance) {
  std::vector<physics::ClosestHit> hits =
      around.world.closest_all({around.capsule, {at, around.rotation}}, distance, {});
  std::erase_if(
      hits, [&](const physics::ClosestHit& hit) { return !is_seen(around, hit.body, hit.shape); });
  return hits;
}

std::vector<Obstacle> find_obstacles(const CapsuleQuery& around, Position from, Vec3 way,
                                     const SweepFilter& unseen) {
  std::vector<Obstacle> found;
  const float size = length(way);
  if (!(size > min_way)) return found;
  // The cast extends beyond `way`, because the skin stops the capsule before the surface. At very
  // acute angles this is not enough; resolve_penetration corrects the rest in the next move.
  const float reach = size + skins_ahead * around.skin;
  const physics::ShapeCast cast{{around.capsule, {from, around.rotation}}, way * (reach / size)};
  for (const physics::CastHit& hit : around.world.cast_shape_all(cast, {})) {
    if (hit.body == unseen.body || !is_seen(around, hit.body, hit.shape)) continue;
    if (unseen.leaving_seconds > 0.0f && leaves(around, hit, way, unseen.leaving_seconds)) continue;
    const float closing = math::max_of(-dot(hit.normal, way) / size, min_closing);
    const float free = math::max_of(hit.fraction * reach - around.skin / closing, 0.0f);
    if (free < size) found.push_back({hit, free});
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const Obstacle& a, const Obstacle& b) { return a.free < b.free; });
  return found;
}

Sweep sweep(const CapsuleQuery& around, Position from, Vec3 way, const SweepFilter& unseen) {
  const std::vector<Obstacle> found = find_obstacles(around, from, way, unseen);
  if (found.empty()) return {};
  return {math::min_of(found.front().free / length(way), 1.0f), found.front().hit};
}

bool is_edge_of_walkable(const CapsuleQuery& around, physics::ShapeHandle shape, Position point,
                         Vec3 normal) {
  const Vec3 outward = normalized_or(level_part(around, normal), {});
  if (outward == Vec3{} || dot(normal, around.up) <= 0.0f) return false;
  const Position inside = point - outward * edge_inset;
  const physics::Ray ray{inside + around.up * edge_look, around.up * (-2.0f * edge_look)};
  for (const physics::CastHit& hit : around.world.cast_ray_all(ray, {})) {
    if (hit.shape != shape) continue;
    return is_walkable(around, hit.normal);
  }
  return false;
}

bool is_held(const CapsuleQuery& around, Position at) {
  const float steepest = std::sqrt(math::max_of(1.0f - around.walkable * around.walkable, 0.0f));
  constexpr int rounds = 4;
  std::vector<Plane> planes;
  for (int round = 0; round < rounds; ++round) {
    const Vec3 down = nearest_motion(-around.up, planes);
    constexpr float rounding = 1e-4f;  // length of `down` below which no motion down is left
    const float size = length(down);
    if (size < rounding || dot(-down, around.up) <= steepest * size) return true;
    const std::vector<Obstacle> found = find_obstacles(around, at, down * (around.skin / size), {});
    if (found.empty() || found.front().free > 0.1f * around.skin) return false;
    planes.push_back({found.front().hit.normal, 0.0f});
  }
  return true;
}

bool has_walkable_below(const CapsuleQuery& around, Position from, float depth) {
  for (const physics::CastHit& hit : around.world.cast_ray_all({from, around.up * -depth}, {})) {
    if (is_seen(around, hit.body, hit.shape)) return is_walkable(around, hit.normal);
  }
  return false;
}

}  // namespace jostle::character
