#include "shared/math/trig.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/islands/sleep.h"
#include "shared/physics/world.h"
#include "shared/physics/world/joint_coordinates.h"
#include "shared/physics/world/joint_equivalents.h"
#include "shared/physics/world/joint_list.h"

#include <cmath>

namespace jostle::physics {

using math::Vec3;

namespace {

JointRecord& find(WorldState& world, JointHandle handle) {
  JOSTLE_ASSERT(world.joint_pool.is_alive(handle));
  return world.joints[handle.index];
}

/// Returns true if the poses of the bodies violate a new joint by more than 1 mm or 1 mrad.
bool stands_apart(const JointDef& def, const JointState& state) {
  constexpr float tolerance = 1e-3f;  // m and rad
  const bool turns = def.kind == JointKind::Ball || def.kind == JointKind::Hinge;
  const float value = turns ? state.angle : state.translation;
  const bool is_limited = def.limits.is_enabled && (turns || def.kind == JointKind::Slider);
  return state.gap > tolerance || state.lean > tolerance ||
         (is_limited &&
          (value < def.limits.lower - tolerance || value > def.limits.upper + tolerance)) ||
         (def.cone.is_enabled && state.swing > def.cone.angle + tolerance);
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

}  // namespace

JointHandle World::create_joint(const JointDef& def) {
  WorldState& world = *state_;
  JOSTLE_ASSERT(is_valid(def) && can_join(world, def));
  const JointHandle handle = world.joint_pool.create();
  if (handle.index == world.joints.size()) world.joints.emplace_back();
  JointRecord& joint = world.joints[handle.index];
  const bool was_listed = joint.is_listed;  // sort_awake_joints removes dead slots later
  joint = JointRecord{};
  joint.is_listed = was_listed;
  joint.def = def;
  joint.def.frame_a.rotation = normalized(def.frame_a.rotation);
  joint.def.frame_b.rotation = normalized(def.frame_b.rotation);
  fit_joint(joint, {});
  link_joint(world, handle.index);
  if (stands_apart(joint.def, joint_state(handle))) joint.excuse();
  if (!def.collide_connected) {
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
  joint.excuse();
  JOSTLE_ASSERT(is_valid(joint.def));
  wake_both(*state_, joint.def);
}
void World::set_joint_cone(JointHandle handle, const JointCone& cone) {
  JointRecord& joint = find(*state_, handle);
  joint.def.cone = cone;
  joint.excuse();
  JOSTLE_ASSERT(is_valid(joint.def));
  wake_both(*state_, joint.def);
}
void World::set_joint_spring(JointHandle handle, const JointSpring& spring, float rest) {
  JointRecord& joint = find(*state_, handle);
  const JointSolution before = solution_of(joint);
  joint.def.spring = spring;
  joint.def.rest = rest;
  joint.excuse();
  JOSTLE_ASSERT(is_valid(joint.def));
  // A pull-only spring is solved by coordinates and is in no tree, but a rod may be in one.
  state_->is_forest_stale |= fit_joint(joint, before);
  wake_both(*state_, joint.def);
}
void World::set_joint_motor(JointHandle handle, const JointMotor& motor) {
  JointRecord& joint = find(*state_, handle);
  joint.def.motor = motor;
  JOSTLE_ASSERT(is_valid(joint.def));
  wake_both(*state_, joint.def);
}

void World::set_joint_details(JointHandle handle, const JointDetails& details) {
  JointRecord& joint = find(*state_, handle);
  if (joint.def.details.get() == details) return;
  const JointSolution before = solution_of(joint);
  joint.def.details.edit() = details;
  joint.excuse();
  JOSTLE_ASSERT(is_valid(joint.def));
  state_->is_forest_stale |= fit_joint(joint, before);
  wake_both(*state_, joint.def);
}
void World::set_joint_axis(JointHandle handle, std::size_t axis, const JointAxisDef& def) {
  JOSTLE_ASSERT(axis < max_coordinates && joint_def(handle).kind == JointKind::SixDof);
  JointDetails details = joint_def(handle).details.get();
  details.axes[axis] = def;
  set_joint_details(handle, details);
}
void World::set_wheel_steering(JointHandle handle, float angle) {
  JOSTLE_ASSERT(joint_def(handle).kind == JointKind::Wheel);
  JointDetails details = joint_def(handle).details.get();
  details.steer_angle = angle;
  set_joint_details(handle, details);
}
void World::set_wheel_brake(JointHandle handle, float torque) {
  JOSTLE_ASSERT(joint_def(handle).kind == JointKind::Wheel);
  JointDetails details = joint_def(handle).details.get();
  details.brake_torque = torque;
  set_joint_details(handle, details);
}
void World::set_servo_target(JointHandle handle, const math::Transform& target) {
  JOSTLE_ASSERT(joint_def(handle).kind == JointKind::Servo);
  JointDetails details = joint_def(handle).details.get();
  details.target = target;
  set_joint_details(handle, details);
}

JointState World::joint_state(JointHandle handle) const {
  const JointRecord& joint = find(*state_, handle);
  const JointDef& def = joint.def;
  const float dt = state_->options.step_seconds;
  if (joint.coordinates) {
    JointState state = coordinate_joint_state(*state_, joint);
    state.force = joint.step_linear / dt;
    state.torque = joint.step_angular / dt;
    return state;
  }
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
  state.force = joint.step_linear / dt;
  state.torque = joint.step_angular / dt;
  return state;
}

}  // namespace jostle::physics
