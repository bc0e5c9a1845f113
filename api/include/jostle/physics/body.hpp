/// Bodies, shapes and joints in C++.
#ifndef JOSTLE_PHYSICS_BODY_HPP
#define JOSTLE_PHYSICS_BODY_HPP

#include <jostle/error.hpp>
#include <jostle/physics.h>

#include <cstdint>
#include <vector>

namespace jostle {

/// Returns the default definition of a body: dynamic, awake, at the origin.
inline jostle_body_def body_def() {
  jostle_body_def def;
  check(jostle_body_def_default(&def));
  return def;
}

/// Returns the default definition of a body at a position in the world (m).
inline jostle_body_def body_def(jostle_motion motion, const jostle_position& position) {
  jostle_body_def def = body_def();
  def.motion = motion;
  def.pose.position = position;
  return def;
}

/// Definitions of shapes with the default material and density. Sizes are in m.
namespace shapes {

/// Returns the default definition of a shape of this kind.
inline jostle_shape_def of_kind(jostle_shape_kind kind) {
  jostle_shape_def def;
  check(jostle_shape_def_default(&def));
  def.kind = kind;
  return def;
}
/// Returns a sphere.
inline jostle_shape_def sphere(float radius) {
  jostle_shape_def def = of_kind(JOSTLE_SHAPE_SPHERE);
  def.radius = radius;
  return def;
}
/// Returns a box. The half extents are half of its edges.
inline jostle_shape_def box(const jostle_vec3& half_extents) {
  jostle_shape_def def = of_kind(JOSTLE_SHAPE_BOX);
  def.half_extents = half_extents;
  return def;
}
/// Returns a capsule along y. `half_height` is half of the length of its axis, without the caps.
inline jostle_shape_def capsule(float radius, float half_height) {
  jostle_shape_def def = of_kind(JOSTLE_SHAPE_CAPSULE);
  def.radius = radius;
  def.half_height = half_height;
  return def;
}
/// Returns a cylinder along y.
inline jostle_shape_def cylinder(float radius, float half_height) {
  jostle_shape_def def = of_kind(JOSTLE_SHAPE_CYLINDER);
  def.radius = radius;
  def.half_height = half_height;
  return def;
}
/// Returns a cone along y, with its tip at +y.
inline jostle_shape_def cone(float radius, float half_height) {
  jostle_shape_def def = of_kind(JOSTLE_SHAPE_CONE);
  def.radius = radius;
  def.half_height = half_height;
  return def;
}
/// Returns the half-space below y = 0, for static bodies.
inline jostle_shape_def plane() {
  return of_kind(JOSTLE_SHAPE_PLANE);
}
/// Returns a hull, a mesh or a height field of a solid.
inline jostle_shape_def solid(jostle_shape_kind kind, jostle_solid geometry) {
  jostle_shape_def def = of_kind(kind);
  def.solid = geometry;
  return def;
}

}  // namespace shapes

/// A body of a world. A copy denotes the same body. The body exists until it or its world is
/// destroyed; calls on a destroyed body throw an Error with JOSTLE_ERROR_STALE_HANDLE.
class Body {
 public:
  /// Makes the null body.
  Body() = default;
  /// Denotes a body of a world.
  Body(jostle_world world, jostle_body body) : world_(world), body_(body) {}

  /// Returns the handle for functions of the C API.
  jostle_body handle() const { return body_; }
  /// Returns the handle of its world.
  jostle_world world() const { return world_; }
  /// Returns true if the body exists.
  bool is_alive() const { return jostle_body_is_alive(world_, body_) == 1; }
  /// Destroys the body with its shapes, joints and fields.
  void destroy() const { check(jostle_body_destroy(world_, body_)); }
  /// Adds a shape and returns its handle.
  jostle_shape add_shape(const jostle_shape_def& def) const {
    jostle_shape shape;
    check(jostle_shape_create(world_, body_, &def, &shape));
    return shape;
  }
  /// Returns the handles of its shapes, in the order of their creation.
  std::vector<jostle_shape> shapes() const {
    return list_of<jostle_shape>([&](jostle_shape* list, std::size_t capacity, std::size_t* count) {
      return jostle_body_get_shapes(world_, body_, list, capacity, count);
    });
  }

  /// Returns the pose of the body's frame in the world.
  jostle_pose pose() const {
    jostle_pose pose;
    check(jostle_body_get_pose(world_, body_, &pose));
    return pose;
  }
  /// Returns the position of the body's frame in the world, in m.
  jostle_position position() const { return pose().position; }
  /// Moves the body without a time of travel, and wakes it.
  void set_pose(const jostle_pose& pose) const {
    check(jostle_body_set_pose(world_, body_, &pose));
  }
  /// Moves the body to a position (m) and keeps its rotation.
  void set_position(const jostle_position& position) const {
    jostle_pose moved = pose();
    moved.position = position;
    set_pose(moved);
  }
  /// Moves a kinematic body so that it reaches `target` at the end of the next step.
  void move(const jostle_pose& target) const { check(jostle_body_move(world_, body_, &target)); }

  /// Returns the velocity of the centre of mass, in m/s.
  jostle_vec3 velocity() const {
    jostle_vec3 linear;
    check(jostle_body_get_velocity(world_, body_, &linear, nullptr));
    return linear;
  }
  /// Returns the angular velocity, in rad/s and in the frame of the world.
  jostle_vec3 angular_velocity() const {
    jostle_vec3 angular;
    check(jostle_body_get_velocity(world_, body_, nullptr, &angular));
    return angular;
  }
  /// Sets the velocity of the centre of mass (m/s) and the angular velocity (rad/s).
  void set_velocity(const jostle_vec3& linear, const jostle_vec3& angular = {0, 0, 0}) const {
    check(jostle_body_set_velocity(world_, body_, linear, angular));
  }

  /// Applies an impulse (N·s) at the centre of mass, at once.
  void apply_impulse(const jostle_vec3& impulse) const {
    check(jostle_body_apply_central_impulse(world_, body_, impulse));
  }
  /// Applies an impulse (N·s) at a point of the world (m), at once.
  void apply_impulse(const jostle_vec3& impulse, const jostle_position& point) const {
    check(jostle_body_apply_impulse(world_, body_, impulse, point));
  }
  /// Applies an angular impulse (N·m·s), at once.
  void apply_angular_impulse(const jostle_vec3& impulse) const {
    check(jostle_body_apply_angular_impulse(world_, body_, impulse));
  }
  /// Applies a force (N) at the centre of mass, during the next step.
  void apply_force(const jostle_vec3& force) const {
    check(jostle_body_apply_central_force(world_, body_, force));
  }
  /// Applies a force (N) at a point of the world (m), during the next step.
  void apply_force(const jostle_vec3& force, const jostle_position& point) const {
    check(jostle_body_apply_force(world_, body_, force, point));
  }
  /// Applies a torque (N·m), during the next step.
  void apply_torque(const jostle_vec3& torque) const {
    check(jostle_body_apply_torque(world_, body_, torque));
  }

  /// Returns the properties that do not change in most steps, such as the mass.
  jostle_body_info info() const {
    auto info = sized<jostle_body_info>();
    check(jostle_body_get_info(world_, body_, &info));
    return info;
  }
  /// Wakes the body with its island, or puts it to sleep.
  void set_awake(bool is_awake) const {
    check(jostle_body_set_awake(world_, body_, is_awake ? 1 : 0));
  }
  /// Disables or enables the body. A disabled body neither moves nor collides.
  void set_enabled(bool is_enabled) const {
    check(jostle_body_set_enabled(world_, body_, is_enabled ? 1 : 0));
  }

 private:
  jostle_world world_{};
  jostle_body body_{};
};

/// A joint of a world. A copy denotes the same joint.
class Joint {
 public:
  /// Makes the null joint.
  Joint() = default;
  /// Denotes a joint of a world.
  Joint(jostle_world world, jostle_joint joint) : world_(world), joint_(joint) {}

  /// Returns the handle for functions of the C API.
  jostle_joint handle() const { return joint_; }
  /// Returns true if the joint exists.
  bool is_alive() const { return jostle_joint_is_alive(world_, joint_) == 1; }
  /// Destroys the joint and wakes both bodies.
  void destroy() const { check(jostle_joint_destroy(world_, joint_)); }
  /// Returns the definition of the joint as it is now.
  jostle_joint_def def() const {
    auto def = sized<jostle_joint_def>();
    check(jostle_joint_get_def(world_, joint_, &def));
    return def;
  }
  /// Returns its coordinates, rates, errors and forces.
  jostle_joint_state state() const {
    auto state = sized<jostle_joint_state>();
    check(jostle_joint_get_state(world_, joint_, &state));
    return state;
  }
  /// Turns the motor on: it drives the coordinate at `speed` (rad/s or m/s) with at most
  /// `max_force` (N·m or N).
  void set_motor(float speed, float max_force) const {
    check(jostle_joint_set_motor(world_, joint_, {1, speed, max_force}));
  }
  /// Limits the coordinate to an interval, in rad or m.
  void set_limits(float lower, float upper) const {
    check(jostle_joint_set_limits(world_, joint_, {1, lower, upper}));
  }
  /// Sets the spring and the value to which it pulls, in rad or m.
  void set_spring(const jostle_joint_spring& spring, float rest) const {
    check(jostle_joint_set_spring(world_, joint_, spring, rest));
  }

 private:
  jostle_world world_{};
  jostle_joint joint_{};
};

}  // namespace jostle

#endif
