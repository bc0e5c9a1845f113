#pragma once

#include "shared/math/aabb.h"
#include "shared/physics/detail/records.h"

#include <cstdint>

namespace jostle::physics {

struct WorldState;

/// The box that must lie within a shape's fat box for no contact to be missed in the next step:
/// where the shape is, where its velocity, gravity and forces may carry it, how far rotation may
/// carry its corners, and half of the speculative distance.
math::Aabb needed_box(const WorldState& world, const Body& body, const ShapeRecord& shape);
/// Where a body's centre gets within the next step by what is known before it.
math::Vec3 expected_travel(const WorldState& world, const Body& body);

/// Sets WorldState::bounds of one shape to its needed box.
void set_bounds(WorldState& world, std::uint32_t shape, const math::Aabb& needed);
/// The same for all shapes of a body.
void update_bounds(WorldState& world, std::uint32_t body);
/// Tells the bounds of a body's shapes whether it is active or asleep.
void note_activity(WorldState& world, std::uint32_t body);

}  // namespace jostle::physics
