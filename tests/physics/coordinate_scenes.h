#pragma once

#include "tests/physics/joint_scenes.h"

namespace jostle::physics::testing {

/// Adds a body of the given mass whose shape collides with nothing.
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
