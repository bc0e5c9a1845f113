#pragma once

#include "shared/physics/narrow_phase/collide.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace jostle::physics {

/// A point in which a body meets one part of a surface: a face, an edge or a corner of it.
struct SurfacePoint {
  math::Vec3 normal;  // unit, from the surface to the body
  CollisionPoint point;
};

/// All such points of a body; of too many the ones with the least separation.
class SurfacePoints {
 public:
  static constexpr std::size_t capacity = 64;

  void add(const SurfacePoint& point);

  /// The points as few collisions: in each those whose normals are almost the same, under the
  /// deepest one's normal, and of them four that hold the body best. Points nearer to each other
  /// than a small share of `size` count once. The deepest collision comes first. Normals and
  /// positions stay in the frame in which they were added.
  void merge(float size, CollisionSet& result) const;

 private:
  std::size_t count_ = 0;
  std::array<SurfacePoint, capacity> list_;
};

}  // namespace jostle::physics
