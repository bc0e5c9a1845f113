#pragma once

#include "shared/base/result.h"
#include "shared/reference/linear_solver.h"
#include "shared/reference/rows.h"

#include <limits>
#include <vector>

namespace jostle::reference {

// The mixed linear complementarity problem. Find λ, and with it w = A·λ + b, so that in each row
//
//   λ = lower            and  w ≥ 0,   or
//   lower < λ < upper    and  w = 0,   or
//   λ = upper            and  w ≤ 0
//
// A is symmetric and never negative; w is how fast the row still moves. An equality has bounds
// ±infinity, so that only the middle line is left; a contact has 0 and infinity: either it pushes
// and does not part, or it parts and does not push; a motor has ± its strength. With fixed bounds
// the λ are also those that make ½·λ·A·λ + b·λ least within them, whose conditions these are
// (Cottle, Pang, Stone, "The Linear Complementarity Problem", 1992, chapter 1), so a solution is
// there if anything can hold, and w is unique even where λ is not.
//
// The bounds of friction move with the normal force, μ·λ_n, in one of two forms:
//
//   Pyramid   each of the two tangent rows by itself, |λ_t| ≤ μ·λ_n: all rows are then of one kind,
//             but friction is stronger between the two tangents, by up to √2
//   Cone      both together, |(λ_t1, λ_t2)| ≤ μ·λ_n: Coulomb's law. Where it slides, the force has
//             this length and points against the sliding
//
// Then the problem is no longer that of a least value: more than one solution may exist (Painlevé's
// rod), and no method of this room promises to find one, though Gauss-Seidel mostly does.

struct Bound {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  /// Of friction, whose bounds are ±friction·λ[normal_row]; two such rows follow one another.
  std::size_t normal_row = no_row;
  double friction = 0;
};

enum class FrictionModel { Pyramid, Cone };

/// All diagonal entries must be positive: a row that moves nothing has no business here.
struct Mlcp {
  SquareMatrix matrix{0};      // A
  std::vector<double> offset;  // b
  std::vector<Bound> bounds;
  FrictionModel friction_model = FrictionModel::Cone;
};

/// The largest failure of any row to be complementary, in units of w: |λ − P(λ − w/A_ii)|·A_ii,
/// where P is the nearest value within the bounds. Zero at solutions and nowhere else.
double residual_of(const Mlcp& problem, const std::vector<double>& lambda);

struct GaussSeidelOptions {
  double tolerance = 1e-11;  // of the residual
  int max_iterations = 100'000;
};

struct GaussSeidelResult {
  std::vector<double> lambda;
  int iterations = 0;
  double residual = 0;
  bool has_converged = false;  // the residual is within the tolerance
};

/// Projected Gauss-Seidel: row after row, the λ_i that makes w_i zero while the others stay, or the
/// nearest one within the bounds,
///
///   λ_i ← P(λ_i − w_i/A_ii)
///
/// until the residual is small. Two rows of a cone move together, λ_t ← P(λ_t − w_t/r), with r the
/// larger eigenvalue of their 2 × 2 block, and P shortens them to the cone. Each move lowers
/// ½·λ·A·λ + b·λ, so for fixed bounds it converges where there is a solution, also where A is
/// singular; how fast is another matter: a tall stack tells the ground of its top only row by row.
/// With A = J·M⁻¹·Jᵀ it does what sequential impulses do, body by body, without forming A.
///
/// Source: Cottle, Pang, Stone, chapter 5; Erleben, "Stable, robust, and versatile multibody
/// dynamics animation", PhD thesis, 2005; Catto, "Iterative dynamics with temporal
/// coherence", GDC 2005. `start` is as long as the problem.
GaussSeidelResult solve_gauss_seidel(const Mlcp& problem, const GaussSeidelOptions& options,
                                     std::vector<double> start);

enum class PivotingError {
  SingularMatrix,  // rows that no bound holds are redundant
  TooManyPivots,
};

/// An exact method, to check the other one by, for fixed bounds only (no friction). It guesses
/// which rows are at a bound, solves the linear equations of the rest, and where the answer
/// contradicts the guess changes it for the first such row (Murty, "Note on a Bard-type scheme for
/// solving the complementarity problem", 1974; with two bounds: Júdice and Pires, "A block
/// principal pivoting algorithm for large-scale strictly monotone linear complementarity problems",
/// 1994). Ends where A is positive definite.
base::Result<std::vector<double>, PivotingError> solve_by_pivoting(const Mlcp& problem);

}  // namespace jostle::reference
