#include "shared/base/assert.h"
#include "shared/base/hash.h"
#include "tools/bench/engine.h"
#include "tools/workload/hull.h"

#include <btBulletDynamicsCommon.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace jostle::bench {
namespace {

using workload::ShapeKind;

btVector3 to_bullet(math::Vec3 v) {
  return {v.x, v.y, v.z};
}
btTransform to_bullet(math::Vec3 position, math::Quat q) {
  return btTransform(btQuaternion(q.x, q.y, q.z, q.w), to_bullet(position));
}
math::Vec3 from_bullet(const btVector3& v) {
  return {v.x(), v.y(), v.z()};
}

/// A frame at the anchor whose `axis_column` is the joint's axis.
btTransform joint_frame(const workload::Joint& joint, int axis_column) {
  const math::Vec3 side = perpendicular(joint.axis);
  const math::Vec3 third = cross(joint.axis, side);
  const btVector3 a = to_bullet(joint.axis), b = to_bullet(side), c = to_bullet(third);
  const btVector3 x = axis_column == 0 ? a : b, y = axis_column == 0 ? b : c;
  const btVector3 z = axis_column == 0 ? c : a;
  return btTransform(btMatrix3x3(x.x(), y.x(), z.x(), x.y(), y.y(), z.y(), x.z(), y.z(), z.z()),
                     to_bullet(joint.anchor));
}

/// Bullet 3, as its own examples set it up: the dynamic AABB tree, the sequential impulse solver
/// with 10 iterations and warm starting, default margins.
class BulletEngine final : public Engine {
 public:
  explicit BulletEngine(const workload::Scene& scene)
      : scene_(scene),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broad_phase_, &solver_, &configuration_) {
    world_.setGravity(to_bullet(scene.gravity));
    world_.getSolverInfo().m_numIterations = 10;
    for (const workload::Shape& shape : scene.shapes)
      shapes_.push_back(make_shape(shape));
    for (const workload::Body& body : scene.bodies)
      add_body(body);
    for (const workload::Joint& joint : scene.joints)
      add_joint(joint);
  }

  ~BulletEngine() override {
    for (const auto& joint : joints_)
      world_.removeConstraint(joint.get());
    for (const auto& body : bodies_)
      world_.removeRigidBody(body.get());
  }

  void step() override { world_.stepSimulation(scene_.step_seconds, 0, scene_.step_seconds); }

  workload::BodyState state(std::uint32_t body) const override {
    const btRigidBody& b = *bodies_[body];
    const btQuaternion q = b.getWorldTransform().getRotation();
    return {from_bullet(b.getWorldTransform().getOrigin()),
            {q.x(), q.y(), q.z(), q.w()},
            from_bullet(b.getLinearVelocity()),
            from_bullet(b.getAngularVelocity())};
  }

  void push(std::uint32_t body, math::Vec3 impulse) override {
    bodies_[body]->activate();
    bodies_[body]->applyCentralImpulse(to_bullet(impulse));
  }

  void drive(std::uint32_t body, math::Vec3 velocity) override {
    bodies_[body]->activate(true);
    bodies_[body]->setLinearVelocity(to_bullet(velocity));
  }

  StepCounts counts() const override {
    StepCounts counts;
    for (const auto& body : bodies_)
      counts.awake += !body->isStaticObject() && body->isActive() ? 1U : 0U;
    for (int i = 0; i < dispatcher_.getNumManifolds(); ++i) {
      const int points = dispatcher_.getManifoldByIndexInternal(i)->getNumContacts();
      counts.touching_pairs += points > 0 ? 1U : 0U;
      counts.contact_points += static_cast<std::uint32_t>(points);
    }
    return counts;
  }

  std::uint64_t state_hash() const override {
    std::vector<workload::BodyState> states;
    for (std::uint32_t i = 0; i < bodies_.size(); ++i)
      states.push_back(state(i));
    return base::hash_bytes(workload::encode_dump(states));
  }

 private:
  std::unique_ptr<btCollisionShape> make_shape(const workload::Shape& shape) {
    const float r = shape.radius, h = shape.half_segment;
    switch (shape.kind) {
      case ShapeKind::Sphere:
        return std::make_unique<btSphereShape>(r);
      case ShapeKind::Box:
        return std::make_unique<btBoxShape>(to_bullet(shape.half_extents));
      case ShapeKind::Capsule:
        return std::make_unique<btCapsuleShape>(r, 2 * h);
      case ShapeKind::Cylinder:
        return std::make_unique<btCylinderShape>(btVector3(r, h, r));
      case ShapeKind::Cone:
        return std::make_unique<btConeShape>(r, 2 * h);
      case ShapeKind::Plane:
        return std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), 0.0f);
      case ShapeKind::Hull: {
        auto hull = std::make_unique<btConvexHullShape>();
        for (const math::Vec3& point : shape.points)
          hull->addPoint(to_bullet(point), false);
        hull->recalcLocalAabb();
        return hull;
      }
      case ShapeKind::Mesh:
        break;
    }
    auto mesh = std::make_unique<btTriangleMesh>();
    mesh->preallocateVertices(static_cast<int>(shape.points.size()));
    mesh->preallocateIndices(static_cast<int>(3 * shape.triangles.size()));
    for (const math::Vec3& point : shape.points)
      mesh->findOrAddVertex(to_bullet(point), false);
    for (const auto& t : shape.triangles)
      mesh->addTriangleIndices(static_cast<int>(t[0]), static_cast<int>(t[1]),
                               static_cast<int>(t[2]));
    meshes_.push_back(std::move(mesh));
    return std::make_unique<btBvhTriangleMeshShape>(meshes_.back().get(), true);
  }

  /// The body's own shape where it has a single one in its middle, else a compound.
  btCollisionShape* shape_of(const workload::Body& body) {
    const workload::Part& first = body.parts.front();
    if (body.parts.size() == 1 && first.local.offset == math::Vec3{} &&
        first.local.rotation == math::Quat{}) {
      return shapes_[first.shape].get();
    }
    auto compound = std::make_unique<btCompoundShape>();
    for (const workload::Part& part : body.parts) {
      compound->addChildShape(to_bullet(part.local.offset, part.local.rotation),
                              shapes_[part.shape].get());
    }
    shapes_.push_back(std::move(compound));
    return shapes_.back().get();
  }

  /// Of the solid, not of its bounding box, which Bullet takes for capsules and hulls.
  void set_mass(const workload::Body& body, btRigidBody::btRigidBodyConstructionInfo& info) const {
    if (!workload::is_dynamic(body)) return;
    double volume = 0;
    math::Position inertia;
    for (const workload::Part& part : body.parts) {
      const workload::SolidMoments moments = workload::moments_of(scene_.shapes[part.shape]);
      volume += moments.volume;
      inertia = {inertia.x + moments.inertia.x, inertia.y + moments.inertia.y,
                 inertia.z + moments.inertia.z};
    }
    const double density = body.mass > 0 ? static_cast<double>(body.mass) / volume
                                         : static_cast<double>(scene_.density);
    info.m_mass = static_cast<btScalar>(density * volume);
    info.m_localInertia = btVector3(static_cast<btScalar>(density * inertia.x),
                                    static_cast<btScalar>(density * inertia.y),
                                    static_cast<btScalar>(density * inertia.z));
  }

  void add_body(const workload::Body& body) {
    btRigidBody::btRigidBodyConstructionInfo info(0, nullptr, shape_of(body));
    set_mass(body, info);
    info.m_startWorldTransform = to_bullet(body.position, body.rotation);
    info.m_friction = std::sqrt(scene_.friction);  // Bullet multiplies the two of a pair
    info.m_restitution = scene_.restitution;
    auto made = std::make_unique<btRigidBody>(info);
    made->setLinearVelocity(to_bullet(body.linear_velocity));
    made->setAngularVelocity(to_bullet(body.angular_velocity));
    if (!scene_.may_sleep) made->setActivationState(DISABLE_DEACTIVATION);
    if (body.group < 0) {
      // One bit of Bullet's filter per group, shared by every sixteenth.
      const int bit = 1 << (16 + (-body.group) % 15);
      world_.addRigidBody(made.get(), bit, ~bit);
    } else {
      world_.addRigidBody(made.get());
    }
    bodies_.push_back(std::move(made));
  }

  void add_joint(const workload::Joint& joint) {
    btRigidBody& a = *bodies_[joint.body_a];
    btRigidBody& b = *bodies_[joint.body_b];
    const btTransform to_a = a.getWorldTransform().inverse();
    const btTransform to_b = b.getWorldTransform().inverse();
    const btVector3 anchor = to_bullet(joint.anchor);
    switch (joint.kind) {
      case workload::JointKind::Ball:
        joints_.push_back(
            std::make_unique<btPoint2PointConstraint>(a, b, to_a * anchor, to_b * anchor));
        break;
      case workload::JointKind::ConeTwist: {
        const btTransform frame = joint_frame(joint, 0);
        auto made = std::make_unique<btConeTwistConstraint>(a, b, to_a * frame, to_b * frame);
        made->setLimit(joint.cone, joint.cone, joint.limit);
        joints_.push_back(std::move(made));
        break;
      }
      case workload::JointKind::Hinge: {
        const btTransform frame = joint_frame(joint, 2);
        auto made = std::make_unique<btHingeConstraint>(a, b, to_a * frame, to_b * frame);
        made->setLimit(-joint.limit, joint.limit);
        joints_.push_back(std::move(made));
        break;
      }
      case workload::JointKind::Slider:
      case workload::JointKind::Fixed:
      case workload::JointKind::Rod:
        return;  // refused by make
    }
    world_.addConstraint(joints_.back().get(), !scene_.jointed_bodies_collide);
  }

  const workload::Scene& scene_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  std::vector<std::unique_ptr<btTriangleMesh>> meshes_;
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

std::unique_ptr<Engine> make(const workload::Scene& scene, const EngineSettings&,
                             std::string& refusal) {
  for (const workload::Joint& joint : scene.joints) {
    if (joint.kind == workload::JointKind::Slider || joint.kind == workload::JointKind::Fixed ||
        joint.kind == workload::JointKind::Rod) {
      refusal = "sliders, fixed joints and rods are not translated for Bullet";
      return nullptr;
    }
  }
  return std::make_unique<BulletEngine>(scene);
}

}  // namespace

EngineKind bullet_engine() {
  return {"bullet", make};
}

}  // namespace jostle::bench
