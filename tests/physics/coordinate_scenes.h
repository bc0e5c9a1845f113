#pragma once

#include "tests/physics/joint_scenes.h"

namespace jostle::physics::testing {

inline ShapeDef ghost(const state::Shape& shape) {
  ShapeDef def = shape_def(shape);
  def.filter.mask = 0;
  return def;
}
inline BodyHandle add_anchor(World& world, Position at) {
  return add_body(world, MotionType::Static, {at, {}}, ghost(state::sphere(0.05f)));
}
inline BodyHandle add_ghost(World& world, Position at, const state::Shape& shape) {
  return add_body(world, MotionType::Dynamic, {at, {}}, ghost(shape));
}
/// A body of that mass whose shape touches nothing.
inline BodyHandle add_weight(World& world, Position at, float mass) {
  BodyDef def;
  def.pose.position = at;
  def.mass = mass;
  const BodyHandle body = world.create_body(def);
  world.add_shape(body, ghost(state::box({0.2f, 0.25f, 0.3f})));
  return body;
}

inline WorldOptions awake_options(Vec3 gravity) {
  WorldOptions options;
  options.is_sleeping_enabled = false;
  options.gravity = gravity;
  return options;
}
inline constexpr Vec3 earth{0, -9.81f, 0};

inline void set_axis(JointDef& def, std::size_t axis, JointFreedom freedom, float lower = 0,
                     float upper = 0) {
  JointAxisDef& to = def.details.edit().axes[axis];
  to.freedom = freedom;
  to.lower = lower;
  to.upper = upper;
}

}  // namespace jostle::physics::testing
