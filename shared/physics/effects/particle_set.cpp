#include "shared/physics/effects/particle_set.h"

#include "shared/forces/force_field.h"
#include "shared/physics/detail/constants.h"

#include <cmath>

namespace jostle::physics {
namespace {

constexpr float max_rate = 1e7f;     // 1/s
constexpr float max_seconds = 1e9f;  // s
constexpr double max_speed = 1e38;   // m/s
constexpr float max_gravity_scale = 1e6f;

/// Returns true if low ≤ x ≤ high; false for NaN.
bool is_within(float x, float low, float high) {
  return x >= low && x <= high;
}
bool is_particle_place(math::Position p) {
  return std::abs(p.x) <= max_coordinate && std::abs(p.y) <= max_coordinate &&
         std::abs(p.z) <= max_coordinate;
}
bool is_speed(math::Vec3d v) {
  return std::abs(v.x) <= max_speed && std::abs(v.y) <= max_speed && std::abs(v.z) <= max_speed;
}

bool has_valid_values(float mass, float radius, float charge) {
  return is_within(mass, min_mass, max_mass) && is_within(radius, 0, max_particle_radius) &&
         is_within(charge, -forces::max_charge, forces::max_charge);
}

bool has_valid_region(const Emitter& e) {
  const float size = forces::max_region_size;
  if (e.kind == EmitterKind::Box)
    return is_within(e.half_extents.x, 0, size) && is_within(e.half_extents.y, 0, size) &&
           is_within(e.half_extents.z, 0, size) && e.radius == 0.0f;
  if (e.kind == EmitterKind::Sphere && !is_within(e.radius, 0, size)) return false;
  return e.half_extents == math::Vec3{} && (e.kind == EmitterKind::Sphere || e.radius == 0.0f);
}

bool is_valid(const Emitter& e) {
  return static_cast<std::uint8_t>(e.kind) < emitter_kind_count && is_particle_place(e.centre) &&
         has_valid_region(e) && is_within(e.rate, 0, max_rate) && is_finite(e.velocity) &&
         is_speed(math::widened(e.velocity)) &&
         is_within(e.spread, 0, static_cast<float>(max_speed)) &&
         is_within(e.lifetime, 0, max_seconds) && is_within(e.min_lifetime_fraction, 0, 1) &&
         has_valid_values(e.mass, e.particle_radius, e.charge) &&
         is_within(e.start, 0, max_seconds) && is_within(e.end, 0, max_seconds);
}

}  // namespace

bool is_valid(const ParticleSetDef& def) {
  if (def.max_count < 1 || def.max_count > max_particles_per_set) return false;
  if (static_cast<std::uint8_t>(def.integrator) >= forces::integrator_count) return false;
  if (!is_within(def.gravity_scale, -max_gravity_scale, max_gravity_scale) ||
      !is_within(def.friction, 0, max_friction) || !is_within(def.restitution, 0, 1))
    return false;
  if (def.emitters.size() > max_emitters_per_set) return false;
  for (const Emitter& emitter : def.emitters) {
    if (!is_valid(emitter)) return false;
  }
  return true;
}

bool is_valid(const Particle& p) {
  return is_particle_place(p.position) && is_speed(p.velocity) &&
         has_valid_values(p.mass, p.radius, p.charge) && p.steps_left > 0;
}

void ParticleSet::resize(std::size_t count) {
  positions.resize(count);
  velocities.resize(count);
  masses.resize(count);
  radii.resize(count);
  charges.resize(count);
  steps_left.resize(count);
}

void ParticleSet::push_back(const Particle& particle) {
  positions.push_back(particle.position);
  velocities.push_back(particle.velocity);
  masses.push_back(particle.mass);
  radii.push_back(particle.radius);
  charges.push_back(particle.charge);
  steps_left.push_back(particle.steps_left);
}

Particle ParticleSet::at(std::size_t i) const {
  return {positions[i], velocities[i], masses[i], radii[i], charges[i], steps_left[i]};
}

void ParticleSet::remove(std::size_t i) {
  const std::size_t last = size() - 1;
  positions[i] = positions[last];
  velocities[i] = velocities[last];
  masses[i] = masses[last];
  radii[i] = radii[last];
  charges[i] = charges[last];
  steps_left[i] = steps_left[last];
  resize(last);
}

ParticleSet new_particle_set(const ParticleSetDef& def) {
  ParticleSet set;
  set.def = def;
  for (const Emitter& emitter : def.emitters)
    set.emitters.push_back({base::Random(emitter.seed), 0});
  return set;
}

bool is_consistent(const ParticleSet& set) {
  if (!is_valid(set.def) || set.emitters.size() != set.def.emitters.size() ||
      set.size() > set.def.max_count)
    return false;
  for (const EmitterState& emitter : set.emitters) {
    if (!(emitter.owed >= 0 && emitter.owed < 1)) return false;
  }
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (!is_valid(set.at(i))) return false;
  }
  return true;
}

}  // namespace jostle::physics
