#pragma once

#include "shared/base/result.h"
#include "shared/reference/rows.h"

#include <cstddef>
#include <vector>

namespace jostle::reference {

// Forces that hold equality constraints, at one instant. With the notation of rows.h, a constraint
// that is satisfied stays satisfied if C̈ = 0:
//
//   J·v̇ + J̇·v = 0,   M·v̇ = f + Jᵀ·λ      (f with the gyroscopic torque −ω × I·ω)
//   ⟹   J·M⁻¹·Jᵀ·λ = −(J·M⁻¹·f + J̇·v)
//
// There is one equation per multiplier, and the forces on the bodies are Jᵀ·λ.
//
// C̈ = 0 keeps C from changing, but does not correct an error: rounding and finite steps
// accumulate, and C drifts as t². Baumgarte stabilisation demands the equation of a damped
// oscillator instead:
//
//   C̈ + 2α·Ċ + β²·C = 0
//
// With α = β (critical damping) the error decays in the time 1/α without overshoot, and the right
// side becomes −(J·M⁻¹·f + J̇·v + 2α·Ċ + β²·C). The added force is not physical: it is large for
// large errors, and stiff for an explicit integrator if 1/α is near its step. A rate of 0 disables
// it.
//
// Source: Baumgarte, "Stabilization of constraints and integrals of motion in dynamical systems",
// 1972; Baraff, "Linear-time dynamics using Lagrange multipliers", SIGGRAPH 1996.

/// Solution for the equality constraints of a system.
struct Multipliers {
  std::vector<Row> rows;                    // the equality rows of all joints
  std::vector<double> lambda;               // N or N·m, by row
  std::vector<Acceleration> accelerations;  // accelerations of the bodies
};

/// The first redundant constraint of a system. It depends linearly on earlier rows, so rigid-body
/// mechanics does not determine its force.
struct RedundantConstraint {
  std::size_t joint = 0;         // index in System::joints
  std::size_t row_of_joint = 0;  // index among the equality rows of that joint
};

/// Solves for the forces of all equality rows. Ignores limits, motors, springs and contacts. `rate`
/// is α = β in 1/s. Fails if a constraint is redundant.
base::Result<Multipliers, RedundantConstraint> solve_multipliers(const System& system, double rate);

/// Solves like solve_multipliers(), but accepts redundant constraints. The forces are those with
/// the smallest sum of λ², as if all constraints were equally compliant. The accelerations do not
/// depend on this choice.
Multipliers solve_multipliers_least_norm(const System& system, double rate);

/// Returns the force and torque of a joint on its body b, about anchor b.
Wrench joint_wrench(const System& system, const Multipliers& multipliers, std::size_t joint);

}  // namespace jostle::reference
