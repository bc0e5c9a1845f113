#pragma once

#include "tests/physics/scenes.h"

namespace jostle::physics::testing {

inline constexpr MaterialId ice{1}, rubber{7};

inline Material sticking(float mu_static, float mu_sliding) {
  Material material;
  material.friction = mu_sliding;
  material.static_friction = mu_static;
  return material;
}
inline Material named(MaterialId id) {
  Material material;
  material.id = id;
  return material;
}
inline Material ruled(float friction, CombineRule rule) {
  Material material;
  material.friction = friction;
  material.friction_rule = rule;
  return material;
}
inline Material bouncing(float restitution, CombineRule rule) {
  Material material;
  material.restitution = restitution;
  material.restitution_rule = rule;
  return material;
}

/// Adds a box of 1 kg that is too flat to tip over.
inline BodyHandle add_slab(World& world, Position at, const Material& material) {
  ShapeDef def = shape_def(state::box({0.5f, 0.1f, 0.5f}));
  def.material = material;
  def.density = 5;
  return add_body(world, MotionType::Dynamic, {at, {}}, def);
}

}  // namespace jostle::physics::testing
