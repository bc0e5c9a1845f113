#include "shared/base/assert.h"
#include "shared/base/hash.h"
#include "tools/bench/detail/bullet_joints.h"
#include "tools/bench/detail/bullet_shapes.h"
#include "tools/bench/engine.h"

#include <BulletCollision/CollisionDispatch/btManifoldResult.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace jostle::bench {
namespace {

/// Filters pairs by the collision groups of scene files, which Bullet's bit masks cannot express.
struct PairFilter final : btOverlapFilterCallback {
  std::vector<workload::Filter> filters;  // filters, indexed by the bodies' user index

  bool needBroadphaseCollision(btBroadphaseProxy* one, btBroadphaseProxy* other) const override {
    const auto* a = static_cast<const btCollisionObject*>(one->m_clientObject);
    const auto* b = static_cast<const btCollisionObject*>(other->m_clientObject);
    if (a->isStaticOrKinematicObject() && b->isStaticOrKinematicObject()) return false;
    const workload::Filter& x = filters[static_cast<std::size_t>(a->getUserIndex())];
    const workload::Filter& y = filters[static_cast<std::size_t>(b->getUserIndex())];
    if (x.group != 0 && x.group == y.group) return x.group > 0;
    return (x.category & y.mask) != 0 && (y.category & x.mask) != 0;
  }
};

/// Returns the larger value of the two bodies: the combine rule of scene files for restitution and
/// for rolling and spinning resistance.
template <btScalar (btCollisionObject::*value)() const>
btScalar larger_of(const btCollisionObject* a, const btCollisionObject* b) {
  return std::max((a->*value)(), (b->*value)());
}

/// Bullet 3 in the configuration of its own examples: dynamic AABB tree, sequential-impulse solver
/// with 10 iterations and warm starting, default margins.
///
/// Ignores features of scene files that Bullet lacks: substeps, speed limits, and different
/// materials or filters for the parts of a body. All parts get the material and the filter of the
/// first part.
class BulletEngine final : public Engine {
 public:
  explicit BulletEngine(const workload::Scene& scene)
      : scene_(scene),
        dispatcher_(&configuration_),
        world_(&dispatcher_, &broad_phase_, &solver_, &configuration_),
        shapes_(scene) {
    world_.setGravity(to_bullet(scene.gravity));
    world_.getSolverInfo().m_numIterations = 10;
    // These are global variables of Bullet; each engine runs in its own process.
    gCalculateCombinedRestitutionCallback = larger_of<&btCollisionObject::getRestitution>;
    gCalculateCombinedRollingFrictionCallback = larger_of<&btCollisionObject::getRollingFriction>;
    gCalculateCombinedSpinningFrictionCallback = larger_of<&btCollisionObject::getSpinningFriction>;
    if (scene.world) use_settings(*scene.world);
    for (const workload::Body& body : scene.bodies)
      add_body(body);
    for (const workload::Joint& joint : scene.joints)
      add_joint(joint);
    filter_pairs();
  }

  ~BulletEngine() override {
    for (const auto& joint : joints_)
      world_.removeConstraint(joint.get());
    for (const auto& body : bodies_)
      world_.removeRigidBody(body.get());
  }

  void step() override {
    for (const std::uint32_t body : drifting_)
      drift(*bodies_[body]);
    world_.stepSimulation(scene_.step_seconds, 0, scene_.step_seconds);
  }

  workload::BodyState state(std::uint32_t body) const override {
    const btRigidBody& b = *bodies_[body];
    const btTransform pose = b.getWorldTransform() * to_body_frame_[body];
    const btQuaternion q = pose.getRotation();
    return {from_bullet(pose.getOrigin()),
            {q.x(), q.y(), q.z(), q.w()},
            from_bullet(b.getLinearVelocity()),
            from_bullet(b.getAngularVelocity())};
  }

  state::PushedBody body_state(std::uint32_t body) const override {
    const btRigidBody& b = *bodies_[body];
    const btVector3 at = b.getWorldTransform() * to_body_frame_[body].getOrigin();
    const btScalar inverse = b.getInvMass();
    return {math::to_position(from_bullet(at)), from_bullet(b.getLinearVelocity()),
            inverse > 0 ? 1 / inverse : 0};
  }

  void push(std::uint32_t body, math::Vec3 impulse, math::Vec3 point) override {
    bodies_[body]->activate();
    bodies_[body]->applyImpulse(to_bullet(impulse), to_bullet(point));
  }

  void drive(std::uint32_t body, math::Vec3 velocity) override {
    bodies_[body]->activate(true);
    bodies_[body]->setLinearVelocity(to_bullet(velocity));
  }

  /// Sets the pose of a kinematic body. Bullet derives the velocity from the difference to the pose
  /// after the previous step.
  void move(std::uint32_t body, const math::Pose& target) override {
    bodies_[body]->setWorldTransform(to_bullet(math::to_vec3(target.position), target.rotation));
  }

  StepCounts counts() const override {
    StepCounts counts;
    for (const auto& body : bodies_)
      counts.awake += !body->isStaticOrKinematicObject() && body->isActive() ? 1U : 0U;
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
  void use_settings(const workload::WorldSettings& settings) {
    gDeactivationTime = settings.sleep_seconds;  // a global variable, too
    world_.getSolverInfo().m_restitutionVelocityThreshold = settings.restitution_threshold;
  }

  void set_rest(const workload::Body& body, btRigidBody& made) const {
    if (scene_.world) {
      made.setSleepingThresholds(scene_.world->sleep_linear_speed,
                                 scene_.world->sleep_angular_speed);
    }
    if (!scene_.may_sleep || !body.is_sleep_allowed) {
      made.setActivationState(DISABLE_DEACTIVATION);
    } else if (!body.is_awake) {
      made.setActivationState(ISLAND_SLEEPING);
    }
  }

  void add_body(const workload::Body& body) {
    const BulletSolid solid = shapes_.solid_of(body);
    const workload::Surface surface = surface_of(scene_, body.parts.front());
    btRigidBody::btRigidBodyConstructionInfo info(solid.mass, nullptr, solid.shape, solid.inertia);
    info.m_startWorldTransform = to_bullet(body.position, body.rotation) * solid.frame;
    // Bullet multiplies the friction coefficients of the two bodies; scene files specify the
    // geometric mean.
    info.m_friction = std::sqrt(surface.friction);
    info.m_restitution = surface.restitution;
    info.m_rollingFriction = surface.rolling_resistance;
    info.m_spinningFriction = surface.spinning_resistance;
    // Bullet's damping is the fraction of velocity lost per second.
    info.m_linearDamping = 1 - std::exp(-body.linear_damping);
    info.m_angularDamping = 1 - std::exp(-body.angular_damping);
    auto made = std::make_unique<btRigidBody>(info);
    made->setLinearVelocity(to_bullet(body.linear_velocity));
    made->setAngularVelocity(to_bullet(body.angular_velocity));
    made->setUserIndex(static_cast<int>(bodies_.size()));
    if (body.is_rotation_locked) made->setAngularFactor(0);
    if (body.motion == workload::Motion::Kinematic) {
      made->setCollisionFlags(made->getCollisionFlags() | btCollisionObject::CF_KINEMATIC_OBJECT);
      made->setActivationState(DISABLE_DEACTIVATION);
      drifting_.push_back(static_cast<std::uint32_t>(bodies_.size()));
    } else {
      set_rest(body, *made);
    }
    if (body.group < 0) {
      // Each negative group gets one of 15 bits of Bullet's filter; groups 15 apart share a bit.
      const int bit = 1 << (16 + (-body.group) % 15);
      world_.addRigidBody(made.get(), bit, ~bit);
    } else {
      world_.addRigidBody(made.get());
    }
    if (body.gravity_scale != 1) made->setGravity(body.gravity_scale * to_bullet(scene_.gravity));
    to_body_frame_.push_back(solid.frame.inverse());
    bodies_.push_back(std::move(made));
  }

  void add_joint(const workload::Joint& joint) {
    for (auto& part : make_bullet_joint(joint, *bodies_[joint.body_a], *bodies_[joint.body_b],
                                        scene_.step_seconds)) {
      world_.addConstraint(part.get(), !joint.do_bodies_collide);
      joints_.push_back(std::move(part));
    }
  }

  /// Removes the bodies with a scripted motion from `drifting_`. Installs the pair filter if the
  /// scene uses filters. Call this function after all bodies were added.
  void filter_pairs() {
    for (const workload::BodyKinematicMotion& kinematic_motion : scene_.kinematic_motions)
      std::erase(drifting_, kinematic_motion.body);
    bool has_some = false;
    for (const workload::Body& body : scene_.bodies) {
      const workload::Part& part = body.parts.front();
      has_some = has_some || part.filter != workload::Filter{};
      filter_.filters.push_back(filter_of(body, part));
    }
    if (has_some) world_.getPairCache()->setOverlapFilterCallback(&filter_);
  }

  /// Integrates the pose of a kinematic body without a scripted motion over one step, by its
  /// velocities. Bullet does not move kinematic bodies itself.
  void drift(btRigidBody& body) const {
    btTransform next;
    btTransformUtil::integrateTransform(body.getWorldTransform(), body.getLinearVelocity(),
                                        body.getAngularVelocity(), scene_.step_seconds, next);
    body.setWorldTransform(next);
  }

  const workload::Scene& scene_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_;
  btDbvtBroadphase broad_phase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_;
  PairFilter filter_;
  BulletShapes shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  /// The pose of each body of the scene in the frame of its Bullet body, parallel to bodies_.
  std::vector<btTransform> to_body_frame_;
  // kinematic bodies without a scripted motion; drift() moves them
  std::vector<std::uint32_t> drifting_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

}  // namespace

EngineKind bullet_engine() {
  return {"bullet",
          [](const workload::Scene& scene, const EngineSettings&, std::string&)
              -> std::unique_ptr<Engine> { return std::make_unique<BulletEngine>(scene); }};
}

}  // namespace jostle::bench
