#pragma once

#include "shared/base/random.h"
#include "shared/physics/particles.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace jostle::physics {

/// The progress of an emitter.
struct EmitterState {
  base::Random random{0};
  double owed = 0;  // fraction of a particle left over from the previous step
};

/// The data of a particle set: one array per property. Everything but `def` changes from step to
/// step, and everything is state.
struct ParticleSet {
  ParticleSetDef def;
  std::uint64_t steps = 0;  // number of steps since the set was created
  std::vector<EmitterState> emitters;

  std::vector<math::Position> positions;
  std::vector<math::Vec3d> velocities;
  std::vector<float> masses, radii, charges;
  // number of steps until the particle is removed, or `endless`
  std::vector<std::uint32_t> steps_left;

  std::size_t size() const { return positions.size(); }
  void resize(std::size_t count);
  void push_back(const Particle& particle);
  Particle at(std::size_t i) const;
  /// Removes a particle. The last one takes its place.
  void remove(std::size_t i);
};

struct WorldState;

/// Returns a set without particles and with its emitters in their initial state.
ParticleSet new_particle_set(const ParticleSetDef& def);

/// Advances all particle sets by one step: emits, moves, collides and removes particles. Bodies are
/// in their poses after the step. Each particle is computed independently, on any thread.
void step_particles(WorldState& world);

/// Returns the number of particles in all sets.
std::size_t count_particles(const WorldState& world);

/// Returns true if a set read from a save is valid.
bool is_consistent(const ParticleSet& set);

}  // namespace jostle::physics
