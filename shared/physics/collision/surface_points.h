#pragma once

#include "shared/physics/collision/collide.h"

#include <cstddef>
#include <vector>

namespace jostle::physics {

/// The contact points of a body and a surface (a mesh or height field). If more than `capacity`
/// points are added, those with the least separation are kept.
class SurfacePoints {
 public:
  static constexpr std::size_t capacity = 64;

  explicit SurfacePoints(std::vector<SurfacePoint>& memory) : list_(memory) { list_.clear(); }

  bool is_empty() const { return list_.empty(); }
  void add(const SurfacePoint& point);

  /// Merges the points into few manifolds. A manifold holds points whose normals are almost the
  /// same; its normal is that of the deepest one. The manifold is reduced to the four points that
  /// support the body best. Of points nearer to each other than a tenth of `size`, only the deepest
  /// counts. The deepest manifold comes first.
  ///
  /// Each manifold costs time, and most bodies rest in few directions. A fifth or later manifold is
  /// therefore made only if its deepest point may soon bear load: its separation is at most a
  /// quarter of `margin`. Normals and positions stay in the frame in which they were added.
  void merge(float size, float margin, CollisionSet& result) const;

 private:
  std::vector<SurfacePoint>& list_;
};

}  // namespace jostle::physics
