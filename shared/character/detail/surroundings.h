#pragma once

#include "shared/physics/world.h"

#include <optional>
#include <vector>

namespace jostle::character {

/// A capsule and the world that it queries.
struct CapsuleQuery {
  const physics::World& world;
  state::Shape capsule;
  math::Quat rotation;
  math::Vec3 up;
  physics::BodyHandle own;  // the character's own body; queries ignore it
  physics::Filter filter;
  float skin = 0;      // m
  float walkable = 0;  // cosine of the steepest walkable slope
};

/// Returns true if a contact normal, which points from the ground to the character, is walkable.
inline bool is_walkable(const CapsuleQuery& around, math::Vec3 normal) {
  return dot(normal, around.up) >= around.walkable;
}

/// Returns the horizontal part of `v`.
inline math::Vec3 level_part(const CapsuleQuery& around, math::Vec3 v) {
  return v - around.up * dot(v, around.up);
}

/// Returns the shapes within `distance` of the capsule at `at`, ordered by (distance, shape). Omits
/// the character's own body and shapes that the filter excludes.
std::vector<physics::ClosestHit> find_near(const CapsuleQuery& around, math::Position at,
                                           float distance);

/// A shape in the way of a sweep.
struct Obstacle {
  physics::CastHit hit;
  float free = 0;  // m, ≥ 0: distance that the capsule can move before its skin touches the shape
};

/// Bodies that a sweep ignores.
struct SweepFilter {
  physics::BodyHandle body;
  /// Duration of the sweep in seconds. If it is not 0, the sweep also ignores kinematic bodies that
  /// move away at least as fast as the capsule approaches them.
  float leaving_seconds = 0;
};

/// Returns all obstacles within the length of `way`, nearest first, except those in `unseen`.
std::vector<Obstacle> find_obstacles(const CapsuleQuery& around, math::Position from,
                                     math::Vec3 way, const SweepFilter& unseen);

/// Fraction of the displacement `way` that the capsule can move, and the obstacle that stops it.
struct Sweep {
  float share = 1;
  std::optional<physics::CastHit> hit;
};
Sweep sweep(const CapsuleQuery& around, math::Position from, math::Vec3 way,
            const SweepFilter& unseen);

/// Returns true if a contact is at the edge of a walkable face. The contact normal at an edge
/// differs from the face's normal, so a vertical ray finds the face behind the edge.
bool is_edge_of_walkable(const CapsuleQuery& around, physics::ShapeHandle shape,
                         math::Position point, math::Vec3 normal);

/// Returns true if the touched shapes allow no downward motion that is steeper than a walkable
/// slope. The character then stands, for example between two steep sides.
bool is_held(const CapsuleQuery& around, math::Position at);

/// Returns true if the first shape straight below `from`, within `depth`, is walkable where the ray
/// hits it.
bool has_walkable_below(const CapsuleQuery& around, math::Position from, float depth);

}  // namespace jostle::character
