#pragma once

#include "shared/physics/world.h"
#include "shared/scene/scene.h"
#include "shared/state/label.h"

#include <vector>

namespace jostle::sim {

/// Returns a body's energy in J: kinetic energy, plus potential energy in gravity and, unless the
/// body ignores force fields, in the world's fields. Fields that are attached to a body are left
/// out. Returns 0 for a body that is not dynamic.
double energy_of(const physics::World& world, physics::BodyHandle body);

/// The labels of a scene and the initial energies that they need. Labels are not part of the
/// simulation state: they read the world and change nothing.
class Labels {
 public:
  /// Stores the labelled bodies and their energies at the scene's start. `bodies` are the scene's
  /// bodies in its order.
  void begin(const physics::World& world, const scene::SceneDef& scene,
             const std::vector<physics::BodyHandle>& bodies);

  /// Returns the labels with their current values. The value is 0 for a body that no longer exists.
  state::Labels read(const physics::World& world, const scene::SceneDef& scene,
                     state::Tick tick) const;

 private:
  struct Subject {
    physics::BodyHandle body;
    double energy = 0;  // energy at the scene's start, J
  };
  std::vector<Subject> subjects_;  // indexed by label
};

}  // namespace jostle::sim
