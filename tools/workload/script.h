#pragma once

#include "tools/workload/scene.h"

#include <functional>

namespace jostle::workload {

/// What a script needs of an engine. `body` is an index into Scene::bodies.
struct Hands {
  std::function<math::Vec3(std::uint32_t body)> position;
  std::function<math::Vec3(std::uint32_t body)> velocity;
  std::function<void(std::uint32_t body, math::Vec3 impulse)> push;  // N·s at the centre of mass
  /// Sets the linear velocity and wakes the body.
  std::function<void(std::uint32_t body, math::Vec3 velocity)> drive;
};

/// Does what the scene's script wants before step number `step`, counted from 0.
void act(const Scene& scene, int step, const Hands& hands);

}  // namespace jostle::workload
