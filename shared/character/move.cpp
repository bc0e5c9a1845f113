#include "shared/base/assert.h"
#include "shared/base/fp_environment.h"
#include "shared/character/detail/mover.h"
#include "shared/math/trig.h"

namespace jostle::character {

using math::Position;
using math::Vec3;

namespace {

/// Allowed error of the gap, as a fraction of the skin.
constexpr float tolerance_share = 0.01f;
/// Distance up to which approaching bodies are detected: enough for 15 m/s at 60 Hz.
constexpr float seen_ahead = 0.25f;  // m
/// Maximum distance between the actual and the predicted position of the anchor. At a larger
/// distance, the ground was teleported, and the character does not follow.
constexpr float max_following = 0.5f;  // m
constexpr int way_making_rounds = 4;
constexpr int slide_rounds = 6;

bool is_moving(const physics::World& world, physics::BodyHandle body) {
  return world.motion_type(body) != physics::MotionType::Static && !world.is_quarantined(body) &&
         world.is_enabled(body);
}

bool is_character(const Mover& mover, physics::ShapeHandle shape) {
  return (mover.world.shape_def(shape).filter.category & character_category) != 0;
}

/// Puts the character into the air, with its current velocity, if its ground has been removed or
/// disabled.
void forget_lost_ground(Mover& mover) {
  Character& character = mover.character;
  const physics::BodyHandle ground = character.ground_body;
  const bool is_there = mover.world.is_alive(ground) && mover.world.is_enabled(ground);
  if (character.ground == GroundState::InAir || is_there) return;
  character.ground = GroundState::InAir;
  character.ground_body = {};
  character.is_anchored = false;
}

/// Moves the character to the actual position of its anchor, which the last move could only
/// predict. Drops the anchor if it is too far away or an obstacle is in the way.
void follow_anchor(Mover& mover) {
  Character& character = mover.character;
  if (!character.is_anchored) return;
  const Position spot =
      transform_point(mover.world.pose(character.ground_body), character.anchor_local);
  const Vec3 missed = spot - foot_of(mover);
  if (missed == Vec3{}) return;
  const bool is_followed = length(missed) <= max_following &&
                           slide(mover, missed, {character.ground_body, mover.seconds});
  character.is_anchored = is_followed;
}

/// Returns the change of velocity (m/s) by steering in the air or on steep ground. On steep ground,
/// the change has no part that points up the slope.
Vec3 steering(const Mover& mover, Vec3 wanted) {
  const Character& character = mover.character;
  const float speed = length(wanted);
  if (!(speed > 0.0f)) return {};
  const Vec3 level = level_part(mover.around, character.velocity);
  const Vec3 direction = wanted / speed;
  const float missing = speed - dot(level, direction);
  const float most = mover.options.air_acceleration * mover.seconds;
  Vec3 steered = level + direction * math::clamp(missing, 0.0f, most);
  const float limit = math::max_of(speed, length(level)), now = length(steered);
  if (now > limit) steered *= limit / now;
  const Vec3 change = steered - level;
  if (character.ground != GroundState::OnSteepGround) return change;
  const Vec3 away = normalized_or(level_part(mover.around, character.ground_normal), Vec3{});
  return change - away * math::min_of(dot(change, away), 0.0f);
}

void drive_body(Mover& mover) {
  const Character& character = mover.character;
  if (character.body.is_null()) return;
  physics::World& world = mover.world;
  const math::Pose target = pose_of(character);
  if (!world.is_enabled(character.body)) {
    // A disabled body collides with nothing, but must be at the character's pose when it is enabled
    // again.
    world.set_pose(character.body, target);
    return;
  }
  const Vec3 velocity = (target.position - world.pose(character.body).position) / mover.seconds;
  // Characters that move after this one read its velocity.
  world.set_velocity(character.body, velocity, {});
  world.move_kinematic(character.body, target);
}

Mover mover_of(physics::World& world, Character& character, const CharacterOptions& options,
               const CharacterInput& wish) {
  JOSTLE_ASSERT(are_valid(options));
  JOSTLE_ASSERT(is_finite(wish.velocity) && is_finite(character.position) &&
                is_finite(character.velocity));
  JOSTLE_ASSERT(math::abs_of(length_squared(character.up) - 1.0f) < 1e-4f);
  JOSTLE_ASSERT(character.body.is_null() || world.is_alive(character.body));
  const CapsuleQuery around{world,
                            shape_of(options),
                            pose_of(character).rotation,
                            character.up,
                            character.body,
                            options.filter,
                            options.skin,
                            math::sin_cos(options.max_slope).cos};
  return {world,
          character,
          options,
          around,
          world.options().step_seconds,
          options.skin * tolerance_share,
          {}};
}

}  // namespace

Position foot_of(const Mover& mover) {
  return mover.character.position - mover.character.up * (0.5f * mover.options.height);
}

Vec3 way_of(const Mover& mover, physics::BodyHandle body, Position point) {
  if (body.is_null() || !is_moving(mover.world, body)) return {};
  const Vec3 along = mover.world.linear_velocity(body) * mover.seconds;
  const Vec3 turn = mover.world.angular_velocity(body) * mover.seconds;
  const float angle = length(turn);
  if (angle == 0.0f) return along;
  const Vec3 arm = point - mover.world.centre_of_mass(body);
  return along + rotate(math::from_axis_angle(turn / angle, angle), arm) - arm;
}

std::vector<Touch> find_touches(const Mover& mover, Vec3 planned) {
  const Character& character = mover.character;
  std::vector<Touch> touches;
  for (const physics::ClosestHit& hit :
       find_near(mover.around, character.position, mover.options.skin + seen_ahead)) {
    float gap = hit.distance - mover.options.skin;
    const bool is_carried =
        character.ground == GroundState::OnGround && hit.body == character.ground_body;
    bool is_coming = false;
    if (!is_carried && mover.world.motion_type(hit.body) == physics::MotionType::Kinematic) {
      const float coming = dot(hit.normal, way_of(mover, hit.body, hit.point_on_shape)) -
                           math::max_of(dot(hit.normal, planned), 0.0f);
      const float left = gap - math::max_of(coming, 0.0f);
      gap = is_character(mover, hit.shape) ? math::min_of(gap, math::max_of(left, 0.0f)) : left;
      is_coming = coming > 0.0f;
    }
    // A sweep detects obstacles in the character's way, but not bodies that approach it.
    if (is_coming || gap <= touching_gap(mover))
      touches.push_back({hit.body, hit.shape, hit.point_on_shape, hit.normal, gap});
  }
  return touches;
}

void add_planes(const Mover& mover, const Touch& touch, bool is_walking,
                std::vector<Plane>& planes) {
  const auto add = [&](Vec3 normal) {
    if (planes.size() < max_planes) planes.push_back({normal, math::max_of(touch.gap, 0.0f)});
  };
  const float rise = dot(touch.normal, mover.around.up);
  // If the normal rises by less than this, the side is vertical or overhanging. A vertical side
  // needs no second plane, because the second plane would equal the first.
  constexpr float leaning = 1e-3f;
  if (rise <= leaning || is_walkable(mover.around, touch.normal)) return add(touch.normal);
  // A flying character may slide up over an edge; a walking character uses step_up instead.
  if (is_walking || !is_edge_of_walkable(mover.around, touch.shape, touch.point, touch.normal))
    add(normalized_or(level_part(mover.around, touch.normal), touch.normal));
  add(touch.normal);
}

void resolve_penetration(Mover& mover, Vec3 planned) {
  Character& character = mover.character;
  character.is_crushed = false;
  std::vector<Plane> planes;
  for (int round = 0; round < way_making_rounds; ++round) {
    planes.clear();
    float nearest = 0;
    for (const Touch& touch : find_touches(mover, planned)) {
      const bool is_overlapping = touch.gap < -mover.tolerance;
      const float gap = is_overlapping ? touch.gap : math::max_of(touch.gap, 0.0f);
      if (planes.size() < max_planes) planes.push_back({touch.normal, gap});
      nearest = math::min_of(nearest, touch.gap);
    }
    if (nearest >= -mover.tolerance) return;
    if (round == way_making_rounds - 1) {
      character.is_crushed = nearest < -mover.options.skin;
      return;
    }
    Vec3 away = nearest_motion({}, planes);
    const float size = length(away);
    if (size > mover.options.radius) away *= mover.options.radius / size;
    character.position =
        character.position + away * sweep(mover.around, character.position, away, {}).share;
  }
}

void note_touch(Mover& mover, const Touch& touch, Vec3 wanted) {
  if (dot(touch.normal, wanted) < 0.0f && touch.gap <= touching_gap(mover))
    mover.touched.push_back(touch);
}

bool slide(Mover& mover, Vec3 way, const SweepFilter& unseen) {
  Character& character = mover.character;
  std::vector<Plane> planes;
  Vec3 rest = way;
  for (int round = 0; round < slide_rounds; ++round) {
    const Vec3 next = nearest_motion(rest, planes);
    const Sweep swept = sweep(mover.around, character.position, next, unseen);
    character.position = character.position + next * swept.share;
    if (!swept.hit) return planes.empty();
    rest *= 1.0f - swept.share;
    planes.push_back({swept.hit->normal, 0.0f});
  }
  return false;
}

void move(physics::World& world, Character& character, const CharacterOptions& options,
          const CharacterInput& wish) {
  const base::FpEnvironment environment;
  Mover mover = mover_of(world, character, options, wish);
  forget_lost_ground(mover);
  const Vec3 wanted = level_part(mover.around, wish.velocity);
  if (character.ground == GroundState::OnGround) {
    follow_anchor(mover);
    character.ground_velocity =
        way_of(mover, character.ground_body, foot_of(mover)) / mover.seconds;
    if (wish.is_jumping && options.jump_speed > 0.0f) {
      character.ground = GroundState::InAir;
      character.is_anchored = false;
      fly(mover, wanted + character.ground_velocity + character.up * options.jump_speed);
    } else {
      walk(mover, wanted);
    }
  } else {
    fly(mover, character.velocity + steering(mover, wanted));
  }
  drive_body(mover);
}

}  // namespace jostle::character
