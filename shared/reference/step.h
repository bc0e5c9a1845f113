#pragma once

#include "shared/reference/mlcp.h"
#include "shared/reference/rows.h"

#include <vector>

namespace jostle::reference {

// Time stepping at the level of velocities. A step of h seconds by semi-implicit Euler is
//
//   v* = v + h·M⁻¹·f               what all would do freely, the gyroscopic torque in f
//   v⁺ = v* + M⁻¹·Jᵀ·λ             λ are impulses now, N·s: force times h, or a blow
//   q⁺ = q + h·v⁺
//
// and rows ask for something of J·v⁺, which is linear in λ:
//
//   w = J·v⁺ + bias = A·λ + b,   A = J·M⁻¹·Jᵀ (+ softness on its diagonal),   b = J·v* + bias
//
// so that each step is one MLCP (mlcp.h). Velocities rather than accelerations, because impacts and
// Coulomb friction have no finite acceleration that solves them, but an impulse always does.
//
//   row                 bias                 bounds of λ         why
//   equality            β·C/h                any                 takes back the share β of C
//   limit, C > 0        C/h                  λ ≥ 0               C + h·Ċ ≥ 0 at the end of the step
//   limit, C < 0        β·C/h                λ ≥ 0               as an equality
//   contact that hits   e·(J·v)              λ ≥ 0               Newton's law: J·v⁺ ≥ −e·J·v
//   friction            0                    ±μ·λ_n (mlcp.h)     opposes the sliding
//   motor               −speed               ±h·max_force
//   spring              k·C/(c + h·k)        any                 below
//
// β is Baumgarte's stabilisation again, one step instead of a time constant: β = 1 would have all
// of an error gone after the step, at a speed that stays with the bodies, so one takes less.
// Contacts "hit" that approach faster than the threshold and meet within the step.
//
// The spring λ = −h·(k·C⁺ + c·J·v⁺), taken at the end of the step as stiff springs need it, with
// C⁺ = C + h·J·v⁺ is
//
//   J·v⁺ + λ/(h·(c + h·k)) + k·C/(c + h·k) = 0
//
// a row of its own kind: γ = 1/(h·(c + h·k)) comes onto the diagonal of A, the rest is bias.
//
// Source: Stewart and Trinkle 1996; Anitescu and Potra, "Formulating dynamic multi-rigid-body
// contact problems with friction as solvable linear complementarity problems", 1997; Catto, "Soft
// constraints: reinventing the spring", GDC 2011.
//
// The method is of first order: errors of positions and velocities after a given time go down with
// h, energy is not kept exactly, and forces are those of the middle of a step only to O(h).

struct StepOptions {
  double step_seconds = 1.0 / 60;
  double baumgarte = 0.2;              // β, 0..1
  double restitution_threshold = 1.0;  // m/s
  FrictionModel friction_model = FrictionModel::Cone;
  GaussSeidelOptions solver;
};

/// What a step did.
struct StepReport {
  std::vector<Row> rows;       // contacts first, then joints
  std::vector<double> lambda;  // N·s or N·m·s, by row
  /// Mean forces of the step: of contacts on b at their point, of joints on b about anchor b.
  std::vector<Wrench> contact_wrenches, joint_wrenches;
  std::vector<double> normal_forces;        // N, by contact
  std::vector<Acceleration> accelerations;  // (v⁺ − v)/h, by body
  int iterations = 0;
  double residual = 0;  // m/s or rad/s
  bool has_converged = false;
};

/// All rows of a system as it stands.
std::vector<Row> all_rows(const System& system);
/// The step's problem. Rows that can move nothing must not be among them.
Mlcp velocity_problem(const System& system, const std::vector<Row>& rows,
                      const StepOptions& options);

/// Advances the system by options.step_seconds.
StepReport step(System& system, const StepOptions& options);

}  // namespace jostle::reference
