#pragma once

#include "shared/math/vec3.h"

#include <cstdint>
#include <span>

namespace jostle::physics {

struct WorldState;

// Warm-start scaling. A step warm starts with the impulses of the previous one, which fit as long
// as the loads stay the same. A pile that kept the impulses of a removed load would be thrown apart
// by them.

/// Multiplies the warm-start impulses of all contacts and joints by `share`, clamped to 0..1, after
/// a change of gravity.
void scale_loads(WorldState& world, float share);
/// Multiplies the warm-start impulses of each contact and joint by the smaller share of its two
/// bodies, clamped to 0..1. `shares` is indexed by body slot.
void scale_loads(WorldState& world, std::span<const float> shares);
/// Clears the warm-start impulses of all supporting contacts (Manifold::is_held) of the stack that
/// the body is part of or supports, down to the ground. Call it before the body is removed or
/// moved; the stack solver then computes the loads without it.
void forget_loads_over(WorldState& world, std::uint32_t body);
/// Clears the same impulses if a change of velocity moves the body away from a body that it
/// supports, faster than the speed that gravity gives the supported body in a step. `linear` (m/s)
/// and `angular` (rad/s) are the new velocities. Call it before they are set.
void forget_loads_left(WorldState& world, std::uint32_t body, math::Vec3 linear,
                       math::Vec3 angular);

}  // namespace jostle::physics
