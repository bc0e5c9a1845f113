#pragma once

#include "shared/character/character.h"
#include "shared/character/detail/planes.h"
#include "shared/character/detail/surroundings.h"

#include <vector>

namespace jostle::character {

/// A place at which the character touches something, or would within the step.
struct Touch {
  physics::BodyHandle body;
  physics::ShapeHandle shape;
  math::Position point;
  math::Vec3 normal;  // towards the character
  float gap = 0;      // m, beyond the skin
};

/// One move while it is made.
struct Mover {
  physics::World& world;
  Character& character;
  const CharacterOptions& options;
  Surroundings around;
  float seconds = 0;           // of the step
  float tolerance = 0;         // m, by which the skin may be missed
  std::vector<Touch> touched;  // what was in the way
};

// Everything below moves `character.position`.

math::Position foot_of(const Mover& mover);
/// By how much a body takes a point of it along in the step, m.
math::Vec3 way_of(const Mover& mover, physics::BodyHandle body, math::Position point);

/// Up to which gap a touch is one.
inline float touching_gap(const Mover& mover) {
  return 2.0f * mover.tolerance;
}

/// What it touches, and kinematic bodies near by that come towards it. Kinematic bodies count as
/// near as they will be at the end of the step, if the character goes `planned` by itself; those
/// that it stands on do not.
std::vector<Touch> find_touches(const Mover& mover, math::Vec3 planned);
/// Of what walking and flying are not lifted by: steep sides count as vertical, too.
void add_planes(const Mover& mover, const Touch& touch, bool is_walking,
                std::vector<Plane>& planes);
/// Parts from what overlaps the skin, or will by its own motion.
void make_way(Mover& mover, math::Vec3 planned);
/// Goes the way, along what it meets. Whether it came to its end.
bool slide(Mover& mover, math::Vec3 way, const Unseen& unseen);
void note_touch(Mover& mover, const Touch& touch, math::Vec3 wanted);

/// On firm ground. `wanted` in m/s, level, relative to the ground.
void walk(Mover& mover, math::Vec3 wanted);
/// In the air or on steep ground, from a velocity in m/s.
void fly(Mover& mover, math::Vec3 velocity);

/// Pushes the dynamic bodies that were in the way of the velocity wanted, m/s in the world's frame.
void push(Mover& mover, math::Vec3 wanted);
/// Bears on a dynamic body under it.
void bear_down(Mover& mover, float impulse);  // N·s

}  // namespace jostle::character
