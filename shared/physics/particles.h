#pragma once

#include "shared/forces/integrators.h"
#include "shared/math/vec3d.h"
#include "shared/physics/handles.h"
#include "shared/physics/material.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jostle::physics {

// A particle is a point with a mass that moves freely under gravity and the fields of the world. It
// can bounce off bodies but does not push them, and particles do not interact with each other.

inline constexpr std::uint32_t max_particles_per_set = 1'000'000;
inline constexpr std::uint32_t max_emitters_per_set = 256;
inline constexpr float max_particle_radius = 1e3f;  // m
/// Value of Particle::steps_left for a particle that lives for ever.
inline constexpr std::uint32_t endless = 0xFFFFFFFFU;

enum class EmitterKind : std::uint8_t { Point, Box, Sphere };
inline constexpr std::uint8_t emitter_kind_count = 3;

/// A source of particles at a constant rate, at random positions in a region: a point, a box along
/// the world's axes, or a ball.
struct Emitter {
  EmitterKind kind = EmitterKind::Point;
  math::Position centre;
  math::Vec3 half_extents;  // Box; m
  float radius = 0;         // Sphere; m
  float rate = 0;           // 1/s, up to 1e7
  math::Vec3 velocity;      // m/s
  /// Radius, in m/s, of a ball from which a random velocity is drawn uniformly and added to
  /// `velocity`.
  float spread = 0;
  float lifetime = 0;  // lifetime in s; 0: unlimited
  /// Shortest lifetime as a share of `lifetime`, 0..1. Lifetimes are distributed uniformly between
  /// this shortest one and `lifetime`.
  float min_lifetime_fraction = 1;
  float mass = 1;             // kg
  float particle_radius = 0;  // m
  float charge = 0;
  float start = 0, end = 0;  // s since the creation of the set; end 0: the emitter never stops
  std::uint64_t seed = 0;    // seed of its random numbers

  bool operator==(const Emitter&) const = default;
};

/// The definition of a set of particles that share their motion and collision settings.
struct ParticleSetDef {
  std::uint32_t max_count = 10'000;  // emitters stop at this number; 1..max_particles_per_set
  forces::Integrator integrator = forces::Integrator::SemiImplicitEuler;
  float gravity_scale = 1;
  bool ignores_force_fields = false;
  /// True if the particles collide with bodies whose shapes have one of the categories in `mask`.
  /// For collision a particle is a ball of its radius, but of at least 1 mm.
  bool collides = false;
  std::uint32_t mask = 0xFFFFFFFFU;
  // friction and restitution are combined with those of the body as in Material
  float friction = 0.5f;
  float restitution = 0.3f;  // 0..1
  MaterialId material;       // material for World::set_pair_material
  std::vector<Emitter> emitters;

  bool operator==(const ParticleSetDef&) const = default;
};

struct Particle {
  math::Position position;
  math::Vec3d velocity;  // m/s
  float mass = 1;        // kg, 1e-6..1e12
  float radius = 0;      // m
  float charge = 0;
  std::uint32_t steps_left = endless;  // steps until the particle is removed; not 0

  bool operator==(const Particle&) const = default;
};

/// A view of all particles of a set. New particles are appended; if one is removed, the last one
/// takes its place. Valid until the next non-const call.
struct ParticleView {
  std::span<const math::Position> positions;
  std::span<const math::Vec3d> velocities;
  std::span<const float> masses, radii, charges;
  std::span<const std::uint32_t> steps_left;

  std::uint32_t size() const { return static_cast<std::uint32_t>(positions.size()); }
};

/// Return true if a world accepts the definition: all values are finite and within the limits
/// above, regions have only the sizes of their kind, and times and shares are not negative.
bool is_valid(const ParticleSetDef& def);
bool is_valid(const Particle& particle);

}  // namespace jostle::physics
