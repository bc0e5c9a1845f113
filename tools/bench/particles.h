#pragma once

#include <cstdint>
#include <string>

namespace jostle::bench {

/// What is measured of particles: points at random in a box over a ground, under gravity, wind and
/// an attraction, that collide.
struct ParticleBench {
  std::uint32_t count = 100'000;
  int steps = 600;
  int threads = 1;
  std::string integrator = "semi_implicit_euler";
  int crates = 0;  // static boxes that stand on the ground, in rows
};

/// Steps the set and says what it took, in lines to read; empty where there is no integrator of
/// that name. Pinned to nothing: taskset does that.
std::string measure_particles(const ParticleBench& bench);

}  // namespace jostle::bench
