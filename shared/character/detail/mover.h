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
/// Returns the displacement of a point of a body during the step, m; zero if the body is null,
/// static, disabled or quarantined.
math::Vec3 way_of(const Mover& mover, physics::BodyHandle body, math::Position point);

/// Returns the largest gap at which the character counts as touching a shape, m.
inline float touching_gap(const Mover& mover) {
  return 2.0f * mover.tolerance;
}

/// Returns the shapes that the character touches, and kinematic bodies within 0.25 m that approach
/// it. The gap of an approaching body is predicted for the end of the step: the body's displacement
/// towards the character is subtracted. If the displacement `planned` points away from the body,
/// only the difference is subtracted. The gap of the body that the character stands on is the
/// current one.
std::vector<Touch> find_touches(const Mover& mover, math::Vec3 planned);
/// Adds the planes of a touch that limit the character's motion. A side that is too steep to walk
/// on also adds a vertical plane, so that the character is not lifted by moving against it. This
/// does not apply at the edge of a walkable face if the character flies (`is_walking` is false).
void add_planes(const Mover& mover, const Touch& touch, bool is_walking,
                std::vector<Plane>& planes);
/// Moves the character away from bodies that overlap the skin, or that will overlap it by their own
/// motion if the character moves by `planned`. Sets `character.is_crushed`.
void resolve_penetration(Mover& mover, math::Vec3 planned);
/// Moves the character by the displacement `way`, sliding along obstacles. Ignores the bodies that
/// `unseen` describes. Returns true if the character met no obstacle.
bool slide(Mover& mover, math::Vec3 way, const SweepFilter& unseen);
/// Adds the touch to `mover.touched` if the character touches the shape and the motion `wanted`
/// points into it.
void note_touch(Mover& mover, const Touch& touch, math::Vec3 wanted);

/// Moves the character on firm ground. `wanted` is in m/s, horizontal and relative to the ground.
void walk(Mover& mover, math::Vec3 wanted);
/// Moves the character in the air or on steep ground, with an initial velocity in m/s.
void fly(Mover& mover, math::Vec3 velocity);

/// Pushes the dynamic bodies in `mover.touched` until they are as fast as the velocity `wanted`
/// (m/s, world frame), within the limit of the push force.
void push(Mover& mover, math::Vec3 wanted);
/// Applies the downward impulse to the ground body at the character's foot, if the ground body is
/// dynamic.
void apply_weight(Mover& mover, float impulse);  // N·s

}  // namespace jostle::character
