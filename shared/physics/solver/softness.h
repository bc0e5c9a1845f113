#pragma once

namespace jostle::physics {

/// Coefficients of a constraint that responds to position error like a damped spring, integrated
/// implicitly (solver/contact_solver.h). The defaults are those of a rigid constraint.
struct Softness {
  float bias_rate = 0;   // 1/s: correcting velocity per position error
  float mass_scale = 1;  // 0..1: factor of the effective mass
  // 0..1: share of its impulse that the constraint gives up in each pass; 1 − mass_scale
  float impulse_scale = 0;
};

}  // namespace jostle::physics
