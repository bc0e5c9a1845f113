#pragma once

#include "shared/scene/detail/value_reader.h"

namespace jostle::scene::detail {

/// Range of coordinates. At 1e6 m a double resolves 1e-10 m, so the difference of two positions is
/// accurate before it is converted to float.
inline constexpr Range coordinate_range = within(1e6);    // m
inline constexpr Range local_offset_range = within(1e4);  // m
inline constexpr Range degree_range = within(36'000);
inline constexpr float min_quaternion_squared = 1e-6f;

// Limits of sizes and masses. Within them, the elements of inertia tensors are normal floats, and
// so are the products of three elements that an inversion computes.
inline constexpr Range size_range = between(0.001, 1e5);  // m, radii and half extents
inline constexpr double max_moving_size = 1e3;  // maximum size of bodies that are not static, m
inline constexpr double min_mass = 1e-6;        // kg
inline constexpr Range mass_range = positive(min_mass, 1e9);
inline constexpr Range density_range = positive(1e-6, 1e6);  // kg/m³

inline constexpr Range friction_range = between(0, 100);
inline constexpr Range restitution_range = between(0, 1);
inline constexpr Range resistance_range = between(0, 1000);  // m
inline constexpr Range damping_range = between(0, 1000);     // 1/s
inline constexpr Range gravity_range = within(1000);         // m/s²
inline constexpr Range gravity_scale_range = within(100);
inline constexpr Range charge_range = within(1e9);
inline constexpr Range force_range = between(0, 1e12);        // N, N·m
inline constexpr Range force_component_range = within(1e12);  // N, N·m
inline constexpr Range moment_range = between(0, 1e9);        // s: 31 years
inline constexpr Range every_range = positive(0.001, 1e9);    // s
inline constexpr Range speed_range = above(0, 1e4);           // m/s, rad/s
inline constexpr Range velocity_range = within(1e4);
inline constexpr Range uint32_range = between(0, 4294967295.0);
inline constexpr Range count_range = between(1, uint32_range.high);
inline constexpr Range int32_range = within(2147483647.0);
/// Integers that a JSON number, a double, represents exactly.
inline constexpr Range seed_range = between(0, 9007199254740991.0);

/// Maximum number of shapes of all bodies of a scene. The bodies of a generator are counted before
/// they are created.
inline constexpr std::size_t max_scene_shapes = 4 * max_scene_bodies;

/// Limits of lists. They are low because each body can inherit all shapes of a template with the
/// single field "template".
inline constexpr std::size_t max_scene_templates = 1'000;
inline constexpr std::size_t max_repeated_bodies = 1'000;

}  // namespace jostle::scene::detail
