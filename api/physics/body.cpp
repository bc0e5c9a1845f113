#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/physics/body_def.h"
#include "api/physics/convert.h"
#include "api/physics/limits.h"
#include "api/physics/tables.h"
#include "shared/forces/force_field.h"

#include <jostle/physics/bodies.h>

using namespace jostle;
using namespace jostle::api;

namespace {

/// Implements a function that changes one body: runs `change(world, engine handle)`.
template <typename Change>
jostle_result change_body(const char* function, jostle_world world, jostle_body body,
                          const Change& change) {
  return change_world(function, world, [&](physics::World& found) {
    change(found, require_alive(found, body, "body"));
  });
}
/// Implements a function that reads one body.
template <typename Read>
jostle_result read_body(const char* function, jostle_world world, jostle_body body,
                        const Read& read) {
  return read_world(function, world, [&](const physics::World& found) {
    read(found, require_alive(found, body, "body"));
  });
}

}  // namespace

jostle_result jostle_body_create(jostle_world world, const jostle_body_def* def,
                                 jostle_body* body) {
  return change_own_world(__func__, world, [&](physics::World& found) {
    const physics::BodyDef checked = checked_body(read_struct(def, "def"));
    require_pointer(body, "body");
    *body = to_c(found.create_body(checked));
  });
}
jostle_result jostle_body_destroy(jostle_world world, jostle_body body) {
  return change_own_world(__func__, world, [&](physics::World& found) {
    found.destroy_body(require_alive(found, body, "body"));
  });
}
jostle_bool jostle_body_is_alive(jostle_world world, jostle_body body) {
  return is_alive_in(world, to_engine(body));
}

jostle_result jostle_body_get_pose(jostle_world world, jostle_body body, jostle_pose* pose) {
  return read_body(__func__, world, body,
                   [&](const physics::World& found, physics::BodyHandle handle) {
                     require_pointer(pose, "pose");
                     *pose = to_c(found.pose(handle));
                   });
}
jostle_result jostle_body_set_pose(jostle_world world, jostle_body body, const jostle_pose* pose) {
  return change_body(__func__, world, body, [&](physics::World& found, physics::BodyHandle handle) {
    require_pointer(pose, "pose");
    require_body_pose(*pose, "pose");
    found.set_pose(handle, to_engine(*pose));
  });
}
jostle_result jostle_body_move(jostle_world world, jostle_body body, const jostle_pose* target) {
  return change_body(__func__, world, body, [&](physics::World& found, physics::BodyHandle handle) {
    require_pointer(target, "target");
    require_body_pose(*target, "target");
    if (found.motion_type(handle) != physics::MotionType::Kinematic)
      refuse_text(JOSTLE_ERROR_WRONG_STATE, "body is not kinematic; accepted: kinematic bodies");
    found.move_kinematic(handle, to_engine(*target));
  });
}
jostle_result jostle_body_get_velocity(jostle_world world, jostle_body body, jostle_vec3* linear,
                                       jostle_vec3* angular) {
  return read_body(__func__, world, body,
                   [&](const physics::World& found, physics::BodyHandle handle) {
                     if (linear != nullptr) *linear = to_c(found.linear_velocity(handle));
                     if (angular != nullptr) *angular = to_c(found.angular_velocity(handle));
                   });
}
jostle_result jostle_body_set_velocity(jostle_world world, jostle_body body, jostle_vec3 linear,
                                       jostle_vec3 angular) {
  return change_body(__func__, world, body, [&](physics::World& found, physics::BodyHandle handle) {
    require_speed(linear, "linear");
    require_speed(angular, "angular");
    found.set_velocity(handle, to_engine(linear), to_engine(angular));
  });
}
jostle_result jostle_body_get_velocity_at(jostle_world world, jostle_body body,
                                          jostle_position point, jostle_vec3* velocity) {
  return read_body(__func__, world, body,
                   [&](const physics::World& found, physics::BodyHandle handle) {
                     require_finite(point, "point");
                     require_pointer(velocity, "velocity");
                     *velocity = to_c(found.velocity_at(handle, to_engine(point)));
                   });
}
jostle_result jostle_body_set_awake(jostle_world world, jostle_body body, jostle_bool is_awake) {
  return change_body(__func__, world, body, [&](physics::World& found, physics::BodyHandle handle) {
    found.set_awake(handle, require_bool(is_awake, "is_awake"));
  });
}
jostle_result jostle_body_set_enabled(jostle_world world, jostle_body body,
                                      jostle_bool is_enabled) {
  return change_body(__func__, world, body, [&](physics::World& found, physics::BodyHandle handle) {
    found.set_enabled(handle, require_bool(is_enabled, "is_enabled"));
  });
}
jostle_result jostle_body_set_gravity_scale(jostle_world world, jostle_body body, float scale) {
  return change_body(__func__, world, body, [&](physics::World& found, physics::BodyHandle handle) {
    require_range(scale, -max_scale, max_scale, "scale", "");
    found.set_gravity_scale(handle, scale);
  });
}
jostle_result jostle_body_set_charge(jostle_world world, jostle_body body, float charge) {
  return change_body(__func__, world, body, [&](physics::World& found, physics::BodyHandle handle) {
    require_range(charge, -forces::max_charge, forces::max_charge, "charge", "");
    found.set_charge(handle, charge);
  });
}

jostle_result jostle_body_apply_impulse(jostle_world world, jostle_body body, jostle_vec3 impulse,
                                        jostle_position point) {
  return change_body(__func__, world, body, [&](physics::World& found, physics::BodyHandle handle) {
    require_range(impulse, -max_impulse, max_impulse, "impulse", "N·s");
    require_near(point, "point");
    require_angular_impulse(
        found, handle, cross(to_engine(point) - found.centre_of_mass(handle), to_engine(impulse)));
    found.apply_impulse(handle, to_engine(impulse), to_engine(point));
  });
}
jostle_result jostle_body_apply_central_impulse(jostle_world world, jostle_body body,
                                                jostle_vec3 impulse) {
  return change_body(__func__, world, body, [&](physics::World& found, physics::BodyHandle handle) {
    require_range(impulse, -max_impulse, max_impulse, "impulse", "N·s");
    found.apply_central_impulse(handle, to_engine(impulse));
  });
}
jostle_result jostle_body_apply_angular_impulse(jostle_world world, jostle_body body,
                                                jostle_vec3 impulse) {
  return change_body(__func__, world, body, [&](physics::World& found, physics::BodyHandle handle) {
    require_range(impulse, -max_impulse, max_impulse, "impulse", "N·m·s");
    require_angular_impulse(found, handle, to_engine(impulse));
    found.apply_angular_impulse(handle, to_engine(impulse));
  });
}
jostle_result jostle_body_apply_force(jostle_world world, jostle_body body, jostle_vec3 force,
                                      jostle_position point) {
  return change_body(__func__, world, body, [&](physics::World& found, physics::BodyHandle handle) {
    require_range(force, -max_force, max_force, "force", "N");
    require_near(point, "point");
    found.apply_force(handle, to_engine(force), to_engine(point));
  });
}
jostle_result jostle_body_apply_central_force(jostle_world world, jostle_body body,
                                              jostle_vec3 force) {
  return change_body(__func__, world, body, [&](physics::World& found, physics::BodyHandle handle) {
    require_range(force, -max_force, max_force, "force", "N");
    found.apply_central_force(handle, to_engine(force));
  });
}
jostle_result jostle_body_apply_torque(jostle_world world, jostle_body body, jostle_vec3 torque) {
  return change_body(__func__, world, body, [&](physics::World& found, physics::BodyHandle handle) {
    require_range(torque, -max_force, max_force, "torque", "N·m");
    found.apply_torque(handle, to_engine(torque));
  });
}

jostle_result jostle_body_get_info(jostle_world world, jostle_body body, jostle_body_info* info) {
  return read_body(
      __func__, world, body, [&](const physics::World& found, physics::BodyHandle handle) {
        require_output(info, "info");
        jostle_body_info values{};
        values.motion = static_cast<jostle_motion>(found.motion_type(handle));
        values.is_awake = to_c(found.is_awake(handle));
        values.is_enabled = to_c(found.is_enabled(handle));
        values.is_quarantined = to_c(found.is_quarantined(handle));
        values.mass = found.mass(handle);
        values.gravity_scale = found.gravity_scale(handle);
        values.charge = found.charge(handle);
        values.ignores_fields = to_c(found.ignores_force_fields(handle));
        const auto integrator = found.integrator(handle);
        values.integrator =
            integrator ? static_cast<jostle_integrator>(*integrator) : JOSTLE_INTEGRATOR_DEFAULT;
        values.shape_count = static_cast<std::uint32_t>(found.shapes(handle).size());
        values.contact_point_count = static_cast<std::uint32_t>(found.contact_point_count(handle));
        values.centre_of_mass = to_c(found.centre_of_mass(handle));
        values.inertia = to_c(found.inertia_local(handle));
        values.bounds = to_c(found.aabb(handle));
        values.user_data = found.user_data(handle);
        write_struct(info, values);
      });
}
jostle_result jostle_body_get_shapes(jostle_world world, jostle_body body, jostle_shape* shapes,
                                     size_t capacity, size_t* count) {
  return read_body(__func__, world, body,
                   [&](const physics::World& found, physics::BodyHandle handle) {
                     const auto output = list_output(shapes, 0, capacity, count);
                     const auto list = found.shapes(handle);
                     write_list(output, list.size(), [&](std::size_t i) { return to_c(list[i]); });
                   });
}
jostle_result jostle_body_get_island(jostle_world world, jostle_body body, jostle_body* bodies,
                                     size_t capacity, size_t* count) {
  return read_body(__func__, world, body,
                   [&](const physics::World& found, physics::BodyHandle handle) {
                     const auto output = list_output(bodies, 0, capacity, count);
                     const auto list = found.island(handle);
                     write_list(output, list.size(), [&](std::size_t i) { return to_c(list[i]); });
                   });
}
jostle_result jostle_world_get_bodies(jostle_world world, jostle_body* bodies, size_t capacity,
                                      size_t* count) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto output = list_output(bodies, 0, capacity, count);
    const auto list = found.bodies();
    write_list(output, list.size(), [&](std::size_t i) { return to_c(list[i]); });
  });
}
