#pragma once

#include "shared/physics/world.h"
#include "shared/scene/scene.h"
#include "shared/state/readout.h"

#include <vector>

namespace jostle::sim {

/// J: of a body's motion and turning, and by its place in gravity and in the world's fields.
double energy_of(const physics::World& world, physics::BodyHandle body);

/// What a scene shows of its bodies. No state: it reads the world and changes nothing.
class Readouts {
 public:
  /// The scene stands at its start; `bodies` are its bodies, in its order.
  void begin(const physics::World& world, const scene::SceneDef& scene,
             const std::vector<physics::BodyHandle>& bodies);

  /// Of a body that is gone, 0.
  state::Readouts read(const physics::World& world, const scene::SceneDef& scene,
                       state::Tick tick) const;

 private:
  struct Subject {
    physics::BodyHandle body;
    double energy = 0;  // J, at the scene's start
  };
  std::vector<Subject> subjects_;  // by readout
};

}  // namespace jostle::sim
