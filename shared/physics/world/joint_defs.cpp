#include "shared/base/assert.h"
#include "shared/math/trig.h"
#include "shared/physics/world.h"

namespace jostle::physics {

using math::Vec3;

namespace {

/// Returns a rotation that maps x to the unit vector `axis`; the shortest one unless `axis` is near
/// −x.
math::Quat rotation_to(Vec3 axis) {
  constexpr float nearly_opposite = -0.9999f;
  // Near −x the formula below divides by almost zero. A half turn about z maps x to −x, and the
  // rotation that then remains is small.
  if (axis.x < nearly_opposite) return rotation_to(-axis) * math::Quat{0, 0, 1, 0};
  return normalized(math::Quat{0, -axis.z, axis.y, 1.0f + axis.x});
}

math::Transform frame_in(const math::Pose& body, math::Position anchor, math::Quat rotation) {
  return {inverse_transform_point(body, anchor), normalized(conjugate(body.rotation) * rotation)};
}

/// Returns a joint whose two frames coincide: both are at `anchor` with `rotation` in the world.
JointDef def_at(const World& world, JointKind kind, BodyHandle a, BodyHandle b,
                math::Position anchor, math::Quat rotation) {
  JointDef def;
  def.kind = kind;
  def.body_a = a;
  def.body_b = b;
  def.frame_a = frame_in(world.pose(a), anchor, rotation);
  def.frame_b = frame_in(world.pose(b), anchor, rotation);
  return def;
}

/// Returns a joint with frames at the bodies' centres of mass. Their x axes are `axis_a` and
/// `axis_b`.
JointDef def_along(const World& world, JointKind kind, BodyHandle a, BodyHandle b, Vec3 axis_a,
                   Vec3 axis_b, float ratio) {
  JointDef def;
  def.kind = kind;
  def.body_a = a;
  def.body_b = b;
  def.frame_a = frame_in(world.pose(a), world.centre_of_mass(a), rotation_to(axis_a));
  def.frame_b = frame_in(world.pose(b), world.centre_of_mass(b), rotation_to(axis_b));
  def.details.edit().ratio = ratio;
  // The joint couples the motions of the bodies but does not hold them together, so they may still
  // collide.
  def.collide_connected = true;
  return def;
}

}  // namespace

JointDef make_joint_def(const World& world, JointKind kind, BodyHandle a, BodyHandle b,
                        math::Position anchor, Vec3 axis) {
  return def_at(world, kind, a, b, anchor, rotation_to(axis));
}

JointDef make_distance_joint_def(const World& world, BodyHandle a, BodyHandle b,
                                 math::Position anchor_a, math::Position anchor_b) {
  JointDef def;
  def.kind = JointKind::Distance;
  def.body_a = a;
  def.body_b = b;
  def.frame_a = frame_in(world.pose(a), anchor_a, {});
  def.frame_b = frame_in(world.pose(b), anchor_b, {});
  def.rest = length(anchor_b - anchor_a);
  return def;
}

JointDef make_six_dof_joint_def(const World& world, BodyHandle a, BodyHandle b,
                                math::Position anchor, math::Quat rotation) {
  JointDef def = def_at(world, JointKind::SixDof, a, b, anchor, rotation);
  def.details.edit();
  return def;
}

JointDef make_wheel_joint_def(const World& world, BodyHandle chassis, BodyHandle wheel,
                              math::Position centre, Vec3 up, Vec3 axle) {
  const math::Quat upright = rotation_to(up);
  // The frame is rotated about x until its z is the axle.
  const Vec3 across = inverse_rotate(upright, axle);
  JOSTLE_ASSERT(math::abs_of(across.x) < 0.9f);
  const float turn = math::atan2(-across.y, across.z);
  JointDef def = def_at(world, JointKind::Wheel, chassis, wheel, centre,
                        upright * math::from_axis_angle({1, 0, 0}, turn));
  def.details.edit();
  return def;
}

JointDef make_gear_joint_def(const World& world, BodyHandle a, BodyHandle b, Vec3 axis_a,
                             Vec3 axis_b, float ratio) {
  return def_along(world, JointKind::Gear, a, b, axis_a, axis_b, ratio);
}

JointDef make_rack_and_pinion_joint_def(const World& world, BodyHandle pinion, BodyHandle rack,
                                        Vec3 axis, Vec3 direction, float ratio) {
  return def_along(world, JointKind::RackAndPinion, pinion, rack, axis, direction, ratio);
}

JointDef make_pulley_joint_def(const World& world, BodyHandle a, BodyHandle b,
                               math::Position anchor_a, math::Position anchor_b,
                               math::Position ground_anchor_a, math::Position ground_anchor_b,
                               float ratio) {
  JointDef def = make_distance_joint_def(world, a, b, anchor_a, anchor_b);
  def.kind = JointKind::Pulley;
  JointDetails& details = def.details.edit();
  details.ratio = ratio;
  details.ground_anchor_a = ground_anchor_a;
  details.ground_anchor_b = ground_anchor_b;
  def.rest = length(anchor_a - ground_anchor_a) + ratio * length(anchor_b - ground_anchor_b);
  def.collide_connected = true;
  return def;
}

JointDef make_servo_joint_def(const World& world, BodyHandle a, BodyHandle b, math::Position anchor,
                              const JointSpring& spring, float max_force, float max_torque) {
  JointDef def = def_at(world, JointKind::Servo, a, b, anchor, {});
  def.frame_a = {};
  def.details.edit().target = math::relative(world.pose(a), {anchor, {}});
  def.spring = spring;
  def.spring.is_enabled = true;
  def.details.edit().max_force = max_force;
  def.details.edit().max_torque = max_torque;
  def.collide_connected = true;
  return def;
}

}  // namespace jostle::physics
