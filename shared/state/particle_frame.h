#pragma once

#include "shared/math/vec3.h"
#include "shared/state/tick.h"
#include "shared/state/world_def.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::state {

/// Maximum number of particles in one frame. If there are more, a regular subset is sent.
inline constexpr std::size_t max_shown_particles = 2'048;

/// Particles with equal appearance. Velocities and acceleration are per second of real time: they
/// are scaled by the speed of the simulation, and are 0 while it is paused.
struct ParticleGroup {
  Colour colour;
  float radius = 0;         // m
  math::Vec3 acceleration;  // effect of gravity, m/s²; equal for all particles of the group
  std::vector<math::Position> positions;
  std::vector<math::Vec3> velocities;  // m/s, one per particle

  bool operator==(const ParticleGroup&) const = default;
};

/// The particles that clients see at the end of a tick, at most max_shown_particles in total.
/// Particles have no ids. A viewer extrapolates each one along its parabola until the next frame.
struct ParticleFrame {
  Tick tick;
  std::uint32_t world_revision = 0;
  std::vector<ParticleGroup> groups;

  bool operator==(const ParticleFrame&) const = default;
};

}  // namespace jostle::state
