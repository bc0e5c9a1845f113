#pragma once

#include "shared/math/aabb.h"
#include "shared/physics/collision/sweep.h"
#include "shared/physics/detail/records.h"

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

/// Returns the box that contains `box` along its whole translation `by`.
constexpr math::Aabb stretched(const math::Aabb& box, math::Vec3 by) {
  return united(box, {box.lower + by, box.upper + by});
}

/// Returns the smallest box around a shape at the pose of its body.
math::Aabb box_of_shape(const WorldState& world, std::uint32_t shape);
/// Returns the box that must lie within a shape's fat AABB so that no contact is missed in the next
/// step. It contains the shape at its pose, its displacement by velocity, gravity and forces, the
/// reach of rotation, and half of the speculative distance.
math::Aabb needed_box(const WorldState& world, const Body& body, const ShapeRecord& shape);
/// Returns the displacement of a body's centre of mass in the next step by its velocity, gravity
/// and forces, without contacts and joints. It is zero for a body that is not active.
math::Vec3 expected_travel(const WorldState& world, const Body& body);

/// Returns the distance of the farthest point of a shape's core (Convex) from the shape's origin,
/// m.
float core_radius_of(const state::Shape& shape);
/// Returns an upper bound of how far the rotation vector `turn` (world axes) moves a shape along
/// any direction, m. The bound is the length of the arc, so it holds for any angle. Reads the pose
/// and the core radius of `place`.
float turn_reach(const state::Shape& shape, const ShapePlace& place, math::Vec3 turn);

/// Sets WorldState::bounds and WorldState::places of one shape. `motion` is the expected_motion of
/// its body. Returns needed_box.
math::Aabb place_shape(WorldState& world, std::uint32_t shape, const Motion& motion);
/// Calls place_shape for all shapes of a body except sensors.
void place_shapes(WorldState& world, std::uint32_t body);
/// Updates the flags and the expected motion of the shapes of a body that has become active. Their
/// bounds stay, because the body has not moved.
void note_activity(WorldState& world, std::uint32_t body);

}  // namespace jostle::physics
