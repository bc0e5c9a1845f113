#include "shared/character/detail/mover.h"

#include <algorithm>

namespace jostle::character {

using math::Position;
using math::Vec3;

namespace {

bool is_dynamic(const Mover& mover, physics::BodyHandle body) {
  return mover.world.motion_type(body) == physics::MotionType::Dynamic;
}

/// Returns the point to push at: at the height of the body's centre of mass, within the straight
/// part of the capsule, so that the push does not tip the body over.
Position hand_at(const Mover& mover, const Touch& touch) {
  const Vec3 up = mover.character.up;
  const float reach = 0.5f * mover.options.height - mover.options.radius;
  const Position middle = mover.world.centre_of_mass(touch.body);
  const float wanted = dot(middle - mover.character.position, up);
  const float height = dot(touch.point - mover.character.position, up);
  return touch.point + up * (math::clamp(wanted, -reach, reach) - height);
}

}  // namespace

void push(Mover& mover, Vec3 wanted) {
  // Bodies are pushed in the order in which the character touched them. They share one impulse
  // budget.
  float left = mover.options.push_force * mover.seconds;  // N·s
  std::vector<physics::BodyHandle> pushed;
  for (const Touch& touch : mover.touched) {
    if (!is_dynamic(mover, touch.body)) continue;
    if (std::find(pushed.begin(), pushed.end(), touch.body) != pushed.end()) continue;
    if (is_walkable(mover.around, touch.normal)) continue;
    pushed.push_back(touch.body);
    const Vec3 forward = normalized_or(level_part(mover.around, -touch.normal), -touch.normal);
    const Position hand = hand_at(mover, touch);
    const float speed = dot(forward, wanted - mover.world.velocity_at(touch.body, hand));
    // The impulse never accelerates the body beyond the wanted speed.
    const float impulse = math::min_of(mover.world.mass(touch.body) * speed, left);
    if (!(impulse > 0.0f)) continue;
    mover.world.apply_impulse(touch.body, forward * impulse, hand);
    left -= impulse;
  }
}

void apply_weight(Mover& mover, float impulse) {
  const Character& character = mover.character;
  if (!is_dynamic(mover, character.ground_body)) return;
  mover.world.apply_impulse(character.ground_body, character.up * -impulse, foot_of(mover));
}

}  // namespace jostle::character
