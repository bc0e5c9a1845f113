#pragma once

#include "shared/math/transform.h"
#include "tools/workload/scene.h"

#include <functional>

namespace jostle::workload {

/// What a scene's courses and pushes need of an engine. `body` is an index into Scene::bodies.
struct Hands {
  std::function<state::PushedBody(std::uint32_t body)> look;
  /// An impulse (N·s) at a point, m from the centre of mass along the world's axes.
  std::function<void(std::uint32_t body, math::Vec3 impulse, math::Vec3 point)> push;
  /// Sets the linear velocity and wakes the body.
  std::function<void(std::uint32_t body, math::Vec3 velocity)> drive;
  /// A kinematic body is to reach the pose at the end of the step.
  std::function<void(std::uint32_t body, const math::Pose& target)> move;
};

/// Does what the scene wants before step number `step`, counted from 0: courses, then pushes.
void act(const Scene& scene, int step, const Hands& hands);

}  // namespace jostle::workload
