#pragma once

#include "shared/reference/extract_system.h"
#include "tests/physics/scenes.h"
#include "tests/reference/systems.h"

namespace jostle::reference::testing {

namespace scenes = jostle::physics::testing;
using math::Position;
using physics::BodyHandle;
using physics::JointDef;
using physics::JointHandle;
using physics::MotionType;
using physics::World;

/// Returns options without sleeping, with steps of 1/`share` of the default length.
inline physics::WorldOptions fine(int share) {
  physics::WorldOptions options;
  options.is_sleeping_enabled = false;
  options.step_seconds = 1.0f / (60.0f * static_cast<float>(share));
  return options;
}
inline double step_of(const World& world) {
  return static_cast<double>(world.options().step_seconds);
}

inline physics::ShapeDef box_shape(math::Vec3 half, float friction) {
  physics::ShapeDef def = scenes::shape_def(state::box(half));
  def.material.friction = friction;
  return def;
}
inline physics::ShapeDef ghost(math::Vec3 half) {
  physics::ShapeDef def = scenes::shape_def(state::box(half));
  def.filter.mask = 0;
  return def;
}
inline BodyHandle add_box(World& world, Position at, const physics::ShapeDef& shape) {
  return scenes::add_body(world, MotionType::Dynamic, {at, {}}, shape);
}
inline BodyHandle add_anchor(World& world) {
  return scenes::add_body(world, MotionType::Static, {}, ghost({0.05f, 0.05f, 0.05f}));
}

/// Returns options with the step length of the world and without Baumgarte stabilisation. If bodies
/// do not move, the engine's soft contacts bear the load with a small overlap. Stabilisation would
/// remove this overlap.
inline StepOptions options_for(const World& world) {
  StepOptions options;
  options.step_seconds = step_of(world);
  options.baumgarte = 0;
  options.solver.tolerance = 1e-6;
  return options;
}

}  // namespace jostle::reference::testing
