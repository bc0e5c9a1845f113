#pragma once

#include "shared/reference/mlcp.h"
#include "shared/reference/rows.h"

#include <vector>

namespace jostle::reference {

// Time stepping at the velocity level. A step of h seconds by semi-implicit Euler is
//
//   v* = v + h·M⁻¹·f               the unconstrained velocity; f includes the gyroscopic torque
//   v⁺ = v* + M⁻¹·Jᵀ·λ             λ are impulses, N·s: constraint forces times h, and impacts
//   q⁺ = q + h·v⁺
//
// and each row constrains J·v⁺, which is linear in λ:
//
//   w = J·v⁺ + bias = A·λ + b,   A = J·M⁻¹·Jᵀ (+ softness on its diagonal),   b = J·v* + bias
//
// so that each step is one MLCP (mlcp.h). The unknowns are velocities rather than accelerations,
// because impacts and Coulomb friction may have no solution with finite accelerations, but always
// have one with impulses.
//
//   row                 bias                 bounds of λ         why
//   equality            β·C/h                any                 corrects the fraction β of C
//   limit, C > 0        C/h                  λ ≥ 0               C + h·Ċ ≥ 0 at the end of the step
//   limit, C < 0        β·C/h                λ ≥ 0               as an equality
//   contact, impact     e·(J·v)              λ ≥ 0               Newton's law: J·v⁺ ≥ −e·J·v
//   friction            0                    ±μ·λ_n (mlcp.h)     opposes the sliding
//   motor               −speed               ±h·max_force
//   spring              k·C/(c + h·k)        any                 see below
//
// β is the factor of Baumgarte stabilisation per step, in place of a time constant. β = 1 would
// correct the whole error in one step, but the bodies would keep the velocity that corrects it, so
// smaller values are used. An impact is a contact that approaches faster than the restitution
// threshold and closes within the step.
//
// The spring λ = −h·(k·C⁺ + c·J·v⁺) is evaluated at the end of the step (implicit Euler), as stiff
// springs need it. With C⁺ = C + h·J·v⁺ it is
//
//   J·v⁺ + λ/(h·(c + h·k)) + k·C/(c + h·k) = 0
//
// The softness γ = 1/(h·(c + h·k)) is added to the diagonal of A; the last term is the bias.
//
// Source: Stewart and Trinkle 1996; Anitescu and Potra, "Formulating dynamic multi-rigid-body
// contact problems with friction as solvable linear complementarity problems", 1997; Catto, "Soft
// constraints: reinventing the spring", GDC 2011.
//
// The method is of first order. Errors of positions and velocities after a given time are
// proportional to h, energy is not conserved exactly, and forces equal those in the middle of a
// step only to O(h).

struct StepOptions {
  double step_seconds = 1.0 / 60;
  double baumgarte = 0.2;              // β, 0..1
  double restitution_threshold = 1.0;  // m/s
  FrictionModel friction_model = FrictionModel::Cone;
  GaussSeidelOptions solver;
};

/// Results of one step.
struct StepReport {
  std::vector<Row> rows;       // contacts first, then joints
  std::vector<double> lambda;  // N·s or N·m·s, by row
  /// Mean forces over the step: of contacts on body b about the contact point, of joints on body b
  /// about anchor b.
  std::vector<Wrench> contact_wrenches, joint_wrenches;
  std::vector<double> normal_forces;        // N, by contact
  std::vector<Acceleration> accelerations;  // (v⁺ − v)/h, by body
  int iterations = 0;
  double residual = 0;  // m/s or rad/s
  bool has_converged = false;
};

/// Returns the rows of all contacts and joints in the system's current state.
std::vector<Row> all_rows(const System& system);
/// Returns the MLCP of one step. `rows` must not contain rows that cannot move any body.
Mlcp velocity_problem(const System& system, const std::vector<Row>& rows,
                      const StepOptions& options);

/// Advances the system by options.step_seconds.
StepReport step(System& system, const StepOptions& options);

}  // namespace jostle::reference
