#include "shared/math/trig.h"
#include "shared/physics/contact_list.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/joint_list.h"
#include "shared/physics/sleep.h"
#include "shared/physics/world.h"

#include <cmath>

namespace jostle::physics {

using math::Vec3;

namespace {

JointRecord& find(WorldState& world, JointHandle handle) {
  JOSTLE_ASSERT(world.joint_pool.is_alive(handle));
  return world.joints[handle.index];
}

void wake_both(WorldState& world, const JointDef& def) {
  for (const BodyHandle body : {def.body_a, def.body_b}) {
    if (is_dynamic(world.bodies[body.index])) wake_island(world, body.index);
  }
}

void destroy_contacts_between(WorldState& world, std::uint32_t a, std::uint32_t b) {
  for_each_contact(world, a, [&](std::uint32_t index) {
    const Contact& contact = world.contacts[index];
    if (contact.body_a == b || contact.body_b == b) destroy_contact(world, index);
  });
}

/// The shortest rotation that takes x to the unit vector `axis`.
math::Quat rotation_to(Vec3 axis) {
  constexpr float nearly_opposite = -0.9999f;
  // There any half turn about an axis across will do, and then the small rest.
  if (axis.x < nearly_opposite) return rotation_to(-axis) * math::Quat{0, 0, 1, 0};
  return normalized(math::Quat{0, -axis.z, axis.y, 1.0f + axis.x});
}

math::Transform frame_in(const math::Pose& body, math::Position anchor, math::Quat rotation) {
  return {inverse_transform_point(body, anchor), normalized(conjugate(body.rotation) * rotation)};
}

}  // namespace

JointDef joint_at(const World& world, JointKind kind, BodyHandle a, BodyHandle b,
                  math::Position anchor, Vec3 axis) {
  JointDef def;
  def.kind = kind;
  def.body_a = a;
  def.body_b = b;
  def.frame_a = frame_in(world.pose(a), anchor, rotation_to(axis));
  def.frame_b = frame_in(world.pose(b), anchor, rotation_to(axis));
  return def;
}

JointDef distance_between(const World& world, BodyHandle a, BodyHandle b, math::Position anchor_a,
                          math::Position anchor_b) {
  JointDef def;
  def.kind = JointKind::Distance;
  def.body_a = a;
  def.body_b = b;
  def.frame_a = frame_in(world.pose(a), anchor_a, {});
  def.frame_b = frame_in(world.pose(b), anchor_b, {});
  def.rest = length(anchor_b - anchor_a);
  return def;
}

JointHandle World::create_joint(const JointDef& def) {
  WorldState& world = *state_;
  JOSTLE_ASSERT(is_valid(def) && can_join(world, def));
  const JointHandle handle = world.joint_pool.create();
  if (handle.index == world.joints.size()) world.joints.emplace_back();
  JointRecord& joint = world.joints[handle.index];
  const bool was_listed = joint.is_listed;  // the list drops dead slots only when next sorted
  joint = JointRecord{};
  joint.is_listed = was_listed;
  joint.def = def;
  joint.def.frame_a.rotation = normalized(def.frame_a.rotation);
  joint.def.frame_b.rotation = normalized(def.frame_b.rotation);
  link_joint(world, handle.index);
  if (!def.collides_connected) {
    destroy_contacts_between(world, def.body_a.index, def.body_b.index);
    ask_pairs_anew(world, def);
  }
  wake_both(world, def);
  return handle;
}

void World::destroy_joint(JointHandle handle) {
  wake_both(*state_, find(*state_, handle).def);
  remove_joint(*state_, handle.index);
}

bool World::is_alive(JointHandle joint) const {
  return state_->joint_pool.is_alive(joint);
}
std::uint32_t World::joint_count() const {
  return state_->joint_pool.live_count();
}

std::vector<JointHandle> World::joints() const {
  std::vector<JointHandle> handles;
  handles.reserve(state_->joint_pool.live_count());
  for (std::uint32_t i = 0; i < state_->joint_pool.slot_count(); ++i) {
    if (state_->joint_pool.is_alive_index(i)) handles.push_back(state_->joint_pool.at(i));
  }
  return handles;
}

const JointDef& World::joint_def(JointHandle joint) const {
  return find(*state_, joint).def;
}

void World::set_joint_limits(JointHandle handle, const JointLimits& limits) {
  JointRecord& joint = find(*state_, handle);
  joint.def.limits = limits;
  JOSTLE_ASSERT(is_valid(joint.def));
  wake_both(*state_, joint.def);
}
void World::set_joint_cone(JointHandle handle, const JointCone& cone) {
  JointRecord& joint = find(*state_, handle);
  joint.def.cone = cone;
  JOSTLE_ASSERT(is_valid(joint.def));
  wake_both(*state_, joint.def);
}
void World::set_joint_spring(JointHandle handle, const JointSpring& spring, float rest) {
  JointRecord& joint = find(*state_, handle);
  joint.def.spring = spring;
  joint.def.rest = rest;
  JOSTLE_ASSERT(is_valid(joint.def));
  wake_both(*state_, joint.def);
}
void World::set_joint_motor(JointHandle handle, const JointMotor& motor) {
  JointRecord& joint = find(*state_, handle);
  joint.def.motor = motor;
  JOSTLE_ASSERT(is_valid(joint.def));
  wake_both(*state_, joint.def);
}

JointState World::joint_state(JointHandle handle) const {
  const JointRecord& joint = find(*state_, handle);
  const JointDef& def = joint.def;
  const math::Pose a = pose(def.body_a) * def.frame_a, b = pose(def.body_b) * def.frame_b;
  const math::Quat turned = conjugate(a.rotation) * b.rotation;
  const Vec3 apart = inverse_rotate(a.rotation, b.position - a.position);
  const Vec3 axis_b = rotate(turned, {1, 0, 0});

  JointState state;
  const float sign = turned.w < 0.0f ? -1.0f : 1.0f;
  state.angle = 2.0f * math::atan2(sign * turned.x, sign * turned.w);
  state.swing = math::atan2(std::sqrt(axis_b.y * axis_b.y + axis_b.z * axis_b.z), axis_b.x);
  state.translation = def.kind == JointKind::Distance ? length(apart) : apart.x;
  state.gap = length(apart);
  if (def.kind == JointKind::Slider) state.gap = std::sqrt(apart.y * apart.y + apart.z * apart.z);
  if (def.kind == JointKind::Distance) {
    const float low = is_rod(def) ? def.rest : def.limits.is_enabled ? def.limits.lower : 0.0f;
    const float high = is_rod(def)             ? def.rest
                       : def.limits.is_enabled ? def.limits.upper
                                               : state.gap;
    state.gap = math::max_of(math::max_of(low - state.gap, state.gap - high), 0.0f);
  }
  if (def.kind == JointKind::Hinge) state.lean = state.swing;
  if (def.kind == JointKind::Fixed || def.kind == JointKind::Slider) {
    state.lean = length(to_rotation_vector(turned));
  }
  const float dt = state_->options.step_seconds;
  state.force = joint.step_linear / dt;
  state.torque = joint.step_angular / dt;
  return state;
}

}  // namespace jostle::physics
