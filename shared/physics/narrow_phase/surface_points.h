#pragma once

#include "shared/physics/narrow_phase/collide.h"

#include <cstddef>
#include <vector>

namespace jostle::physics {

/// All points in which a body meets a surface; of too many the ones with the least separation.
class SurfacePoints {
 public:
  static constexpr std::size_t capacity = 64;

  explicit SurfacePoints(std::vector<SurfacePoint>& memory) : list_(memory) { list_.clear(); }

  void add(const SurfacePoint& point);

  /// The points as few collisions: in each those whose normals are almost the same, under the
  /// deepest one's normal, and of them four that hold the body best. Points nearer to each other
  /// than a small share of `size` count once. The deepest collision comes first. Most bodies rest
  /// in few directions: those beyond the fourth cost their share of a step only where they may soon
  /// bear, no farther apart than a quarter of `margin`. Normals and positions stay in the frame in
  /// which they were added.
  void merge(float size, float margin, CollisionSet& result) const;

 private:
  std::vector<SurfacePoint>& list_;
};

}  // namespace jostle::physics
