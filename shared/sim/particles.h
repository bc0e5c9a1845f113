#pragma once

#include "shared/physics/world.h"
#include "shared/scene/scene.h"
#include "shared/state/particle_frame.h"

namespace jostle::sim {

/// Creates a particle set of the scene with its emitters.
physics::ParticleSetHandle instantiate(physics::World& world, const scene::SceneParticles& set);

/// Returns the particles of a world. Its particle sets must be those of `scene`, in the same order.
/// If there are more than max_shown_particles, returns a regular subset of that size. `time_scale`
/// is the speed of the simulation relative to real time, 0 while it is paused; it scales velocities
/// and accelerations to real time.
state::ParticleFrame capture_particles(const physics::World& world, const scene::SceneDef& scene,
                                       state::Tick tick, float time_scale);

}  // namespace jostle::sim
