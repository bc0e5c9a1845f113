#pragma once

#include "shared/physics/world.h"
#include "shared/scene/scene.h"
#include "shared/state/particle_frame.h"

namespace jostle::sim {

/// Creates a set of the scene, with its emitters.
physics::ParticleSetHandle instantiate(physics::World& world, const scene::SceneParticles& set);

/// The particles of a world whose sets are those of the scene, in its order. Where there are more
/// than may be shown, every so many of them. `time_scale` is how fast the world goes for those who
/// look on: 0 while it stands still.
state::ParticleFrame capture_particles(const physics::World& world, const scene::SceneDef& scene,
                                       state::Tick tick, float time_scale);

}  // namespace jostle::sim
