#pragma once

#include "shared/scene/detail/value_reader.h"

namespace jostle::scene::detail {

/// Double keeps 1e-10 m at this distance, float offsets between neighbours stay exact.
inline constexpr Range coordinate_range = within(1e6);    // m
inline constexpr Range local_offset_range = within(1e4);  // m
inline constexpr Range degree_range = within(36'000);
inline constexpr float min_quaternion_squared = 1e-6f;

// Sizes and masses between which inertia tensors, and the products of three of them that an inverse
// takes, stay normal floats.
inline constexpr Range size_range = between(0.001, 1e5);  // m: radii and half extents
inline constexpr double max_moving_size = 1e3;            // m: of bodies that are not static
inline constexpr double min_mass = 1e-6;                  // kg
inline constexpr Range mass_range = positive(min_mass, 1e9);
inline constexpr Range density_range = positive(1e-6, 1e6);  // kg/m³

inline constexpr Range friction_range = between(0, 100);
inline constexpr Range restitution_range = between(0, 1);
inline constexpr Range resistance_range = between(0, 1000);  // m
inline constexpr Range damping_range = between(0, 1000);     // 1/s
inline constexpr Range gravity_range = within(1000);         // m/s²
inline constexpr Range gravity_scale_range = within(100);
inline constexpr Range charge_range = within(1e9);
inline constexpr Range speed_range = above(0, 1e4);  // m/s, rad/s
inline constexpr Range velocity_range = within(1e4);
inline constexpr Range uint32_range = between(0, 4294967295.0);
inline constexpr Range int32_range = within(2147483647.0);
/// Whole numbers that a JSON number, a double, holds exactly.
inline constexpr Range seed_range = between(0, 9007199254740991.0);

/// Of all bodies together: what a generator repeats is counted before it is made.
inline constexpr std::size_t max_scene_shapes = 4 * max_scene_bodies;

/// A body may inherit all the shapes of a template by one word, so these lists are short.
inline constexpr std::size_t max_scene_templates = 1'000;
inline constexpr std::size_t max_repeated_bodies = 1'000;

}  // namespace jostle::scene::detail
