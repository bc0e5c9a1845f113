#pragma once

#include "shared/physics/world.h"

#include <jostle/base.h>

namespace jostle::api {

// Limits of arguments. The engine accepts any finite number, but sums of very large ones would
// overflow between two steps, where no step can quarantine the body. No simulation needs such
// values.

inline constexpr double max_speed = 1e9;     // m/s, rad/s
inline constexpr double max_force = 1e18;    // N, N·m
inline constexpr double max_impulse = 1e18;  // N·s, N·m·s
inline constexpr double max_gravity = 1e6;   // m/s²
inline constexpr double max_scale = 1e6;     // factor of gravity
inline constexpr double max_rate = 1e6;      // Hz, 1/s, damping ratios
inline constexpr double max_distance = 1e9;  // m
inline constexpr double max_seconds = 1e9;
inline constexpr double min_step_seconds = 1e-6;

/// Requires a speed of at most `max_speed` along each axis.
void require_speed(const jostle_vec3& velocity, const char* name);
/// Requires a pose of a body: a unit quaternion, and a position as for require_near.
void require_body_pose(const jostle_pose& pose, const char* name);
/// Requires a point within `max_distance` of the origin along each axis.
void require_near(const jostle_position& point, const char* name);
/// Requires an angular impulse, about the centre of mass, that changes the angular velocity of a
/// dynamic body by at most 1e30 rad/s.
void require_angular_impulse(const physics::World& world, physics::BodyHandle body,
                             math::Vec3 impulse);

}  // namespace jostle::api
