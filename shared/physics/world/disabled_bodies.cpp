#include "shared/physics/world/disabled_bodies.h"

#include "shared/physics/broad_phase/broad_phase.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/effects/force_field_effects.h"
#include "shared/physics/effects/sensors.h"
#include "shared/physics/islands/sleep.h"
#include "shared/physics/world.h"
#include "shared/physics/world/joint_list.h"

namespace jostle::physics {
namespace {

/// Clears the impulses of a joint: they are not a valid warm start when the joint acts again.
void forget_impulses(JointRecord& joint) {
  joint.impulses = {};
  joint.step_linear = joint.step_angular = {};
  joint.excuse();
  if (joint.coordinates) joint.coordinates->impulses = {};
}

/// Deactivates the body like put_to_sleep, but keeps its velocity, unless move_kinematic set it.
void end_motion(WorldState& world, std::uint32_t index) {
  Body& body = world.bodies[index];
  if (body.target_state != TargetState::None) {
    // The velocity towards a target is valid for one step only.
    body.target_state = TargetState::None;
    body.linear_velocity = body.angular_velocity = {};
  }
  body.force = body.torque = {};
  body.sleep_time = 0;
  body.taut_factor = 1;
  if (!is_active(body)) return;
  body.is_awake = false;
  world.maybe_changed_sleep.push_back(world.body_pool.at(index));
  world.is_awake_list_dirty = true;
  world.is_joint_list_dirty = true;
}

}  // namespace

void disable_body(WorldState& world, std::uint32_t index) {
  Body& body = world.bodies[index];
  ++world.disabled_count;
  if (is_quarantined(body)) {
    body.absence |= disabled;
    return;
  }
  wake_touching(world, index);
  destroy_contacts_of_body(world, index);
  for (const std::uint32_t joint : joints_of_body(world, index)) {
    unlink_joint(world, joint);
    forget_impulses(world.joints[joint]);
  }
  end_motion(world, index);
  for (const ShapeHandle shape : body.shapes) {
    remove_from_sensors(world, shape.index);
    remove_proxy(world, shape.index);
  }
  body.absence |= disabled;
  list_bonds(world, index);
}

void enable_body(WorldState& world, std::uint32_t index) {
  Body& body = world.bodies[index];
  body.absence &= static_cast<std::uint8_t>(~disabled);
  if (is_present(body)) link_joints_of_body(world, index);
  --world.disabled_count;  // decremented only now, because joints_of_body depends on it
  if (!is_present(body)) return;
  list_bonds(world, index);
  make_room_for_bounds(world);
  wake_body(world, index);
  for (const ShapeHandle shape : body.shapes)
    add_proxy(world, shape.index);
  refresh_proxies(world, index);
  wake_around(world, index);
}

void World::set_enabled(BodyHandle handle, bool is_on) {
  JOSTLE_ASSERT(is_alive(handle));
  if (is_enabled(handle) == is_on) return;
  if (is_on) {
    enable_body(*state_, handle.index);
  } else {
    disable_body(*state_, handle.index);
  }
}

bool World::is_enabled(BodyHandle handle) const {
  JOSTLE_ASSERT(is_alive(handle));
  return !is_disabled(state_->bodies[handle.index]);
}

}  // namespace jostle::physics
