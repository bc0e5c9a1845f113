#pragma once

#include <cstdint>

namespace jostle::physics {

struct WorldState;
struct Body;

/// Mass, centre and inertia of a body from its shapes, and nothing else.
void derive_mass(const WorldState& world, Body& body);
/// The same for a body whose shapes have changed: its frame stays where it is, and position and
/// velocity become those of the new centre.
void update_mass(WorldState& world, std::uint32_t body);

/// ω = R·I⁻¹·Rᵀ·L
void update_angular_velocity(Body& body);
/// L = R·I·Rᵀ·ω
void update_angular_momentum(Body& body);

/// Takes a body that turned non-finite out of the simulation: it stands still where it last was,
/// touches nothing and is counted.
void quarantine(WorldState& world, std::uint32_t body);
/// Quarantines bodies whose velocities or forces would carry the solver out of the finite.
void quarantine_unsound_inputs(WorldState& world);

}  // namespace jostle::physics
