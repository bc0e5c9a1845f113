#include "shared/sim/particles.h"

#include "shared/base/assert.h"

#include <cstdint>

namespace jostle::sim {
namespace {

physics::Emitter emitter_of(const scene::SceneParticles& set, const scene::SceneEmitter& emitter) {
  physics::Emitter made;
  made.kind = static_cast<physics::EmitterKind>(emitter.region.kind);
  made.centre = emitter.region.centre;
  made.half_extents = emitter.region.half_extents;
  made.radius = emitter.region.radius;
  made.rate = emitter.rate;
  made.velocity = emitter.velocity;
  made.spread = emitter.spread;
  made.lifetime = emitter.lifetime;
  made.min_lifetime_fraction = emitter.min_lifetime_fraction;
  made.mass = set.mass;
  made.particle_radius = set.radius;
  made.charge = set.charge;
  made.start = emitter.start;
  made.end = emitter.end;
  made.seed = emitter.seed;
  return made;
}
static_assert(static_cast<int>(physics::EmitterKind::Point) ==
                  static_cast<int>(forces::RegionKind::Everywhere) &&
              static_cast<int>(physics::EmitterKind::Box) ==
                  static_cast<int>(forces::RegionKind::Box) &&
              static_cast<int>(physics::EmitterKind::Sphere) ==
                  static_cast<int>(forces::RegionKind::Sphere));

}  // namespace

physics::ParticleSetHandle instantiate(physics::World& world, const scene::SceneParticles& set) {
  physics::ParticleSetDef def;
  def.max_count = set.max_count;
  def.integrator = set.integrator;
  def.gravity_scale = set.gravity_scale;
  def.ignores_force_fields = set.ignores_force_fields;
  def.collides = set.collides;
  def.mask = set.mask;
  def.friction = set.friction;
  def.restitution = set.restitution;
  def.material = {set.material};
  for (const scene::SceneEmitter& emitter : set.emitters)
    def.emitters.push_back(emitter_of(set, emitter));
  return world.create_particle_set(def);
}

state::ParticleFrame capture_particles(const physics::World& world, const scene::SceneDef& scene,
                                       state::Tick tick, float time_scale) {
  state::ParticleFrame frame;
  frame.tick = tick;
  const std::vector<physics::ParticleSetHandle> sets = world.particle_sets();
  JOSTLE_ASSERT(sets.size() == scene.particles.size());
  std::uint64_t total = 0;
  for (const physics::ParticleSetHandle set : sets)
    total += world.particles(set).size();
  // Picks particles evenly: one of every total/shown particles, counted over all sets.
  const std::uint64_t shown =
      total < state::max_shown_particles ? total : state::max_shown_particles;
  std::uint64_t before = 0, next = 0;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const physics::ParticleView view = world.particles(sets[s]);
    state::ParticleGroup group;
    group.colour = scene.particles[s].colour;
    group.radius = scene.particles[s].radius;
    group.acceleration =
        world.options().gravity * (scene.particles[s].gravity_scale * time_scale * time_scale);
    for (; next < shown && next * total / shown < before + view.size(); ++next) {
      const std::uint64_t i = next * total / shown - before;
      group.positions.push_back(view.positions[i]);
      group.velocities.push_back(narrowed(view.velocities[i]) * time_scale);
    }
    before += view.size();
    if (!group.positions.empty()) frame.groups.push_back(std::move(group));
  }
  return frame;
}

}  // namespace jostle::sim
