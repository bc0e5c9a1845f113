#include "api/base/definition.h"
#include "api/base/lists.h"
#include "api/physics/body_def.h"
#include "api/physics/convert.h"
#include "api/physics/limits.h"
#include "api/physics/region.h"
#include "api/physics/tables.h"

#include <jostle/physics/particles.h>

#include <array>
#include <vector>

namespace jostle::api {

static_assert(JOSTLE_ENDLESS == physics::endless);
static_assert(static_cast<int>(physics::EmitterKind::Sphere) == JOSTLE_REGION_SPHERE);

template <>
jostle_emitter default_of();
template <>
jostle_particle_set_def default_of();

namespace {

jostle_emitter emitter_of(const physics::Emitter& emitter) {
  jostle_emitter values{};
  values.size = sizeof values;
  values.region = {static_cast<jostle_region_kind>(emitter.kind), emitter.radius,
                   to_c(emitter.centre), to_c(emitter.half_extents)};
  values.rate = emitter.rate;
  values.velocity = to_c(emitter.velocity);
  values.spread = emitter.spread;
  values.lifetime = emitter.lifetime;
  values.min_lifetime_fraction = emitter.min_lifetime_fraction;
  values.mass = emitter.mass;
  values.radius = emitter.particle_radius;
  values.charge = emitter.charge;
  values.start = emitter.start;
  values.end = emitter.end;
  values.seed = emitter.seed;
  return values;
}

jostle_particle_set_def set_def_of(const physics::ParticleSetDef& set) {
  jostle_particle_set_def values{};
  values.size = sizeof values;
  values.max_count = set.max_count;
  values.integrator = static_cast<jostle_integrator>(set.integrator);
  values.gravity_scale = set.gravity_scale;
  values.ignores_fields = to_c(set.ignores_force_fields);
  values.collides = to_c(set.collides);
  values.mask = set.mask;
  values.friction = set.friction;
  values.restitution = set.restitution;
  values.material_id = set.material.value;
  values.emitter_count = static_cast<std::uint32_t>(set.emitters.size());
  return values;
}

physics::Emitter checked_emitter(const jostle_emitter& values) {
  const forces::Region region = checked_region(values.region, "emitter.region.kind");
  physics::Emitter emitter;
  emitter.kind = static_cast<physics::EmitterKind>(values.region.kind);
  emitter.centre = region.centre;
  emitter.half_extents = region.half_extents;
  emitter.radius = region.radius;
  emitter.rate = values.rate;
  emitter.velocity = to_engine(values.velocity);
  emitter.spread = values.spread;
  emitter.lifetime = values.lifetime;
  emitter.min_lifetime_fraction = values.min_lifetime_fraction;
  emitter.mass = values.mass;
  emitter.particle_radius = values.radius;
  emitter.charge = values.charge;
  emitter.start = values.start;
  emitter.end = values.end;
  emitter.seed = values.seed;
  constexpr double max_rate = 1e7;
  require_range(values.rate, 0, max_rate, "emitter.rate", "1/s");
  require_speed(values.velocity, "emitter.velocity");
  require_range(values.spread, 0, max_speed, "emitter.spread", "m/s");
  require_range(values.lifetime, 0, max_seconds, "emitter.lifetime", "s");
  require_range(values.min_lifetime_fraction, 0, 1, "emitter.min_lifetime_fraction", "");
  require_range(values.radius, 0, physics::max_particle_radius, "emitter.radius", "m");
  return emitter;
}

/// Reads the emitters of a definition into `set`.
void read_emitters(const jostle_particle_set_def& def, physics::ParticleSetDef& set) {
  require_pointer(def.emitters, "def->emitters");
  // Emitters of programs that were compiled with an earlier version are smaller. All have the size
  // of the first one.
  const std::size_t stride = def.emitters->size;
  require_size<jostle_emitter>(stride, "def->emitters");
  for (std::uint32_t i = 0; i < def.emitter_count; ++i) {
    const auto* at = reinterpret_cast<const jostle_emitter*>(
        reinterpret_cast<const char*>(def.emitters) + i * stride);
    set.emitters.push_back(checked_emitter(read_struct(at, "def->emitters")));
  }
}

physics::ParticleSetDef checked_set(const jostle_particle_set_def& def) {
  require_integer(def.max_count, 1, physics::max_particles_per_set, "def->max_count");
  require_range(def.gravity_scale, -max_scale, max_scale, "def->gravity_scale", "");
  require_range(def.friction, 0, physics::max_friction, "def->friction", "");
  require_range(def.restitution, 0, 1, "def->restitution", "");
  require_integer(def.emitter_count, 0, physics::max_emitters_per_set, "def->emitter_count");
  physics::ParticleSetDef set;
  set.max_count = def.max_count;
  set.integrator = *checked_integrator(def.integrator, 0, "def->integrator");
  set.gravity_scale = def.gravity_scale;
  set.ignores_force_fields = require_bool(def.ignores_fields, "def->ignores_fields");
  set.collides = require_bool(def.collides, "def->collides");
  set.mask = def.mask;
  set.friction = def.friction;
  set.restitution = def.restitution;
  set.material = {def.material_id};
  if (def.emitter_count > 0) read_emitters(def, set);
  if (!is_valid(set)) {
    refuse_text(JOSTLE_ERROR_INVALID_ARGUMENT,
                "the set is invalid; accepted: emitters with masses from 1e-6 to 1e12 kg, charges "
                "within ±1e12, sizes of regions above 0, 0 <= start, and end 0 or at least start");
  }
  return set;
}

physics::Particle checked_particle(const jostle_particle& values, std::size_t index) {
  physics::Particle particle;
  particle.position = to_engine(values.position);
  particle.velocity = {values.velocity[0], values.velocity[1], values.velocity[2]};
  particle.mass = values.mass;
  particle.radius = values.radius;
  particle.charge = values.charge;
  particle.steps_left = values.steps_left;
  if (!is_valid(particle)) {
    refuse(JOSTLE_ERROR_INVALID_ARGUMENT,
           "particles[%zu] is invalid; accepted: finite positions and velocities, masses from 1e-6 "
           "to 1e12 kg, radii from 0 to 1e3 m, charges within ±1e12, steps_left above 0",
           index);
  }
  return particle;
}

/// Writes numbers of all particles into an array of the caller, unless it is null.
template <typename Value, typename Number>
void write_column(Number* array, std::size_t stride, std::size_t capacity, std::size_t count,
                  const char* name, const Value& value_at) {
  using Row = decltype(value_at(0));
  if (array == nullptr) return;
  const std::size_t bytes = stride_of(stride, sizeof(Row), name);
  require_array(array, capacity, bytes, name);
  for (std::size_t i = 0; i < count && i < capacity; ++i)
    write_element(reinterpret_cast<Row*>(array), bytes, i, value_at(i));
}

void write_particles(const physics::ParticleView& view, const jostle_particle_arrays& to,
                     std::size_t capacity) {
  using Row = std::array<double, 3>;
  const std::size_t count = view.size();
  write_column(to.positions, to.positions_stride, capacity, count, "arrays->positions",
               [&](std::size_t i) {
                 const math::Position& p = view.positions[i];
                 return Row{p.x, p.y, p.z};
               });
  write_column(to.velocities, to.velocities_stride, capacity, count, "arrays->velocities",
               [&](std::size_t i) {
                 const math::Vec3d& v = view.velocities[i];
                 return Row{v.x, v.y, v.z};
               });
  write_column(to.masses, to.masses_stride, capacity, count, "arrays->masses",
               [&](std::size_t i) { return view.masses[i]; });
  write_column(to.radii, to.radii_stride, capacity, count, "arrays->radii",
               [&](std::size_t i) { return view.radii[i]; });
  write_column(to.charges, to.charges_stride, capacity, count, "arrays->charges",
               [&](std::size_t i) { return view.charges[i]; });
  write_column(to.steps_left, to.steps_left_stride, capacity, count, "arrays->steps_left",
               [&](std::size_t i) { return view.steps_left[i]; });
}

}  // namespace

template <>
jostle_emitter default_of() {
  return emitter_of(physics::Emitter{});
}
template <>
jostle_particle_set_def default_of() {
  return set_def_of(physics::ParticleSetDef{});
}
template <>
jostle_particle_arrays default_of() {
  jostle_particle_arrays arrays{};
  arrays.size = sizeof arrays;
  return arrays;
}

}  // namespace jostle::api

using namespace jostle;
using namespace jostle::api;

jostle_result jostle_emitter_init(jostle_emitter* emitter, size_t size) {
  return write_default(__func__, emitter, size);
}
jostle_result jostle_particle_set_def_init(jostle_particle_set_def* def, size_t size) {
  return write_default(__func__, def, size);
}
jostle_result jostle_particle_arrays_init(jostle_particle_arrays* arrays, size_t size) {
  return write_default(__func__, arrays, size);
}

jostle_result jostle_particle_set_create(jostle_world world, const jostle_particle_set_def* def,
                                         jostle_particle_set* set) {
  return change_own_world(__func__, world, [&](physics::World& found) {
    const physics::ParticleSetDef checked = checked_set(read_struct(def, "def"));
    require_pointer(set, "set");
    *set = to_c(found.create_particle_set(checked));
  });
}
jostle_result jostle_particle_set_destroy(jostle_world world, jostle_particle_set set) {
  return change_own_world(__func__, world, [&](physics::World& found) {
    found.destroy_particle_set(require_alive(found, set, "set"));
  });
}
jostle_bool jostle_particle_set_is_alive(jostle_world world, jostle_particle_set set) {
  return is_alive_in(world, to_engine(set));
}
jostle_result jostle_particle_set_get_def(jostle_world world, jostle_particle_set set,
                                          jostle_particle_set_def* def) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto handle = require_alive(found, set, "set");
    require_output(def, "def");
    write_struct(def, set_def_of(found.particle_set_def(handle)));
  });
}
jostle_result jostle_particle_set_get_emitters(jostle_world world, jostle_particle_set set,
                                               jostle_emitter* emitters, size_t capacity,
                                               size_t* count) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto handle = require_alive(found, set, "set");
    const auto output = list_output(emitters, 0, capacity, count);
    const auto& list = found.particle_set_def(handle).emitters;
    write_list(output, list.size(), [&](std::size_t i) { return emitter_of(list[i]); });
  });
}
jostle_result jostle_world_get_particle_sets(jostle_world world, jostle_particle_set* sets,
                                             size_t capacity, size_t* count) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto output = list_output(sets, 0, capacity, count);
    const auto list = found.particle_sets();
    write_list(output, list.size(), [&](std::size_t i) { return to_c(list[i]); });
  });
}

jostle_result jostle_particle_set_add(jostle_world world, jostle_particle_set set,
                                      const jostle_particle* particles, size_t count,
                                      size_t* added) {
  return change_world(__func__, world, [&](physics::World& found) {
    const auto handle = require_alive(found, set, "set");
    require_array(particles, count, sizeof(jostle_particle), "particles");
    std::vector<physics::Particle> checked;
    const std::size_t room =
        found.particle_set_def(handle).max_count - found.particles(handle).size();
    checked.reserve(count < room ? count : room);
    for (std::size_t i = 0; i < count; ++i) {
      const physics::Particle particle =
          checked_particle(read_element(particles, sizeof(jostle_particle), i), i);
      if (i < room) checked.push_back(particle);
    }
    for (const physics::Particle& particle : checked)
      found.add_particle(handle, particle);
    if (added != nullptr) *added = checked.size();
    if (count > room) {
      refuse(JOSTLE_ERROR_LIMIT, "the set is full; %zu of %zu particles were added", room, count);
    }
  });
}

jostle_result jostle_particle_set_read(jostle_world world, jostle_particle_set set,
                                       const jostle_particle_arrays* arrays, size_t capacity,
                                       size_t* count) {
  return read_world(__func__, world, [&](const physics::World& found) {
    const auto handle = require_alive(found, set, "set");
    const jostle_particle_arrays wanted = read_struct(arrays, "arrays");
    require_pointer(count, "count");
    const physics::ParticleView view = found.particles(handle);
    write_particles(view, wanted, capacity);
    *count = view.size();
    if (capacity > 0 && view.size() > capacity) {
      refuse(JOSTLE_ERROR_BUFFER_TOO_SMALL, "the arrays hold %zu particles; needed: %u", capacity,
             view.size());
    }
  });
}
