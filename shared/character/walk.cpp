#include "shared/character/detail/mover.h"

#include <optional>

namespace jostle::character {

using math::Position;
using math::Vec3;

namespace {

constexpr int walk_rounds = 6;
/// Displacements shorter than this are not swept.
constexpr float least_way = 1e-7f;  // m

/// Returns the horizontal displacement `level`, raised by the smallest height that keeps it out of
/// all slopes. The height is negative downhill.
Vec3 put_onto(Vec3 up, Vec3 level, const std::vector<Vec3>& grounds) {
  std::optional<float> rise;
  for (const Vec3& normal : grounds) {
    const float needed = -dot(normal, level) / dot(normal, up);
    rise = rise ? math::max_of(*rise, needed) : needed;
  }
  return level + up * rise.value_or(0.0f);
}

/// Limits of walking at the character's position, and the slopes that the character walks on.
struct Place {
  std::vector<Touch> touches;
  std::vector<Plane> planes;
  std::vector<Plane> walls;  // the planes of those touches that are not walkable
  std::vector<Vec3> grounds;
};

Place look_around(const Mover& mover, Vec3 carry, const std::vector<Touch>& met) {
  Place place;
  place.touches = find_touches(mover, carry);
  place.touches.insert(place.touches.end(), met.begin(), met.end());
  for (const Touch& touch : place.touches) {
    add_planes(mover, touch, true, place.planes);
    if (!is_walkable(mover.around, touch.normal)) {
      add_planes(mover, touch, true, place.walls);
    } else if (touch.gap <= touching_gap(mover)) {
      place.grounds.push_back(touch.normal);
    }
  }
  if (place.grounds.empty()) {
    const Vec3 last = mover.character.ground_normal;
    place.grounds.push_back(is_walkable(mover.around, last) ? last : mover.around.up);
  }
  return place;
}

/// Returns the next displacement. `rest` is the remaining horizontal displacement. Walls limit the
/// horizontal part of the result; the vertical part follows the ground.
Vec3 find_way(const Mover& mover, const Place& place, Vec3 rest) {
  const Vec3 up = mover.around.up;
  const Vec3 level = level_part(mover.around, nearest_motion(rest, place.walls));
  const Vec3 along = put_onto(up, level, place.grounds);
  if (satisfies(along, place.planes)) return along;
  // Under a slanted ceiling, the ground limits the motion as a wall does.
  return nearest_motion(put_onto(up, rest, place.grounds), place.planes);
}

bool is_light(const Mover& mover, physics::BodyHandle body) {
  return mover.world.motion_type(body) == physics::MotionType::Dynamic &&
         mover.world.mass(body) < mover.options.mass;
}

/// Returns true if an obstacle in the direction of `rest` is one that the character might step
/// onto.
bool is_before_step(const Mover& mover, const Place& place, Vec3 rest) {
  // minimum upward part of the normal; a surface with less is a ceiling
  constexpr float overhang = -0.2f;
  constexpr float facing = 0.05f;
  for (const Touch& touch : place.touches) {
    const float rise = dot(touch.normal, mover.around.up);
    if (rise < overhang || is_walkable(mover.around, touch.normal)) continue;
    if (dot(touch.normal, rest) > -facing * length(rest) || is_light(mover, touch.body)) continue;
    return true;
  }
  return false;
}

/// Moves the character up, along `forward` and down again. Returns true if the character now stands
/// on higher, walkable ground; otherwise it has not moved.
bool step_over(Mover& mover, Vec3 forward) {
  const CapsuleQuery& around = mover.around;
  const Position start = mover.character.position;
  const Position level = foot_of(mover) - around.up * mover.options.skin;
  const Vec3 raise = around.up * mover.options.step_height;
  const float raised = sweep(around, start, raise, {}).share;
  const Position above = start + raise * raised;
  const Position ahead = above + forward * sweep(around, above, forward, {}).share;
  if (length(level_part(around, ahead - start)) <= mover.tolerance) return false;
  const Vec3 fall = around.up * -(mover.options.step_height * raised + mover.options.skin);
  const Sweep landing = sweep(around, ahead, fall, {});
  if (!landing.hit || is_light(mover, landing.hit->body)) return false;
  const float height = dot(landing.hit->point - level, around.up);
  if (height <= mover.tolerance || height > mover.options.step_height + mover.tolerance)
    return false;
  if (!is_walkable(around, landing.hit->normal) &&
      !is_edge_of_walkable(around, landing.hit->shape, landing.hit->point, landing.hit->normal))
    return false;
  mover.character.position = ahead + fall * landing.share;
  return true;
}

/// Steps up in the direction of `rest`. The skin keeps the character away from the ledge, so a
/// displacement that is too short to reach the ledge is lengthened. Returns false if the character
/// did not step up.
bool step_up(Mover& mover, Vec3 rest) {
  const float size = length(rest);
  const float least = 1.5f * mover.options.skin;
  return step_over(mover, rest) ||
         (size < least + mover.options.skin && step_over(mover, rest * ((size + least) / size)));
}

/// Moves the character by the horizontal displacement `level`, up ledges too, and adds obstacles to
/// `mover.touched`. `carry` is the displacement of the ground in this step. Returns the horizontal
/// displacement that it made.
Vec3 walk_along(Mover& mover, Vec3 level, Vec3 carry) {
  Character& character = mover.character;
  const Position start = character.position;
  Vec3 rest = level;
  std::vector<Touch> met;
  bool has_tried_step = false;
  for (int round = 0; round < walk_rounds && length(rest) > least_way; ++round) {
    const Place place = look_around(mover, carry, met);
    for (const Touch& touch : place.touches)
      note_touch(mover, touch, rest);
    if (!has_tried_step && is_before_step(mover, place, rest)) {
      has_tried_step = true;
      if (step_up(mover, rest)) break;
    }
    const Vec3 way = find_way(mover, place, rest);
    if (length(way) <= least_way) break;
    const Sweep swept = sweep(mover.around, character.position, way, {});
    const Vec3 gone = way * swept.share;
    character.position = character.position + gone;
    if (!swept.hit) break;
    rest *= 1.0f - swept.share;
    for (Touch& touch : met)
      touch.gap += dot(touch.normal, gone);
    met.push_back({swept.hit->body, swept.hit->shape, swept.hit->point, swept.hit->normal, 0.0f});
  }
  return level_part(mover.around, character.position - start);
}

struct Support {
  GroundState ground = GroundState::InAir;
  float drop = 0;  // m
  physics::CastHit hit;
  Vec3 normal;
};

/// Returns the ground within `step_down` below the character, or GroundState::InAir if there is
/// none. Among several at the same height, it prefers walkable ground, and then the most level.
Support find_support(const Mover& mover) {
  const CapsuleQuery& around = mover.around;
  const Position at = mover.character.position;
  // Next to a steep side, the skin shortens a downward sweep by more than the skin's width.
  constexpr float skins = 5.0f;
  const float depth = mover.options.step_down + skins * mover.options.skin;
  const std::vector<Obstacle> below = find_obstacles(around, at, around.up * -depth, {});
  Support best;
  if (below.empty() || below.front().free > mover.options.step_down) return best;
  best.drop = below.front().free;
  const float ray = 0.5f * mover.options.height + mover.options.skin +
                    math::max_of(mover.options.step_down, mover.options.step_height);
  for (const Obstacle& obstacle : below) {
    // tolerance of equal heights, in units of the skin's tolerance
    constexpr float same_height = 4.0f;
    if (obstacle.free > best.drop + same_height * mover.tolerance) break;
    const Vec3 normal = obstacle.hit.normal;
    Support support{GroundState::OnGround, best.drop, obstacle.hit, normal};
    if (!is_walkable(around, normal)) {
      const bool is_stair =
          is_edge_of_walkable(around, obstacle.hit.shape, obstacle.hit.point, normal) &&
          has_walkable_below(around, at, ray);
      if (is_stair) {
        support.normal = around.up;
      } else {
        support.ground = GroundState::OnSteepGround;
      }
    }
    const bool is_firmer =
        support.ground == GroundState::OnGround && best.ground != GroundState::OnGround;
    const bool is_as_firm = support.ground == best.ground;
    const bool is_better =
        best.ground == GroundState::InAir || is_firmer ||
        (is_as_firm && dot(support.normal, around.up) > dot(best.normal, around.up));
    if (is_better) best = support;
  }
  if (best.ground == GroundState::OnSteepGround && best.drop <= mover.tolerance &&
      is_held(around, at)) {
    best.ground = GroundState::OnGround;
    best.normal = around.up;
  }
  return best;
}

/// Places the character on the ground below. Sets it to InAir if there is no ground within
/// `step_down`, or only steep ground that the character does not touch.
void settle(Mover& mover) {
  Character& character = mover.character;
  const Support support = find_support(mover);
  // largest gap that counts as touching, in units of the skin's tolerance
  constexpr float touching = 4.0f;
  if (support.ground == GroundState::InAir ||
      (support.ground == GroundState::OnSteepGround && support.drop > touching * mover.tolerance)) {
    character.ground = GroundState::InAir;
    character.ground_body = {};
    character.is_anchored = false;
    return;
  }
  if (support.ground == GroundState::OnGround && support.drop > mover.tolerance)
    character.position = character.position - character.up * support.drop;
  if (character.ground_body != support.hit.body) character.is_anchored = false;
  character.ground = support.ground;
  character.ground_body = support.hit.body;
  character.ground_normal = support.normal;
}

/// Anchors the character to the spot it stands on. Keeps the old anchor if the character has not
/// moved. Removes it if the ground is steep or static.
void anchor(Mover& mover, Position before) {
  Character& character = mover.character;
  const bool can_move =
      mover.world.motion_type(character.ground_body) != physics::MotionType::Static;
  if (character.ground != GroundState::OnGround || !can_move) {
    character.is_anchored = false;
    return;
  }
  if (character.is_anchored && character.position == before) return;
  character.is_anchored = true;
  character.anchor_local =
      inverse_transform_point(mover.world.pose(character.ground_body), foot_of(mover));
}

}  // namespace

void walk(Mover& mover, Vec3 wanted) {
  Character& character = mover.character;
  const physics::BodyHandle old_ground = character.ground_body;
  const Vec3 old_carry = way_of(mover, old_ground, foot_of(mover));
  const Position before = character.position;
  resolve_penetration(mover, old_carry);
  const Vec3 walked = walk_along(mover, wanted * mover.seconds, old_carry);
  settle(mover);

  const bool is_standing = character.ground == GroundState::OnGround;
  const physics::BodyHandle carrier = is_standing ? character.ground_body : old_ground;
  const Vec3 slope = is_standing ? character.ground_normal : math::Vec3{};
  Vec3 own = walked / mover.seconds;
  if (is_standing) own = put_onto(character.up, own, {slope});
  if (is_standing) anchor(mover, before);
  const Vec3 carry = way_of(mover, carrier, foot_of(mover));
  if (carry != Vec3{} && !slide(mover, carry, {carrier, mover.seconds}))
    character.is_anchored = false;
  character.ground_velocity = carry / mover.seconds;
  character.velocity = own + character.ground_velocity;

  push(mover, wanted + character.ground_velocity);
  if (is_standing) apply_weight(mover, mover.options.mass * mover.options.gravity * mover.seconds);
}

}  // namespace jostle::character
