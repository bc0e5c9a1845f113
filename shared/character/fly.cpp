#include "shared/character/detail/mover.h"

#include <utility>

namespace jostle::character {

using math::Vec3;

namespace {

constexpr int fly_rounds = 6;
/// Maximum speed away from a surface at which the character still counts as standing on it.
constexpr float lift_off_speed = 0.1f;  // m/s

/// Moves the character by `way`, sliding along obstacles. Adds the obstacles to `mover.touched`.
void fly_along(Mover& mover, Vec3 way) {
  Character& character = mover.character;
  Vec3 rest = way;
  std::vector<Touch> met;
  std::vector<Plane> planes;
  for (int round = 0; round < fly_rounds; ++round) {
    planes.clear();
    for (const Touch& touch : find_touches(mover, way)) {
      note_touch(mover, touch, rest);
      add_planes(mover, touch, false, planes);
    }
    for (const Touch& touch : met)
      add_planes(mover, touch, false, planes);
    const Vec3 next = nearest_motion(rest, planes);
    const Sweep swept = sweep(mover.around, character.position, next, {});
    const Vec3 gone = next * swept.share;
    character.position = character.position + gone;
    if (!swept.hit) return;
    rest *= 1.0f - swept.share;
    for (Touch& touch : met)
      touch.gap += dot(touch.normal, gone);
    met.push_back({swept.hit->body, swept.hit->shape, swept.hit->point, swept.hit->normal, 0.0f});
    mover.touched.push_back(met.back());
  }
}

/// Returns the velocity without the parts that point into the touched obstacles, relative to each
/// obstacle's own velocity. An obstacle that moves towards the character therefore pushes it along.
Vec3 clip_velocity(const Mover& mover, Vec3 velocity) {
  std::vector<Plane> planes;
  for (Touch touch : mover.touched) {
    touch.gap = 0;
    const std::size_t first = planes.size();
    add_planes(mover, touch, false, planes);
    const Vec3 along = mover.world.velocity_at(touch.body, touch.point);
    for (std::size_t i = first; i < planes.size(); ++i)
      planes[i].gap = -dot(planes[i].normal, along);
  }
  return nearest_motion(velocity, planes);
}

void stand_on(Mover& mover, const Touch& touch, GroundState ground, Vec3 normal) {
  Character& character = mover.character;
  character.ground = ground;
  character.ground_body = touch.body;
  character.ground_normal = normal;
  character.ground_velocity = mover.world.velocity_at(touch.body, touch.point);
  character.is_anchored = false;
}

/// Sets the ground that the character stands on or slides down after flying. If there is none, the
/// character stays in the air.
void find_ground(Mover& mover, std::vector<Touch> touches) {
  Character& character = mover.character;
  character.ground = GroundState::InAir;
  character.ground_body = {};
  character.is_anchored = false;
  touches.insert(touches.end(), mover.touched.begin(), mover.touched.end());
  const float ray = 0.5f * mover.options.height + mover.options.skin +
                    math::max_of(mover.options.step_down, mover.options.step_height);
  const Touch* steep = nullptr;
  float highest = 0;
  for (const Touch& touch : touches) {
    const float rise = dot(touch.normal, character.up);
    // minimum upward part of the normal; a surface with less is a wall
    constexpr float bearing = 0.02f;
    if (rise < bearing || touch.gap > touching_gap(mover)) continue;
    const Vec3 past = character.velocity - mover.world.velocity_at(touch.body, touch.point);
    if (dot(touch.normal, past) > lift_off_speed) continue;
    if (is_walkable(mover.around, touch.normal)) {
      if (character.ground == GroundState::OnGround && rise <= highest) continue;
      highest = rise;
      stand_on(mover, touch, GroundState::OnGround, touch.normal);
      continue;
    }
    if (character.ground == GroundState::OnGround) continue;
    if (is_edge_of_walkable(mover.around, touch.shape, touch.point, touch.normal) &&
        has_walkable_below(mover.around, character.position, ray)) {
      stand_on(mover, touch, GroundState::OnGround, character.up);
      continue;
    }
    if (steep == nullptr || rise > dot(steep->normal, character.up)) steep = &touch;
  }
  if (character.ground == GroundState::OnGround || steep == nullptr) return;
  const bool stands = is_held(mover.around, character.position);
  stand_on(mover, *steep, stands ? GroundState::OnGround : GroundState::OnSteepGround,
           stands ? character.up : steep->normal);
}

}  // namespace

void fly(Mover& mover, Vec3 velocity) {
  Character& character = mover.character;
  const Vec3 fall = character.up * (mover.options.gravity * mover.seconds);
  // No body of the world may exceed this speed.
  const float limit = mover.world.options().max_linear_speed, speed = length(velocity);
  if (speed > limit) velocity *= limit / speed;
  // The mean velocity of the step contains half of its change, which gives the exact parabola.
  const Vec3 way = (velocity - fall * 0.5f) * mover.seconds;
  resolve_penetration(mover, way);
  fly_along(mover, way);
  push(mover, velocity);
  const Vec3 falling = velocity - fall;
  std::vector<Touch> touches = find_touches(mover, {});
  for (const Touch& touch : touches)
    note_touch(mover, touch, falling);
  character.velocity = clip_velocity(mover, falling);
  find_ground(mover, std::move(touches));
  if (character.ground == GroundState::InAir) {
    character.ground_velocity = {};
    return;
  }
  // Applies the impulse of an inelastic landing to the ground body. The velocity of impact includes
  // this step's gravity.
  const float blow = -dot(falling - character.ground_velocity, character.up);
  const float mass = mover.world.mass(character.ground_body);
  if (mass > 0.0f && blow > 0.0f)
    apply_weight(mover, blow * mass * mover.options.mass / (mass + mover.options.mass));
}

}  // namespace jostle::character
