#pragma once

#include <cstdint>
#include <string>

namespace jostle::bench {

/// The options of the particle benchmark: points at random positions in a box above a ground. They
/// fall, collide, and move under wind and an attraction.
struct ParticleBench {
  std::uint32_t count = 100'000;
  int steps = 600;
  int threads = 1;
  std::string integrator = "semi_implicit_euler";
  int crates = 0;  // static boxes on the ground, in rows
};

/// Steps the particles and returns a report of the times. Returns an empty string if there is no
/// integrator of that name. Does not pin the process to cores: use taskset.
std::string measure_particles(const ParticleBench& bench);

}  // namespace jostle::bench
