#pragma once

#include "shared/math/transform.h"
#include "tools/workload/scene.h"

#include <functional>

namespace jostle::workload {

/// The functions of an engine that a scene's kinematic motions and pushes use. `body` is an index
/// into Scene::bodies.
struct EngineControls {
  /// Returns the position and velocity of the body, and its mass.
  std::function<state::PushedBody(std::uint32_t body)> look;
  /// Applies an impulse (N·s) at a point, in m from the centre of mass along the world's axes.
  std::function<void(std::uint32_t body, math::Vec3 impulse, math::Vec3 point)> push;
  /// Sets the linear velocity and wakes the body.
  std::function<void(std::uint32_t body, math::Vec3 velocity)> drive;
  /// Moves a kinematic body so that it reaches the pose at the end of the step.
  std::function<void(std::uint32_t body, const math::Pose& target)> move;
};

/// Applies the scene's actions before step number `step`, counted from 0: kinematic motions first,
/// then pushes.
void act(const Scene& scene, int step, const EngineControls& hands);

}  // namespace jostle::workload
