#pragma once

#include "shared/physics/world.h"

#include <optional>
#include <vector>

namespace jostle::character {

/// How a capsule sees the world.
struct Surroundings {
  const physics::World& world;
  state::Shape capsule;
  math::Quat rotation;
  math::Vec3 up;
  physics::BodyHandle own;  // is not seen
  physics::Filter filter;
  float skin = 0;      // m
  float walkable = 0;  // the cosine of the steepest slope that is walked
};

/// Of a contact whose normal points from the ground to the character.
inline bool is_walkable(const Surroundings& around, math::Vec3 normal) {
  return dot(normal, around.up) >= around.walkable;
}

/// The part of `v` that is level.
inline math::Vec3 level_part(const Surroundings& around, math::Vec3 v) {
  return v - around.up * dot(v, around.up);
}

/// All that is seen within `distance`, by (distance, shape).
std::vector<physics::NearHit> find_near(const Surroundings& around, math::Position at,
                                        float distance);

/// A shape in the way, and how far the capsule can go along the way until the skin touches it.
struct Obstacle {
  physics::RayHit hit;
  float free = 0;  // m, 0 and more
};

/// What a sweep looks through.
struct Unseen {
  physics::BodyHandle body;
  /// Kinematic bodies, too, that leave along the way at least as fast as the capsule comes: in this
  /// many seconds it goes the way. 0: none.
  float leaving_seconds = 0;
};

/// All that is in the way within its length, the nearest first.
std::vector<Obstacle> find_obstacles(const Surroundings& around, math::Position from,
                                     math::Vec3 way, const Unseen& unseen);

/// How far the capsule comes on its way, as a share of it, and what stops it.
struct Sweep {
  float share = 1;
  std::optional<physics::RayHit> hit;
};
Sweep sweep(const Surroundings& around, math::Position from, math::Vec3 way, const Unseen& unseen);

/// Whether a contact is at the edge of a face that can be walked: the normal at an edge tells
/// nothing of what lies behind it.
bool is_edge_of_walkable(const Surroundings& around, physics::ShapeHandle shape,
                         math::Position point, math::Vec3 normal);

/// Whether what it touches leaves it no way down that is steeper than what is walked: between steep
/// sides it stands.
bool is_held(const Surroundings& around, math::Position at);

/// Whether there is something to walk on within `depth` straight below.
bool has_walkable_below(const Surroundings& around, math::Position from, float depth);

}  // namespace jostle::character
