#pragma once

#include "shared/math/vec3.h"

#include <cstdint>
#include <span>

namespace jostle::physics {

struct WorldState;

// The impulses of a step's contacts and joints begin the next. That is right as long as what they
// bear stays as it was. A heap that kept the impulses of a load that is gone would be thrown apart
// by them.

/// After gravity changed: what bodies bear and hang by is multiplied by `share`, taken as 0..1.
void scale_loads(WorldState& world, float share);
/// The same for each contact and joint by the smaller of its two bodies' shares, which are by slot.
void scale_loads(WorldState& world, std::span<const float> shares);
/// Before the body goes away or is put elsewhere: the heap of standing bodies
/// (solver/support_graph.h) that it is part of, or that stands on it, begins anew, down to the
/// ground: standing bodies find what they bear without it.
void forget_loads_over(WorldState& world, std::uint32_t body);
/// Before a kinematic body moves on at other velocities, in m/s and rad/s: the same where it leaves
/// something that stands on it faster than that falls.
void forget_loads_left(WorldState& world, std::uint32_t body, math::Vec3 linear,
                       math::Vec3 angular);

}  // namespace jostle::physics
