#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/physics/convert.h"
#include "api/physics/joint_def.h"
#include "api/physics/tables.h"
#include "shared/math/trig.h"
#include "shared/physics/detail/constants.h"

#include <algorithm>

using namespace jostle;
using namespace jostle::api;

namespace {

template <typename Change>
jostle_result change_joint(const char* function, jostle_world world, jostle_joint joint,
                           const Change& change) {
  return change_world(function, world, [&](physics::World& found) {
    change(found, require_alive(found, joint, "joint"));
  });
}

/// Requires bodies that can be joined.
void require_joinable(const physics::World& world, const jostle_joint_def& def) {
  const auto a = require_alive(world, def.body_a, "def->body_a");
  const auto b = require_alive(world, def.body_b, "def->body_b");
  if (a == b)
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT, "def->body_a and def->body_b are the same body");
  const auto is_dynamic = [&](physics::BodyHandle body) {
    return world.motion_type(body) == physics::MotionType::Dynamic;
  };
  if (!is_dynamic(a) && !is_dynamic(b))
    refuse_text(JOSTLE_ERROR_WRONG_STATE,
                "neither def->body_a nor def->body_b is dynamic; accepted: at least one");
  if (world.is_quarantined(a) || world.is_quarantined(b))
    refuse_text(JOSTLE_ERROR_WRONG_STATE,
                "def->body_a or def->body_b is quarantined, because its values became non-finite "
                "or out of bounds");
}

/// Requires that a joint with this definition stays valid after `change`.
template <typename Change>
void require_change(const physics::World& world, physics::JointHandle joint, const Change& change) {
  physics::JointDef candidate = world.joint_def(joint);
  change(candidate);
  require_valid(candidate);
}

void require_kind(const physics::World& world, physics::JointHandle joint, physics::JointKind kind,
                  const char* name) {
  if (world.joint_def(joint).kind != kind)
    refuse(JOSTLE_ERROR_WRONG_STATE, "joint is not a %s", name);
}

void set_details(physics::World& world, physics::JointHandle joint,
                 const physics::JointDetails& details) {
  require_change(world, joint, [&](physics::JointDef& def) { def.details.edit() = details; });
  world.set_joint_details(joint, details);
}

}  // namespace

jostle_result jostle_joint_def_init(jostle_joint_def* def, size_t size) {
  return write_default(__func__, def, size);
}
jostle_result jostle_joint_create(jostle_world world, const jostle_joint_def* def,
                                  jostle_joint* joint) {
  return change_world(__func__, world, [&](physics::World& found) {
    const jostle_joint_def wanted = read_struct(def, "def");
    require_joinable(found, wanted);
    const physics::JointDef checked = checked_joint(wanted);
    const jostle_joint created = to_c(found.create_joint(checked));
    if (joint != nullptr) *joint = created;
  });
}
jostle_result jostle_joint_destroy(jostle_world world, jostle_joint joint) {
  return change_joint(
      __func__, world, joint,
      [](physics::World& found, physics::JointHandle handle) { found.destroy_joint(handle); });
}
jostle_bool jostle_joint_is_alive(jostle_world world, jostle_joint joint) {
  return is_alive_in(world, to_engine(joint));
}
jostle_result jostle_joint_get_def(jostle_world world, jostle_joint joint, jostle_joint_def* def) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto handle = require_alive(found, joint, "joint");
    require_output(def, "def");
    write_struct(def, joint_def_of(found.joint_def(handle)));
  });
}

jostle_result jostle_joint_set_limits(jostle_world world, jostle_joint joint,
                                      jostle_joint_limits limits) {
  return change_joint(
      __func__, world, joint, [&](physics::World& found, physics::JointHandle handle) {
        const physics::JointLimits checked = checked_limits(limits);
        require_change(found, handle, [&](physics::JointDef& def) { def.limits = checked; });
        found.set_joint_limits(handle, checked);
      });
}
jostle_result jostle_joint_set_cone(jostle_world world, jostle_joint joint,
                                    jostle_joint_cone cone) {
  return change_joint(__func__, world, joint,
                      [&](physics::World& found, physics::JointHandle handle) {
                        found.set_joint_cone(handle, checked_cone(cone));
                      });
}
jostle_result jostle_joint_set_spring(jostle_world world, jostle_joint joint,
                                      jostle_joint_spring spring, float rest) {
  return change_joint(__func__, world, joint,
                      [&](physics::World& found, physics::JointHandle handle) {
                        const physics::JointSpring checked = checked_spring(spring);
                        require_finite(rest, "rest");
                        require_change(found, handle, [&](physics::JointDef& def) {
                          def.spring = checked;
                          def.rest = rest;
                        });
                        found.set_joint_spring(handle, checked, rest);
                      });
}
jostle_result jostle_joint_set_motor(jostle_world world, jostle_joint joint,
                                     jostle_joint_motor motor) {
  return change_joint(__func__, world, joint,
                      [&](physics::World& found, physics::JointHandle handle) {
                        const physics::JointKind kind = found.joint_def(handle).kind;
                        found.set_joint_motor(handle, checked_motor(motor, kind));
                      });
}

jostle_result jostle_joint_set_details(jostle_world world, jostle_joint joint,
                                       const jostle_joint_def* def) {
  return change_joint(
      __func__, world, joint, [&](physics::World& found, physics::JointHandle handle) {
        const jostle_joint_def wanted = read_struct(def, "def");
        set_details(found, handle, checked_details(wanted, found.joint_def(handle).kind));
      });
}
jostle_result jostle_joint_set_axis(jostle_world world, jostle_joint joint, uint32_t index,
                                    const jostle_joint_axis* axis) {
  return change_joint(__func__, world, joint,
                      [&](physics::World& found, physics::JointHandle handle) {
                        require_integer(index, 0, 5, "index");
                        require_pointer(axis, "axis");
                        require_kind(found, handle, physics::JointKind::SixDof, "six-DOF joint");
                        physics::JointDetails details = found.joint_def(handle).details.get();
                        details.axes[index] = checked_axis(*axis, index);
                        set_details(found, handle, details);
                      });
}
jostle_result jostle_joint_set_steering(jostle_world world, jostle_joint joint, float angle) {
  return change_joint(__func__, world, joint,
                      [&](physics::World& found, physics::JointHandle handle) {
                        constexpr float max_angle = 80.0f / 180.0f * math::pi;
                        require_range(angle, -max_angle, max_angle, "angle", "rad");
                        require_kind(found, handle, physics::JointKind::Wheel, "wheel");
                        found.set_wheel_steering(handle, angle);
                      });
}
jostle_result jostle_joint_set_brake(jostle_world world, jostle_joint joint, float torque) {
  return change_joint(__func__, world, joint,
                      [&](physics::World& found, physics::JointHandle handle) {
                        require_range(torque, 0, physics::max_joint_value, "torque", "N·m");
                        require_kind(found, handle, physics::JointKind::Wheel, "wheel");
                        found.set_wheel_brake(handle, torque);
                      });
}
jostle_result jostle_joint_set_target(jostle_world world, jostle_joint joint,
                                      const jostle_transform* target) {
  return change_joint(__func__, world, joint,
                      [&](physics::World& found, physics::JointHandle handle) {
                        require_pointer(target, "target");
                        require_finite(target->offset, "target->offset");
                        require_unit(target->rotation, "target->rotation");
                        require_kind(found, handle, physics::JointKind::Servo, "servo");
                        physics::JointDetails details = found.joint_def(handle).details.get();
                        details.target = to_engine(*target);
                        require_range(length(details.target.offset), 0, physics::max_local_offset,
                                      "the length of target->offset", "m");
                        found.set_servo_target(handle, details.target);
                      });
}

jostle_result jostle_joint_get_state(jostle_world world, jostle_joint joint,
                                     jostle_joint_state* state) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto handle = require_alive(found, joint, "joint");
    require_output(state, "state");
    const physics::JointState now = found.joint_state(handle);
    jostle_joint_state values{};
    values.angle = now.angle;
    values.swing = now.swing;
    values.translation = now.translation;
    values.position_error = now.gap;
    values.rotation_error = now.lean;
    values.force = to_c(now.force);
    values.torque = to_c(now.torque);
    std::copy(now.axes.begin(), now.axes.end(), values.axes);
    std::copy(now.rates.begin(), now.rates.end(), values.rates);
    write_struct(state, values);
  });
}
jostle_result jostle_world_get_joints(jostle_world world, jostle_joint* joints, size_t capacity,
                                      size_t* count) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto output = list_output(joints, 0, capacity, count);
    const auto list = found.joints();
    write_list(output, list.size(), [&](std::size_t i) { return to_c(list[i]); });
  });
}
