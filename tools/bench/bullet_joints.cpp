#include "tools/bench/detail/bullet_joints.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jostle::bench {
namespace {

using workload::JointKind;

constexpr btScalar full_circle = 2 * SIMD_PI;

/// Returns a frame at the anchor. Its column `axis_column`, 0 or 2, is the joint's axis.
btTransform joint_frame(const workload::Joint& joint, int axis_column) {
  const math::Vec3 side = perpendicular(joint.axis);
  const math::Vec3 third = cross(joint.axis, side);
  const btVector3 a = to_bullet(joint.axis), b = to_bullet(side), c = to_bullet(third);
  const btVector3 x = axis_column == 0 ? a : b, y = axis_column == 0 ? b : c;
  const btVector3 z = axis_column == 0 ? c : a;
  return btTransform(btMatrix3x3(x.x(), y.x(), z.x(), x.y(), y.y(), z.y(), x.z(), y.z(), z.z()),
                     to_bullet(joint.anchor));
}

/// Returns `frame` rotated about the joint's axis by the middle of the joint's limits. The limits
/// are symmetric in the returned frame, as Bullet's cone-twist constraint requires.
btTransform middle_of_limits(const workload::Joint& joint, const btTransform& frame) {
  const btScalar middle = joint.limits ? (joint.limits->lower + joint.limits->upper) / 2 : 0;
  if (middle == 0) return frame;
  btTransform turned = frame;
  turned.setBasis(btMatrix3x3(btQuaternion(to_bullet(joint.axis), middle)) * frame.getBasis());
  return turned;
}

btScalar half_range(const workload::Joint& joint) {
  return joint.limits ? (joint.limits->upper - joint.limits->lower) / 2 : full_circle;
}

/// A constraint that Bullet lacks: a distance joint (rigid or with limits, spring and motor), or
/// the spring of a hinge or slider. It has up to three rows: the rigid distance or the violated
/// limit, the spring, and the motor.
///
/// C is the distance, the travel along the axis or the angle about it. J is the Jacobian of C:
/// dC/dt = J·v with the velocities v of both bodies.
class AxisConstraint final : public btTypedConstraint {
 public:
  AxisConstraint(const workload::Joint& joint, btRigidBody& a, btRigidBody& b, float step_seconds)
      : btTypedConstraint(MAX_CONSTRAINT_TYPE, a, b),
        joint_(joint),
        dt_(step_seconds),
        frame_a_(a.getWorldTransform().inverse() * joint_frame(joint, 0)),
        frame_b_(b.getWorldTransform().inverse() * joint_frame(joint, 0)) {
    if (joint.kind == JointKind::Distance) {
      frame_b_.setOrigin(b.getWorldTransform().inverse() * to_bullet(joint.anchor_b));
      const float length = math::length(joint.anchor_b - joint.anchor);
      rest_ = joint.rest.value_or(length);
    } else {
      rest_ = joint.rest.value_or(0.0f);
    }
  }

  void getInfo1(btConstraintInfo1* info) override {
    const Row row = measure();
    info->m_numConstraintRows = (holds(row) ? 1 : 0) + (joint_.spring ? 1 : 0) + (drives() ? 1 : 0);
    info->nub = 6 - info->m_numConstraintRows;
  }

  void getInfo2(btConstraintInfo2* info) override {
    const Row row = measure();
    int index = 0;
    if (holds(row)) add_hold(row, put(row, index++, *info), *info);
    if (joint_.spring) {
      const int at = put(row, index++, *info);
      info->m_lowerLimit[at] = info->m_upperLimit[at] = spring_impulse(row);
    }
    if (drives()) {
      const int at = put(row, index++, *info);
      info->m_constraintError[at] = joint_.motor->speed;
      info->m_upperLimit[at] = joint_.motor->max_force * dt_;
      info->m_lowerLimit[at] = -info->m_upperLimit[at];
    }
  }

  void setParam(int, btScalar, int) override {}
  btScalar getParam(int, int) const override { return 0; }

 private:
  struct Row {
    btScalar value = 0;         // C
    btVector3 linear{0, 0, 0};  // direction for body b; body a has the opposite
    btVector3 angular_a, angular_b;
    btScalar speed = 0, inverse_mass = 0;  // J·v, J·M⁻¹·Jᵀ
  };

  bool is_distance() const { return joint_.kind == JointKind::Distance; }
  bool is_bond() const {
    return is_distance() && !joint_.limits && !joint_.spring && !joint_.motor;
  }
  /// Returns true for a distance joint with a motor. Hinges and sliders use Bullet's own motors.
  bool drives() const { return is_distance() && joint_.motor.has_value(); }
  bool holds(const Row& row) const {
    if (!is_distance()) return false;
    if (is_bond()) return true;
    return joint_.limits && (row.value < joint_.limits->lower || row.value > joint_.limits->upper);
  }

  Row measure() const {
    const btTransform a = m_rbA.getWorldTransform() * frame_a_;
    const btTransform b = m_rbB.getWorldTransform() * frame_b_;
    const btVector3 axis = a.getBasis().getColumn(0), apart = b.getOrigin() - a.getOrigin();
    Row row;
    if (joint_.kind == JointKind::Hinge) {
      const btVector3 y = b.getBasis().getColumn(1);
      row.value = std::atan2(y.dot(a.getBasis().getColumn(2)), y.dot(a.getBasis().getColumn(1)));
      row.angular_b = axis;
      row.angular_a = -axis;
    } else {
      const btScalar length = apart.length();
      const btVector3 n = is_distance() && length > SIMD_EPSILON ? apart / length : axis;
      row.value = is_distance() ? length : apart.dot(axis);
      row.linear = n;
      // The velocity of body a is taken at the point that coincides with b's anchor.
      const btVector3 from_a = b.getOrigin() - m_rbA.getCenterOfMassPosition();
      const btVector3 from_b = b.getOrigin() - m_rbB.getCenterOfMassPosition();
      row.angular_a = -from_a.cross(n);
      row.angular_b = from_b.cross(n);
    }
    row.speed = row.linear.dot(m_rbB.getLinearVelocity() - m_rbA.getLinearVelocity()) +
                row.angular_a.dot(m_rbA.getAngularVelocity()) +
                row.angular_b.dot(m_rbB.getAngularVelocity());
    row.inverse_mass = inverse_mass_of(row, b.getOrigin());
    return row;
  }

  /// Returns J·M⁻¹·Jᵀ of the two bodies, taking the joint's other rows into account. The other rows
  /// of a slider prevent rotation, so only the masses remain. For a hinge, the result is the Schur
  /// complement of the rows at the anchor.
  btScalar inverse_mass_of(const Row& row, const btVector3& anchor) const {
    const btScalar inverse_masses = m_rbA.getInvMass() + m_rbB.getInvMass();
    if (joint_.kind == JointKind::Slider) return inverse_masses;
    const btMatrix3x3 &inertia_a = m_rbA.getInvInertiaTensorWorld(),
                      &inertia_b = m_rbB.getInvInertiaTensorWorld();
    const btVector3 turn_a = inertia_a * row.angular_a, turn_b = inertia_b * row.angular_b;
    const btScalar alone = row.linear.length2() * inverse_masses + row.angular_a.dot(turn_a) +
                           row.angular_b.dot(turn_b);
    if (joint_.kind == JointKind::Distance) return alone;
    const btVector3 from_a = anchor - m_rbA.getCenterOfMassPosition();
    const btVector3 from_b = anchor - m_rbB.getCenterOfMassPosition();
    const btMatrix3x3 arm_a = skew(from_a), arm_b = skew(from_b);
    const btMatrix3x3 masses(inverse_masses, 0, 0, 0, inverse_masses, 0, 0, 0, inverse_masses);
    const btMatrix3x3 at_anchor = masses - arm_a * inertia_a * arm_a - arm_b * inertia_b * arm_b;
    const btVector3 slip = turn_b.cross(from_b) - turn_a.cross(from_a);
    return alone - slip.dot(at_anchor.inverse() * slip);
  }

  static btMatrix3x3 skew(const btVector3& v) {
    return {0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0};
  }

  static int put(const Row& row, int index, btConstraintInfo2& info) {
    const int at = index * info.rowskip;
    for (int i = 0; i < 3; ++i) {
      info.m_J1linearAxis[at + i] = -row.linear[i];
      info.m_J1angularAxis[at + i] = row.angular_a[i];
      info.m_J2linearAxis[at + i] = row.linear[i];
      info.m_J2angularAxis[at + i] = row.angular_b[i];
    }
    return at;
  }

  void add_hold(const Row& row, int at, btConstraintInfo2& info) const {
    btScalar target = rest_;
    if (!is_bond()) {
      const bool is_short = row.value < joint_.limits->lower;
      target = is_short ? joint_.limits->lower : joint_.limits->upper;
      (is_short ? info.m_lowerLimit : info.m_upperLimit)[at] = 0;
    }
    info.m_constraintError[at] = info.erp * info.fps * (target - row.value);
  }

  /// Returns the impulse λ of a spring that is integrated implicitly, so that every stiffness is
  /// stable. With the speed s = dC/dt, the angular frequency ω, the damping ratio ζ, k = m·ω², c =
  /// 2·m·ζ·ω and m = 1/(J·M⁻¹·Jᵀ):
  ///
  ///   λ = −dt·(k·(C + dt·s − rest) + c·s)/(1 + dt·(c + dt·k)/m)
  btScalar spring_impulse(const Row& row) const {
    if (!(row.inverse_mass > 0)) return 0;
    const btScalar mass = 1 / row.inverse_mass, omega = full_circle * joint_.spring->hertz;
    const btScalar k = mass * omega * omega, c = 2 * mass * joint_.spring->damping_ratio * omega;
    const btScalar force = k * (row.value + dt_ * row.speed - rest_) + c * row.speed;
    return -dt_ * force / (1 + dt_ * (c + dt_ * k) / mass);
  }

  workload::Joint joint_;
  btScalar dt_;
  btTransform frame_a_, frame_b_;
  btScalar rest_ = 0;
};

std::unique_ptr<btTypedConstraint> make_cone_twist(const workload::Joint& joint, btRigidBody& a,
                                                   btRigidBody& b) {
  const btTransform frame = joint_frame(joint, 0);
  auto made = std::make_unique<btConeTwistConstraint>(
      a, b, a.getWorldTransform().inverse() * middle_of_limits(joint, frame),
      b.getWorldTransform().inverse() * frame);
  const btScalar cone = joint.cone ? *joint.cone : full_circle;
  made->setLimit(cone, cone, half_range(joint));
  return made;
}

std::unique_ptr<btTypedConstraint> make_hinge(const workload::Joint& joint, btRigidBody& a,
                                              btRigidBody& b, float step_seconds) {
  const btTransform frame = joint_frame(joint, 2);
  auto made = std::make_unique<btHingeConstraint>(
      a, b, a.getWorldTransform().inverse() * middle_of_limits(joint, frame),
      b.getWorldTransform().inverse() * frame);
  if (joint.limits && half_range(joint) < SIMD_PI)
    made->setLimit(-half_range(joint), half_range(joint));
  // Bullet measures the angle of a relative to b, and its motor takes an impulse.
  if (joint.motor)
    made->enableAngularMotor(true, -joint.motor->speed, joint.motor->max_force * step_seconds);
  return made;
}

std::unique_ptr<btTypedConstraint> make_slider(const workload::Joint& joint, btRigidBody& a,
                                               btRigidBody& b) {
  const btTransform frame = joint_frame(joint, 0);
  auto made = std::make_unique<btSliderConstraint>(a, b, a.getWorldTransform().inverse() * frame,
                                                   b.getWorldTransform().inverse() * frame, true);
  if (joint.limits) {
    made->setLowerLinLimit(joint.limits->lower);
    made->setUpperLinLimit(joint.limits->upper);
  }
  if (joint.motor) {
    made->setPoweredLinMotor(true);
    made->setTargetLinMotorVelocity(joint.motor->speed);
    made->setMaxLinMotorForce(joint.motor->max_force);
  }
  return made;
}

std::unique_ptr<btTypedConstraint> make_main(const workload::Joint& joint, btRigidBody& a,
                                             btRigidBody& b, float step_seconds) {
  const btTransform to_a = a.getWorldTransform().inverse();
  const btTransform to_b = b.getWorldTransform().inverse();
  switch (joint.kind) {
    case JointKind::Ball: {
      const btVector3 anchor = to_bullet(joint.anchor);
      return std::make_unique<btPoint2PointConstraint>(a, b, to_a * anchor, to_b * anchor);
    }
    case JointKind::ConeTwist:
      return make_cone_twist(joint, a, b);
    case JointKind::Hinge:
      return make_hinge(joint, a, b, step_seconds);
    case JointKind::Slider:
      return make_slider(joint, a, b);
    case JointKind::Fixed: {
      const btTransform frame = joint_frame(joint, 0);
      return std::make_unique<btFixedConstraint>(a, b, to_a * frame, to_b * frame);
    }
    case JointKind::Distance:
      break;
  }
  return std::make_unique<AxisConstraint>(joint, a, b, step_seconds);
}

}  // namespace

std::vector<std::unique_ptr<btTypedConstraint>> make_bullet_joint(const workload::Joint& joint,
                                                                  btRigidBody& a, btRigidBody& b,
                                                                  float step_seconds) {
  std::vector<std::unique_ptr<btTypedConstraint>> made;
  made.push_back(make_main(joint, a, b, step_seconds));
  // A Bullet constraint has one breaking impulse for forces and torques.
  const float most = std::max(joint.break_force, joint.break_torque);
  const float force = joint.break_force > 0 ? joint.break_force : most;
  if (most > 0) made.front()->setBreakingImpulseThreshold(force * step_seconds);
  const bool has_spring_beside =
      joint.spring && (joint.kind == JointKind::Hinge || joint.kind == JointKind::Slider);
  if (has_spring_beside)
    made.push_back(std::make_unique<AxisConstraint>(joint, a, b, step_seconds));
  return made;
}

}  // namespace jostle::bench
