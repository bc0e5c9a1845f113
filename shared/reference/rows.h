#pragma once

#include "shared/reference/linear_solver.h"
#include "shared/reference/system.h"

#include <cstddef>
#include <vector>

namespace jostle::reference {

// Constraints and their forces.
//
// The positions and rotations of all bodies are q; their velocities are v, six numbers for each
// body. A constraint is a function of q that must be zero, or must not be negative:
//
//   C(q) = 0     a joint holds            C(q) ≥ 0     two bodies do not overlap
//
// Its rate is linear in the velocities. The coefficients are the row J of the Jacobian matrix. The
// row has at most twelve non-zero entries, since each constraint acts on two bodies:
//
//   Ċ = J·v = J_a,lin·v_a + J_a,ang·ω_a + J_b,lin·v_b + J_b,ang·ω_b
//
// The second derivative has a part that remains without any acceleration of the bodies, from
// centripetal and Coriolis terms:
//
//   C̈ = J·v̇ + J̇·v
//
// The force that holds a constraint does no work on motions that the constraint allows
// (d'Alembert). For every v with J·v = 0 the power f·v is zero, so f is a multiple of the row, f =
// Jᵀ·λ. The only unknown is the Lagrange multiplier λ. λ is a force in N if J is a direction, and a
// torque in N·m if J is an axis.
//
// Stack all rows into J, and let M be the block-diagonal matrix of the masses and inertias and f
// the external forces. Newton's law is then M·v̇ = f + Jᵀ·λ, and the accelerations along the rows
// are
//
//   J·v̇ = J·M⁻¹·f + A·λ,   A = J·M⁻¹·Jᵀ
//
// A_ij is the acceleration of row i for a unit of force on row j. A is symmetric and positive
// semidefinite: x·A·x = (Jᵀx)·M⁻¹·(Jᵀx). It is singular if rows are redundant.
//
// Source: Baraff, "Linear-time dynamics using Lagrange multipliers", SIGGRAPH 1996; Witkin,
// "Physically based modeling: constrained dynamics", SIGGRAPH course notes 1997.

enum class RowKind {
  Equality,  // C = 0, any λ
  Limit,     // C ≥ 0, λ ≥ 0: a joint limit or a contact normal
  Friction,  // opposes J·v, |λ| ≤ μ·λ of the normal row
  Motor,     // drives J·v towards `speed`, |λ| ≤ max_force
  Spring,    // λ = −stiffness·C − damping·J·v
};

/// Source of a row: an entry of System::joints or of System::contacts.
enum class RowSource { Joint, Contact };

inline constexpr std::size_t no_row = static_cast<std::size_t>(-1);

/// One row of the Jacobian, with the parameters of its constraint.
struct Row {
  RowSource source = RowSource::Joint;
  std::size_t source_index = 0;
  RowKind kind = RowKind::Equality;

  std::size_t body_a = 0, body_b = 0;
  Vec3d linear_a, angular_a, linear_b, angular_b;  // J
  double error = 0;                                // C, m or rad
  double rate_of_jacobian = 0;                     // J̇·v, m/s² or rad/s²; 0 for contacts

  double speed = 0, max_force = 0;    // Motor
  double stiffness = 0, damping = 0;  // Spring
  double friction = 0;                // Friction: μ
  std::size_t normal_row = no_row;    // Friction: index of the normal row
  double restitution = 0;             // coefficient of restitution of a Limit row from a contact
};

/// Returns J·v for the current velocities.
double speed_of(const System& system, const Row& row);
/// Returns J·a for the accelerations of all bodies.
double acceleration_of(const Row& row, const std::vector<Acceleration>& accelerations);

/// Return A_ij = J_i·M⁻¹·J_jᵀ for two rows, and the matrix A for all rows.
double coupling(const System& system, const Row& row_i, const Row& row_j);
SquareMatrix delassus_matrix(const System& system, const std::vector<Row>& rows);

/// Returns M⁻¹·Jᵀ·λ for each body: accelerations if λ are forces, changes of velocity if λ are
/// impulses.
std::vector<Acceleration> response_to(const System& system, const std::vector<Row>& rows,
                                      const std::vector<double>& lambda);

/// Returns the row with J, J̇·v and C negated, so that a positive λ acts in the opposite direction.
Row reversed(const Row& row);

/// Total force and torque of the rows of one joint or contact on body b.
struct Wrench {
  Vec3d force;   // N
  Vec3d torque;  // N·m, about the point given to wrench_on_b
};
/// Returns the sum of λ·J_b over the rows with this source, about `point`. The opposite force and
/// torque act on body a.
Wrench wrench_on_b(const System& system, const std::vector<Row>& rows,
                   const std::vector<double>& lambda, RowSource source, std::size_t source_index,
                   Vec3d point);

}  // namespace jostle::reference
