#include "shared/forces/point_fields.h"
#include "shared/math/trig.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/ranges.h"
#include "shared/physics/detail/world_state.h"
#include "shared/physics/effects/particle_contacts.h"
#include "shared/physics/effects/particle_set.h"

#include <cmath>
#include <limits>

namespace jostle::physics {

using math::Position;
using math::Vec3d;

namespace {

constexpr std::size_t particles_per_range = 256;

/// Returns a uniform random point in the ball of radius 1, by rejection sampling in the cube.
Vec3d point_in_ball(base::Random& random) {
  // Maximum number of tries. If all of them fail, which has a probability below 2⁻⁶⁴, the result is
  // the centre.
  constexpr int most = 64;
  for (int i = 0; i < most; ++i) {
    const auto draw = [&] { return static_cast<double>(random.between(-1, 1)); };
    const double x = draw(), y = draw(), z = draw();
    const Vec3d point{x, y, z};
    if (dot(point, point) <= 1) return point;
  }
  return {};
}

Vec3d point_in_region(const Emitter& emitter, base::Random& random) {
  switch (emitter.kind) {
    case EmitterKind::Point:
      break;
    case EmitterKind::Box: {
      const auto draw = [&](float half) {
        return static_cast<double>(half * random.between(-1, 1));
      };
      const double x = draw(emitter.half_extents.x), y = draw(emitter.half_extents.y),
                   z = draw(emitter.half_extents.z);
      return {x, y, z};
    }
    case EmitterKind::Sphere:
      return point_in_ball(random) * static_cast<double>(emitter.radius);
  }
  return {};
}

std::uint32_t lifetime_steps(const Emitter& emitter, double step_seconds, base::Random& random) {
  if (emitter.lifetime == 0.0f) return endless;
  const double share = static_cast<double>(random.between(emitter.min_lifetime_fraction, 1));
  const double steps = static_cast<double>(emitter.lifetime) * share / step_seconds + 0.5;
  constexpr double most = 4e9;
  return steps < 1      ? 1
         : steps > most ? static_cast<std::uint32_t>(most)
                        : static_cast<std::uint32_t>(steps);
}

Particle emitted(const Emitter& emitter, double step_seconds, base::Random& random) {
  Particle particle;
  const Vec3d offset = point_in_region(emitter, random);
  particle.position = {emitter.centre.x + offset.x, emitter.centre.y + offset.y,
                       emitter.centre.z + offset.z};
  particle.velocity = math::widened(emitter.velocity);
  if (emitter.spread > 0.0f)
    particle.velocity =
        particle.velocity + point_in_ball(random) * static_cast<double>(emitter.spread);
  particle.mass = emitter.mass;
  particle.radius = emitter.particle_radius;
  particle.charge = emitter.charge;
  particle.steps_left = lifetime_steps(emitter, step_seconds, random);
  return particle;
}

void emit(ParticleSet& set, double step_seconds) {
  const double now = static_cast<double>(set.steps) * step_seconds;
  for (std::size_t i = 0; i < set.emitters.size(); ++i) {
    const Emitter& emitter = set.def.emitters[i];
    EmitterState& state = set.emitters[i];
    const bool has_ended = emitter.end > 0.0f && now >= static_cast<double>(emitter.end);
    if (now < static_cast<double>(emitter.start) || has_ended) continue;
    const double owed = state.owed + static_cast<double>(emitter.rate) * step_seconds;
    const double whole = std::floor(owed);
    state.owed = owed - whole;
    for (double made = 0; made < whole && set.size() < set.def.max_count; made += 1)
      set.push_back(emitted(emitter, step_seconds, state.random));
  }
}

/// Returns the fields that act on the particles of a set: only gravity if the set ignores fields.
/// `charges` receives the charged bodies; it must outlive the result, which refers to it.
forces::PointFields fields_of(const WorldState& world, const ParticleSetDef& def,
                              std::vector<forces::StandingCharge>& charges) {
  forces::PointFields fields(world.options.gravity);
  if (def.ignores_force_fields) return fields;
  for (std::uint32_t i = 0; i < world.field_pool.slot_count(); ++i) {
    if (!world.field_pool.is_alive_index(i)) continue;
    const ForceFieldDef& field = world.fields[i];
    const auto* pole = std::get_if<forces::Pole>(&field.field);
    if (pole == nullptr || field.body.is_null()) {
      fields.add(field.field);
      continue;
    }
    const Body& bearer = world.bodies[field.body.index];
    if (!is_present(bearer)) continue;
    forces::Pole placed = *pole;
    placed.point = transform_point(frame_pose(bearer), to_vec3(pole->point));
    fields.add(placed);
  }
  for (const std::uint32_t index : world.bonded_bodies) {
    const Body& body = world.bodies[index];
    if (body.charge == 0.0f || !is_present(body)) continue;
    charges.push_back(
        {{body.position.x, body.position.y, body.position.z}, static_cast<double>(body.charge)});
  }
  fields.set_charges(charges);
  return fields;
}

/// Data that all particles of a set share in a step.
struct SetStep {
  const WorldState& world;
  const forces::PointFields& fields;
  const ParticleObstacles& obstacles;
  double seconds = 0;
  double max_rate = 0;   // 1/s, limit for the rate of drag
  double max_speed = 0;  // m/s

  void move(ParticleSet& set, std::size_t i) const;
};

bool is_in_world(const Vec3d& x, const Vec3d& v) {
  const auto is_within = [](double c) { return std::abs(c) <= max_coordinate; };
  return is_within(x.x) && is_within(x.y) && is_within(x.z) && std::isfinite(v.x + v.y + v.z);
}

void SetStep::move(ParticleSet& set, std::size_t i) const {
  const Position& place = set.positions[i];
  const forces::MotionState<Vec3d> before{{place.x, place.y, place.z}, set.velocities[i]};
  const forces::PointTraits traits{set.masses[i], set.charges[i], set.radii[i],
                                   set.def.gravity_scale};
  const auto acceleration = [&](const Vec3d& x, const Vec3d& v, double) {
    return fields.acceleration(traits, x, v, max_rate);
  };
  forces::MotionState<Vec3d> after =
      forces::advanced(set.def.integrator, before, 0.0, seconds, acceleration);
  if (set.def.collides) {
    ParticleWay way{before.position, before.velocity, after.position, after.velocity, set.radii[i]};
    if (is_in_world(way.end, way.end_velocity)) meet_obstacles(obstacles, set.def, way);
    after = {way.end, way.end_velocity};
  }
  if (!is_in_world(after.position, after.velocity)) {
    set.steps_left[i] = 0;
    return;
  }
  const double squared = dot(after.velocity, after.velocity);
  if (squared > max_speed * max_speed)
    after.velocity = after.velocity * (max_speed / std::sqrt(squared));
  set.positions[i] = {after.position.x, after.position.y, after.position.z};
  set.velocities[i] = after.velocity;
  if (set.steps_left[i] != endless) --set.steps_left[i];
}

void step_set(WorldState& world, ParticleSet& set, const ParticleObstacles& obstacles) {
  const auto seconds = static_cast<double>(world.options.step_seconds);
  emit(set, seconds);
  ++set.steps;
  std::vector<forces::StandingCharge> charges;
  const forces::PointFields fields = fields_of(world, set.def, charges);
  const bool is_stiff = set.def.integrator == forces::Integrator::BackwardEuler;
  const double max_rate = is_stiff ? std::numeric_limits<double>::infinity() : 1 / seconds;
  const SetStep step{world,   fields,   obstacles,
                     seconds, max_rate, static_cast<double>(world.options.max_linear_speed)};
  for_each_range(*world.runtime.workers, set.size(), particles_per_range, [&](Range range) {
    for (std::size_t i = range.first; i < range.last; ++i)
      step.move(set, i);
  });
  for (std::size_t i = set.size(); i > 0; --i) {
    if (set.steps_left[i - 1] == 0) set.remove(i - 1);
  }
}

}  // namespace

void step_particles(WorldState& world) {
  if (world.particle_pool.live_count() == 0) return;
  const ParticleObstacles obstacles = obstacles_of(world, count_particles(world));
  for (std::uint32_t i = 0; i < world.particle_pool.slot_count(); ++i) {
    if (world.particle_pool.is_alive_index(i)) step_set(world, world.particle_sets[i], obstacles);
  }
}

std::size_t count_particles(const WorldState& world) {
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < world.particle_pool.slot_count(); ++i) {
    if (world.particle_pool.is_alive_index(i)) count += world.particle_sets[i].size();
  }
  return count;
}

}  // namespace jostle::physics
