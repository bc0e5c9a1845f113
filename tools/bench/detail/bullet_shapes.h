#pragma once

#include "tools/bench/detail/bullet_convert.h"
#include "tools/workload/scene.h"

#include <memory>
#include <vector>

namespace jostle::bench {

/// The shape and mass of a body in Bullet's terms.
struct BulletSolid {
  btCollisionShape* shape = nullptr;  // shape in the frame of Bullet's body
  btScalar mass = 0;
  btVector3 inertia{0, 0, 0};
  /// The frame of Bullet's body in the body's frame. Its origin is the centre of mass, its axes are
  /// the principal axes of inertia.
  btTransform frame = btTransform::getIdentity();
};

/// The collision shapes of a scene. They must outlive the bodies that use them.
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
