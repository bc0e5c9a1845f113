#pragma once

#include "shared/math/vec3.h"

#include <span>

namespace jostle::forces {

/// What a medium takes of a velocity: u̇ = −(linear + quadratic·|u|)·u, u past the medium.
struct DragTerm {
  math::Vec3 medium_velocity;  // m/s
  float linear = 0;            // 1/s
  float quadratic = 0;         // 1/m
  float angular = 0;           // 1/s: ω̇ = −angular·ω
};

/// What a body that is dragged knows of its step.
struct DraggedMotion {
  math::Vec3 velocity;      // m/s, at the step's start
  math::Vec3 acceleration;  // m/s², of all that does not depend on the velocity
  float damping = 0;        // 1/s, towards rest
  float seconds = 0;        // of the step
};

/// Drag of a step as a rate that stays: v̇ = acceleration − linear·v for its whole length.
struct DragSum {
  math::Vec3 acceleration;  // m/s², of media that move
  float linear = 0;         // 1/s
  float angular = 0;        // 1/s
};

/// What all terms come to. A rate, solved exactly as engines solve damping, never turns a velocity
/// past a medium around, whatever the coefficients. Linear drag is exact. Quadratic drag is exact
/// where it acts alone, and at the terminal velocity; between, its error is of second order in the
/// length of the step.
DragSum sum_of_drag(std::span<const DragTerm> terms, const DraggedMotion& motion);

/// Mean of quadratic·u over `seconds`, in 1/s, for u̇ = acceleration − linear·u − quadratic·u² from
/// u = speed ≥ 0 on. A deceleration counts as far as it would stop u within the time.
float mean_quadratic_rate(float quadratic, float linear, float speed, float acceleration,
                          float seconds);

}  // namespace jostle::forces
