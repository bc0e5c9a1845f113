#pragma once

#include "shared/math/vec3.h"
#include "shared/state/tick.h"
#include "shared/state/world_def.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::state {

/// Of one frame: what is more is shown thinned out.
inline constexpr std::size_t max_shown_particles = 2'048;

/// Particles that look alike.
struct ParticleGroup {
  Colour colour;
  float radius = 0;         // m
  math::Vec3 acceleration;  // m/s², what gravity does to all of them
  std::vector<math::Position> positions;
  std::vector<math::Vec3> velocities;  // m/s, one for each

  bool operator==(const ParticleGroup&) const = default;
};

/// Particles at the end of a tick, as clients may see them: at most max_shown_particles in all.
/// None has a name: a viewer carries each on along its own parabola until the next frame.
struct ParticleFrame {
  Tick tick;
  std::uint32_t world_revision = 0;
  std::vector<ParticleGroup> groups;

  bool operator==(const ParticleFrame&) const = default;
};

}  // namespace jostle::state
