#pragma once

#include "shared/base/result.h"
#include "shared/reference/rows.h"

#include <cstddef>
#include <vector>

namespace jostle::reference {

// Forces that hold equalities, at one moment of time. With the notation of rows.h, a constraint
// that holds and goes on holding has C̈ = 0:
//
//   J·v̇ + J̇·v = 0,   M·v̇ = f + Jᵀ·λ      (f with the gyroscopic torque −ω × I·ω)
//   ⟹   J·M⁻¹·Jᵀ·λ = −(J·M⁻¹·f + J̇·v)
//
// one equation for each multiplier, and forces on bodies are then Jᵀ·λ.
//
// C̈ = 0 keeps C from changing, but does not bring it back: rounding and finite steps add up, and
// C drifts away as t². Baumgarte's stabilisation asks for a damped oscillator instead,
//
//   C̈ + 2α·Ċ + β²·C = 0
//
// which for α = β goes back in the time 1/α without swinging over, so the right side becomes
// −(J·M⁻¹·f + J̇·v + 2α·Ċ + β²·C). It is a force that no law of mechanics knows, large for large
// errors, and stiff for an explicit integrator if 1/α is near its step. 0 leaves it out.
//
// Source: Baumgarte, "Stabilization of constraints and integrals of motion in dynamical systems",
// 1972; Baraff, "Linear-time dynamics using Lagrange multipliers", SIGGRAPH 1996.

struct Multipliers {
  std::vector<Row> rows;                    // the equality rows of all joints
  std::vector<double> lambda;               // N or N·m, by row
  std::vector<Acceleration> accelerations;  // of bodies
};

/// Which constraint is redundant: what it asks for follows from rows before it, so that mechanics
/// of rigid bodies does not say what it bears.
struct RedundantConstraint {
  std::size_t joint = 0;         // in System::joints
  std::size_t row_of_joint = 0;  // among its equality rows
};

/// Limits, motors, springs and contacts are not looked at. `rate` is α = β in 1/s.
base::Result<Multipliers, RedundantConstraint> solve_multipliers(const System& system, double rate);

/// As above, but redundant constraints share what they bear so that the sum of all λ² is least: as
/// it would be if all gave way alike. Accelerations are the same for any way of sharing.
Multipliers solve_multipliers_least_norm(const System& system, double rate);

/// What a joint does to its body b, about its anchor there.
Wrench joint_wrench(const System& system, const Multipliers& multipliers, std::size_t joint);

}  // namespace jostle::reference
