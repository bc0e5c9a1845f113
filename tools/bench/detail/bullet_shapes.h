#pragma once

#include "tools/bench/detail/bullet_convert.h"
#include "tools/workload/scene.h"

#include <memory>
#include <vector>

namespace jostle::bench {

/// What Bullet is told of a body's shape and mass.
struct BulletSolid {
  btCollisionShape* shape = nullptr;  // in the frame of Bullet's body
  btScalar mass = 0;
  btVector3 inertia{0, 0, 0};
  /// Bullet's frame, which stands in the centre of mass with the principal axes of inertia, in the
  /// body's frame.
  btTransform frame = btTransform::getIdentity();
};

/// The shapes of a scene, which live as long as the bodies that have them.
class BulletShapes {
 public:
  explicit BulletShapes(const workload::Scene& scene);
  BulletSolid solid_of(const workload::Body& body);

 private:
  std::unique_ptr<btCollisionShape> make(const workload::Shape& shape);

  const workload::Scene& scene_;
  std::vector<std::unique_ptr<btTriangleMesh>> meshes_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
};

}  // namespace jostle::bench
