#include "shared/physics/detail/world_state.h"
#include "shared/physics/world.h"

namespace jostle::physics {
namespace {

ParticleSet& find(WorldState& world, ParticleSetHandle handle) {
  JOSTLE_ASSERT(world.particle_pool.is_alive(handle));
  return world.particle_sets[handle.index];
}

}  // namespace

ParticleSetHandle World::create_particle_set(const ParticleSetDef& def) {
  JOSTLE_ASSERT(is_valid(def));
  WorldState& world = *state_;
  const ParticleSetHandle handle = world.particle_pool.create();
  if (handle.index == world.particle_sets.size()) world.particle_sets.emplace_back();
  world.particle_sets[handle.index] = new_particle_set(def);
  return handle;
}

void World::destroy_particle_set(ParticleSetHandle set) {
  find(*state_, set) = {};
  state_->particle_pool.destroy(set);
}

bool World::is_alive(ParticleSetHandle set) const {
  return state_->particle_pool.is_alive(set);
}
std::vector<ParticleSetHandle> World::particle_sets() const {
  std::vector<ParticleSetHandle> handles;
  for (std::uint32_t i = 0; i < state_->particle_pool.slot_count(); ++i) {
    if (state_->particle_pool.is_alive_index(i)) handles.push_back(state_->particle_pool.at(i));
  }
  return handles;
}
const ParticleSetDef& World::particle_set_def(ParticleSetHandle set) const {
  return find(*state_, set).def;
}

bool World::add_particle(ParticleSetHandle handle, const Particle& particle) {
  JOSTLE_ASSERT(is_valid(particle));
  ParticleSet& set = find(*state_, handle);
  if (set.size() >= set.def.max_count) return false;
  set.push_back(particle);
  return true;
}

ParticleView World::particles(ParticleSetHandle handle) const {
  const ParticleSet& set = find(*state_, handle);
  return {set.positions, set.velocities, set.masses, set.radii, set.charges, set.steps_left};
}

}  // namespace jostle::physics
