#include "shared/physics/world/joint_list.h"

#include "shared/math/trig.h"
#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/edge_list.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/islands/sleep.h"
#include "shared/physics/world/joint_coordinates.h"

#include <algorithm>

namespace jostle::physics {
namespace {

std::uint32_t body_on(const JointRecord& joint, std::uint32_t side) {
  return side == 0 ? joint.def.body_a.index : joint.def.body_b.index;
}

bool joins(const JointRecord& joint, std::uint32_t body) {
  return joint.def.body_a.index == body || joint.def.body_b.index == body;
}

bool is_active_joint(const WorldState& world, const JointRecord& joint) {
  return is_active(world.bodies[joint.def.body_a.index]) ||
         is_active(world.bodies[joint.def.body_b.index]);
}

void list_joint(WorldState& world, std::uint32_t index) {
  JointRecord& joint = world.joints[index];
  world.is_joint_list_dirty = true;
  if (joint.is_listed) return;
  joint.is_listed = true;
  world.awake_joints.push_back(index);
}

bool is_place_in_body(const math::Transform& frame) {
  return length(frame.offset) <= max_local_offset && is_unit(frame.rotation, call_unit_tolerance);
}

bool is_overloaded(const WorldState& world, const JointRecord& joint) {
  const float dt = world.options.step_seconds;
  const auto exceeds = [dt](math::Vec3 impulse, float limit) {
    return limit > 0.0f && length_squared(impulse) > (limit * dt) * (limit * dt);
  };
  return exceeds(joint.step_linear, joint.def.break_force) ||
         exceeds(joint.step_angular, joint.def.break_torque);
}

}  // namespace

void ask_pairs_anew(WorldState& world, const JointDef& def) {
  for (const BodyHandle body : {def.body_a, def.body_b})
    mark_body_moved(world, body.index);
}

bool is_valid(const JointDef& def) {
  const auto is_not_negative = [](float x) { return x >= 0.0f && x <= max_joint_value; };
  const auto is_moderate = [](float x) { return math::abs_of(x) <= max_joint_value; };
  if (static_cast<std::uint8_t>(def.kind) >= joint_kind_count ||
      !are_valid(def.details.get(), def.kind) ||
      (def.spring.tension_only && def.kind != JointKind::Distance)) {
    return false;
  }
  const bool turns = def.kind == JointKind::Ball || def.kind == JointKind::Hinge;
  const float farthest = turns ? math::pi : max_joint_value;
  const bool is_length = def.kind == JointKind::Distance || def.kind == JointKind::Pulley;
  const float nearest = is_length ? 0.0f : -farthest;
  const bool has_range = def.limits.lower >= nearest && def.limits.lower <= def.limits.upper &&
                         def.limits.upper <= farthest;
  const bool has_rest = def.rest >= nearest && def.rest <= farthest;
  return is_place_in_body(def.frame_a) && is_place_in_body(def.frame_b) && has_rest && has_range &&
         def.cone.angle >= 0.0f && def.cone.angle <= math::pi &&
         is_not_negative(def.spring.hertz) && is_not_negative(def.spring.damping_ratio) &&
         is_moderate(def.motor.speed) && is_not_negative(def.motor.max_force) &&
         (def.kind != JointKind::Ball || !def.motor.is_enabled || def.motor.speed == 0.0f) &&
         is_not_negative(def.break_force) && is_not_negative(def.break_torque);
}

bool can_join(const WorldState& world, const JointDef& def) {
  if (!world.body_pool.is_alive(def.body_a) || !world.body_pool.is_alive(def.body_b)) return false;
  const Body &a = world.bodies[def.body_a.index], &b = world.bodies[def.body_b.index];
  return def.body_a != def.body_b && (is_dynamic(a) || is_dynamic(b)) && !is_quarantined(a) &&
         !is_quarantined(b);
}

void link_joint(WorldState& world, std::uint32_t index) {
  JointRecord& joint = world.joints[index];
  const Body &a = world.bodies[joint.def.body_a.index], &b = world.bodies[joint.def.body_b.index];
  if (!is_present(a) || !is_present(b)) return;
  joint.is_linked = true;
  for (const std::uint32_t side : {0U, 1U}) {
    Body& body = world.bodies[body_on(world.joints[index], side)];
    link_edge(world.joints, body.first_joint_edge, index, side);
  }
  world.is_forest_stale = true;
  if (is_active_joint(world, joint)) list_joint(world, index);
}

void link_joints_of_body(WorldState& world, std::uint32_t body) {
  for (const std::uint32_t joint : joints_of_body(world, body))
    if (!world.joints[joint].is_linked) link_joint(world, joint);
}

void unlink_joint(WorldState& world, std::uint32_t index) {
  JointRecord& joint = world.joints[index];
  if (!joint.is_linked) return;
  joint.is_linked = false;
  for (const std::uint32_t side : {0U, 1U}) {
    Body& body = world.bodies[body_on(world.joints[index], side)];
    unlink_edge(world.joints, body.first_joint_edge, index, side);
  }
  world.is_joint_list_dirty = true;
  world.is_forest_stale = true;
}

void remove_joint(WorldState& world, std::uint32_t index) {
  const JointDef def = world.joints[index].def;
  unlink_joint(world, index);
  world.joint_pool.destroy(world.joint_pool.at(index));
  if (!is_collision_disabled(world, def.body_a.index, def.body_b.index)) ask_pairs_anew(world, def);
}

std::vector<std::uint32_t> joints_of_body(const WorldState& world, std::uint32_t body) {
  std::vector<std::uint32_t> joints;
  if (world.disabled_count > 0) {
    // Joints with a disabled body are in no body's list.
    for (std::uint32_t i = 0; i < world.joint_pool.slot_count(); ++i)
      if (world.joint_pool.is_alive_index(i) && joins(world.joints[i], body)) joints.push_back(i);
    return joints;
  }
  for_each_joint(world, body, [&](std::uint32_t joint) { joints.push_back(joint); });
  std::sort(joints.begin(), joints.end());
  return joints;
}

void remove_joints_of_body(WorldState& world, std::uint32_t body) {
  for (const std::uint32_t joint : joints_of_body(world, body))
    remove_joint(world, joint);
}

bool is_collision_disabled(const WorldState& world, std::uint32_t body_a, std::uint32_t body_b) {
  const std::uint32_t from = world.bodies[body_a].first_joint_edge == no_index ? body_a : body_b;
  bool is_disabled = false;
  for_each_joint(world, from, [&](std::uint32_t index) {
    const JointDef& def = world.joints[index].def;
    const bool joins_both = (def.body_a.index == body_a && def.body_b.index == body_b) ||
                            (def.body_a.index == body_b && def.body_b.index == body_a);
    if (joins_both && !def.collide_connected) is_disabled = true;
  });
  return is_disabled;
}

void excuse_joints(WorldState& world, std::uint32_t body) {
  for_each_joint(world, body, [&](std::uint32_t joint) { world.joints[joint].excuse(); });
}

void list_joints_of_body(WorldState& world, std::uint32_t body) {
  for_each_joint(world, body, [&](std::uint32_t joint) { list_joint(world, joint); });
}

void sort_awake_joints(WorldState& world) {
  if (!world.is_joint_list_dirty) return;
  world.is_joint_list_dirty = false;
  std::erase_if(world.awake_joints, [&](std::uint32_t index) {
    JointRecord& joint = world.joints[index];
    if (world.joint_pool.is_alive_index(index) && joint.is_linked && is_active_joint(world, joint))
      return false;
    joint.is_listed = false;
    return true;
  });
  std::sort(world.awake_joints.begin(), world.awake_joints.end());
}

void wake_by_joints(WorldState& world) {
  sort_awake_joints(world);
  const auto is_mover = [](const Body& body) {
    return is_active(body) &&
           (is_dynamic(body) || body.linear_velocity != math::Vec3{} ||
            body.angular_velocity != math::Vec3{} || body.target_state == TargetState::Pending);
  };
  // Waking a body appends its joints to this list, and the loop visits them, too.
  for (std::size_t i = 0; i < world.awake_joints.size(); ++i) {
    const JointDef& def = world.joints[world.awake_joints[i]].def;
    const Body &a = world.bodies[def.body_a.index], &b = world.bodies[def.body_b.index];
    if (is_mover(a) && is_dynamic(b) && !b.is_awake) wake_island(world, def.body_b.index);
    if (is_mover(b) && is_dynamic(a) && !a.is_awake) wake_island(world, def.body_a.index);
  }
  sort_awake_bodies(world);
  sort_awake_joints(world);
}

void break_joints(WorldState& world) {
  for (const std::uint32_t index : world.awake_joints) {
    if (!world.joint_pool.is_alive_index(index) || !is_overloaded(world, world.joints[index]))
      continue;
    const JointDef& def = world.joints[index].def;
    world.joint_breaks.push_back({world.joint_pool.at(index), def.body_a, def.body_b});
    remove_joint(world, index);
  }
}

}  // namespace jostle::physics
