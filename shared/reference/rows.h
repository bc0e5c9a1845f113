#pragma once

#include "shared/reference/linear_solver.h"
#include "shared/reference/system.h"

#include <cstddef>
#include <vector>

namespace jostle::reference {

// Constraints and their forces.
//
// Where all bodies are, and how they are turned, is q; how they move is v, six numbers for each
// body. A constraint is a function of q that shall be zero, or not negative:
//
//   C(q) = 0     a joint holds            C(q) ≥ 0     two bodies do not overlap
//
// Its rate is linear in the velocities. The factors are the row J of the Jacobian matrix, which has
// twelve entries that are not zero, since a row of ours knows two bodies:
//
//   Ċ = J·v = J_a,lin·v_a + J_a,ang·ω_a + J_b,lin·v_b + J_b,ang·ω_b
//
// and its second derivative has a part that is there even when nothing accelerates, by centripetal
// and Coriolis acceleration:
//
//   C̈ = J·v̇ + J̇·v
//
// The force that holds a constraint does no work on motions that it allows (d'Alembert): for every
// v with J·v = 0 the power f·v is zero, so f is a multiple of the row, f = Jᵀ·λ. The number λ is
// Lagrange's multiplier, and is all there is to find. It is a force in newtons where J is a
// direction, a torque in N·m where J is an axis.
//
// With all rows below one another, M the masses and inertias of all bodies on a diagonal, and
// forces f from outside, Newton's law reads M·v̇ = f + Jᵀ·λ, and what λ does to the rows is
//
//   J·v̇ = J·M⁻¹·f + A·λ,   A = J·M⁻¹·Jᵀ
//
// A_ij is by how much a unit of force on the row j accelerates the row i. It is symmetric and never
// negative: x·A·x = (Jᵀx)·M⁻¹·(Jᵀx). It is singular where rows are redundant.
//
// Source: Baraff, "Linear-time dynamics using Lagrange multipliers", SIGGRAPH 1996;
// Witkin, "Physically based modeling: constrained dynamics", SIGGRAPH course notes 1997.

enum class RowKind {
  Equality,  // C = 0, any λ
  Limit,     // C ≥ 0, λ ≥ 0: a bound of a joint, a normal of a contact
  Friction,  // slows J·v, |λ| ≤ μ·λ of the normal
  Motor,     // J·v goes towards `speed`, |λ| ≤ max_force
  Spring,    // λ = −stiffness·C − damping·J·v
};

/// Whose row it is: one of System::joints or of System::contacts.
enum class RowSource { Joint, Contact };

inline constexpr std::size_t no_row = static_cast<std::size_t>(-1);

/// One row of the Jacobian, and what is asked of it.
struct Row {
  RowSource source = RowSource::Joint;
  std::size_t source_index = 0;
  RowKind kind = RowKind::Equality;

  std::size_t body_a = 0, body_b = 0;
  Vec3d linear_a, angular_a, linear_b, angular_b;  // J
  double error = 0;                                // C, m or rad
  double rate_of_jacobian = 0;                     // J̇·v, m/s² or rad/s²; not of contacts

  double speed = 0, max_force = 0;    // Motor
  double stiffness = 0, damping = 0;  // Spring
  double friction = 0;                // Friction: μ
  std::size_t normal_row = no_row;    // Friction: the row of the normal
  double restitution = 0;             // Limit of a contact
};

/// J·v as the bodies move now.
double speed_of(const System& system, const Row& row);
/// J·a for accelerations of all bodies.
double acceleration_of(const Row& row, const std::vector<Acceleration>& accelerations);

/// A_ij = J_i·M⁻¹·J_jᵀ.
double coupling(const System& system, const Row& row_i, const Row& row_j);
SquareMatrix coupling_matrix(const System& system, const std::vector<Row>& rows);

/// M⁻¹·Jᵀ·λ, by body: with forces λ an acceleration, with impulses a change of velocity.
std::vector<Acceleration> answer_of(const System& system, const std::vector<Row>& rows,
                                    const std::vector<double>& lambda);

/// The same in the other direction: negative lambda pulls where positive pushed.
Row reversed(const Row& row);

/// What the rows of one joint or contact do together to body b.
struct Wrench {
  Vec3d force;   // N
  Vec3d torque;  // N·m, about the point that it is told for
};
/// The sum of λ·J_b over the rows with this source, about `point`. Body a feels the opposite.
Wrench wrench_on_b(const System& system, const std::vector<Row>& rows,
                   const std::vector<double>& lambda, RowSource source, std::size_t source_index,
                   Vec3d point);

}  // namespace jostle::reference
