#pragma once

#include "shared/base/random.h"
#include "shared/physics/particles.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::physics {

/// What an emitter has done so far.
struct EmitterState {
  base::Random random{0};
  double owed = 0;  // particles: what is left of whole ones
};

/// A set as the world holds it: one list for each of the values of a particle. All of it but `def`
/// changes from step to step, and all of it is state.
struct ParticleSet {
  ParticleSetDef def;
  std::uint64_t steps = 0;  // since it was made
  std::vector<EmitterState> emitters;

  std::vector<math::Position> positions;
  std::vector<math::Vec3d> velocities;
  std::vector<float> masses, radii, charges;
  std::vector<std::uint32_t> steps_left;  // 0: it goes when the step ends

  std::size_t size() const { return positions.size(); }
  void resize(std::size_t count);
  void push_back(const Particle& particle);
  Particle at(std::size_t i) const;
  /// The last one takes its place.
  void remove(std::size_t i);
};

struct WorldState;

/// A set with its emitters at their start.
ParticleSet new_particle_set(const ParticleSetDef& def);

/// Lets emitters emit and particles move, bounce and go, one step of all sets. Bodies stand where
/// the step has left them. Each particle is worked out alone, on any thread.
void step_particles(WorldState& world);

/// How many particles there are, in all sets.
std::size_t count_particles(const WorldState& world);

/// Whether a save's set could have come to be.
bool is_consistent(const ParticleSet& set);

}  // namespace jostle::physics
