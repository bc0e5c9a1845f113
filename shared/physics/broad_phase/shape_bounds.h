#pragma once

#include "shared/math/aabb.h"
#include "shared/physics/detail/records.h"
#include "shared/physics/narrow_phase/sweep.h"

#include <cstdint>
#include <limits>

namespace jostle::physics {

struct WorldState;

/// Twice the largest relative error of rounding to float.
inline constexpr float rounding_to_float = std::numeric_limits<float>::epsilon();

inline float rounded_down(double x) {
  const auto near = static_cast<float>(x);
  return near - math::abs_of(near) * rounding_to_float;
}
inline float rounded_up(double x) {
  const auto near = static_cast<float>(x);
  return near + math::abs_of(near) * rounding_to_float;
}

/// All that the box passes over on its way `by`.
constexpr math::Aabb stretched(const math::Aabb& box, math::Vec3 by) {
  return united(box, {box.lower + by, box.upper + by});
}

/// The box that must lie within a shape's fat box for no contact to be missed in the next step:
/// where the shape is, where its velocity, gravity and forces may carry it, how far rotation may
/// carry its corners, and half of the speculative distance.
math::Aabb needed_box(const WorldState& world, const Body& body, const ShapeRecord& shape);
/// Where a body's centre gets within the next step by what is known before it.
math::Vec3 expected_travel(const WorldState& world, const Body& body);

/// Sets WorldState::bounds and WorldState::places of one shape, whose body moves like that (of
/// expected_motion). Returns the needed box.
math::Aabb place_shape(WorldState& world, std::uint32_t shape, const Motion& motion);
/// The same for all shapes of a body.
void place_shapes(WorldState& world, std::uint32_t body);
/// For a body that has become active: its bounds stay, because it has not moved.
void note_activity(WorldState& world, std::uint32_t body);

}  // namespace jostle::physics
