#pragma once

#include "shared/character/character.h"
#include "shared/character/detail/planes.h"
#include "shared/character/detail/surroundings.h"

#include <vector>

namespace jostle::character {

/// A point at which the character touches a shape, or may touch it within the step.
struct Touch {
  physics::BodyHandle body;
  physics::ShapeHandle shape;
  math::Position point;
  math::Vec3 normal;  // unit normal towards the character
  float gap = 0;      // gap between the skin and the shape, m
};

/// Data of one call of `move`.
struct Mover {
  physics::World& world;
  Character& character;
  const CharacterOptions& options;
  CapsuleQuery around;
  float seconds = 0;           // duration of the step
  float tolerance = 0;         // m, allowed error of the skin
  std::vector<Touch> touched;  // obstacles that the character touched in this step
};

// The functions below that move the character change `character.position`.

math::Position foot_of(const Mover& mover);
/// Returns the displacement of a point of a body during the step, m.
math::Vec3 way_of(const Mover& mover, physics::BodyHandle body, math::Position point);

/// Returns the maximum gap of a touch, m.
inline float touching_gap(const Mover& mover) {
  return 2.0f * mover.tolerance;
}

/// Returns the shapes that the character touches, and nearby kinematic bodies that approach it. The
/// gap to a kinematic body is that at the end of the step, if the character itself moves by
/// `planned`. The body that carries the character keeps its current gap.
std::vector<Touch> find_touches(const Mover& mover, math::Vec3 planned);
/// Adds the planes of a touch that limit the character's motion. A steep side adds a vertical plane
/// too, so that the character is not lifted by moving against it.
void add_planes(const Mover& mover, const Touch& touch, bool is_walking,
                std::vector<Plane>& planes);
/// Moves the character away from bodies that overlap the skin, or will overlap it by their own
/// motion.
void resolve_penetration(Mover& mover, math::Vec3 planned);
/// Moves the character by `way`, sliding along obstacles. Returns true if it touched no obstacle.
bool slide(Mover& mover, math::Vec3 way, const SweepFilter& unseen);
/// Adds the touch to `mover.touched` if it is in the way of the motion `wanted`.
void note_touch(Mover& mover, const Touch& touch, math::Vec3 wanted);

/// Moves the character on firm ground. `wanted` is in m/s, horizontal and relative to the ground.
void walk(Mover& mover, math::Vec3 wanted);
/// Moves the character in the air or on steep ground, with an initial velocity in m/s.
void fly(Mover& mover, math::Vec3 velocity);

/// Pushes the dynamic bodies that were in the way of the wanted velocity (m/s, world frame).
void push(Mover& mover, math::Vec3 wanted);
/// Applies a downward impulse to the ground body, if that is dynamic.
void apply_weight(Mover& mover, float impulse);  // N·s

}  // namespace jostle::character
