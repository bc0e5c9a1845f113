#pragma once

#include "shared/forces/integrators.h"
#include "shared/math/vec3d.h"
#include "shared/physics/handles.h"
#include "shared/physics/material.h"

#include <cstdint>
#include <span>
#include <vector>

namespace jostle::physics {

// Particles: points with a mass that move freely under gravity and the world's fields, many at
// once. They may bounce off bodies, push none of them, and do not see each other.

inline constexpr std::uint32_t max_particles_per_set = 1'000'000;
inline constexpr std::uint32_t max_emitters_per_set = 256;
inline constexpr float max_particle_radius = 1e3f;  // m
/// Steps that a particle without an end has left.
inline constexpr std::uint32_t endless = 0xFFFFFFFFU;

enum class EmitterKind : std::uint8_t { Point, Box, Ball };
inline constexpr std::uint8_t emitter_kind_count = 3;

/// Makes particles, evenly in time, at random places of a region: a point, a box along the world's
/// axes, or a ball.
struct Emitter {
  EmitterKind kind = EmitterKind::Point;
  math::Position centre;
  math::Vec3 half_extents;    // Box; m
  float radius = 0;           // Ball; m
  float rate = 0;             // 1/s, up to 1e7
  math::Vec3 velocity;        // m/s
  float spread = 0;           // m/s: adds a velocity evenly out of a ball of this radius
  float lifetime = 0;         // s; 0: for ever
  float lifetime_share = 1;   // 0..1: lives last from this share of the lifetime to all of it
  float mass = 1;             // kg
  float particle_radius = 0;  // m
  float charge = 0;
  float start = 0, end = 0;  // s from its set's making; end 0: never
  std::uint64_t seed = 0;    // of its random numbers

  bool operator==(const Emitter&) const = default;
};

/// A set of particles that are alike in how they move.
struct ParticleSetDef {
  std::uint32_t max_count = 10'000;  // emitters stop there; 1..max_particles_per_set
  forces::Integrator integrator = forces::Integrator::SemiImplicitEuler;
  float gravity_scale = 1;
  bool ignores_fields = false;
  /// Whether bodies of these categories stop it; as balls of their radius, at least of a
  /// millimetre.
  bool collides = false;
  std::uint32_t mask = 0xFFFFFFFFU;
  float friction = 0.5f;     // both combine with those of what is met as of Material
  float restitution = 0.3f;  // 0..1
  MaterialId material;       // for World::set_pair_material
  std::vector<Emitter> emitters;

  bool operator==(const ParticleSetDef&) const = default;
};

/// One particle.
struct Particle {
  math::Position position;
  math::Vec3d velocity;  // m/s
  float mass = 1;        // kg, min_mass..max_mass of bodies
  float radius = 0;      // m
  float charge = 0;
  std::uint32_t steps_left = endless;  // it is gone once that many steps are done; not 0

  bool operator==(const Particle&) const = default;
};

/// All particles of a set, in one order: a new one is the last, and the last takes the place of one
/// that goes. Valid until the next call that is not const.
struct ParticleView {
  std::span<const math::Position> positions;
  std::span<const math::Vec3d> velocities;
  std::span<const float> masses, radii, charges;
  std::span<const std::uint32_t> steps_left;

  std::uint32_t size() const { return static_cast<std::uint32_t>(positions.size()); }
};

/// Whether a world takes it: all is finite and within the limits above, regions have a size where
/// their kind has one, times and shares are not negative.
bool is_valid(const ParticleSetDef& def);
bool is_valid(const Particle& particle);

}  // namespace jostle::physics
