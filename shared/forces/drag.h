#pragma once

#include "shared/math/vec3.h"

#include <span>

namespace jostle::forces {

/// Drag by one medium: u̇ = −(linear + quadratic·|u|)·u, with u the velocity relative to the
/// medium.
struct DragTerm {
  math::Vec3 medium_velocity;  // m/s
  float linear = 0;            // 1/s
  float quadratic = 0;         // 1/m
  float angular = 0;           // 1/s: ω̇ = −angular·ω
};

/// Motion of a body in one step, as input for drag.
struct DraggedMotion {
  math::Vec3 velocity;      // velocity at the step's start, m/s
  math::Vec3 acceleration;  // acceleration by everything that does not depend on the velocity, m/s²
  float damping = 0;        // 1/s, damping of the velocity in the world frame
  float seconds = 0;        // length of the step, s
};

/// Drag of a step as a constant rate: v̇ = acceleration − linear·v for the whole step.
struct DragSum {
  math::Vec3 acceleration;  // m/s², caused by moving media
  float linear = 0;         // 1/s
  float angular = 0;        // 1/s
};

/// Combines all drag terms into one constant rate. If the caller integrates it exactly (v decays
/// with e^(−linear·t)), drag never reverses the velocity relative to a medium, whatever the
/// coefficients. Linear drag is exact. Quadratic drag is exact for a single term without other
/// accelerations, and at terminal velocity. Otherwise its error is of second order in the step
/// length.
DragSum sum_of_drag(std::span<const DragTerm> terms, const DraggedMotion& motion);

/// Returns the mean of quadratic·u over `seconds`, in 1/s, for u̇ = acceleration − linear·u −
/// quadratic·u² starting at u = speed ≥ 0. A deceleration is limited to the speed that drag alone
/// would leave, divided by `seconds`.
float mean_quadratic_rate(float quadratic, float linear, float speed, float acceleration,
                          float seconds);

}  // namespace jostle::forces
