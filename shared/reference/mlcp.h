#pragma once

#include "shared/base/result.h"
#include "shared/reference/linear_solver.h"
#include "shared/reference/rows.h"

#include <limits>
#include <vector>

namespace jostle::reference {

// The mixed linear complementarity problem (MLCP). Find λ and w = A·λ + b so that each row
// satisfies one of
//
//   λ = lower            and  w ≥ 0
//   lower < λ < upper    and  w = 0
//   λ = upper            and  w ≤ 0
//
// A is symmetric and positive semidefinite; w is the velocity that remains in the row. An equality
// has bounds ±infinity, so only the middle case is left. A contact has the bounds 0 and infinity:
// either it pushes and does not separate, or it separates and does not push. A motor has the bounds
// ± its maximum force times the step.
//
// With fixed bounds, the solutions λ are the minima of ½·λ·A·λ + b·λ within the bounds, and the
// cases above are the optimality conditions (Cottle, Pang, Stone, "The Linear Complementarity
// Problem", 1992, chapter 1). A solution therefore exists if the problem is feasible, and w is
// unique even if λ is not.
//
// The bounds of friction depend on the normal force, μ·λ_n, in one of two forms:
//
//   Pyramid   each tangent row by itself, |λ_t| ≤ μ·λ_n: all rows are then of one kind, but
//             friction is stronger between the two tangents, by up to √2
//   Cone      both together, |(λ_t1, λ_t2)| ≤ μ·λ_n: Coulomb's law. If the contact slides, the
//             force has this length and points against the sliding velocity
//
// With friction the problem is no longer a minimisation. More than one solution may exist
// (Painlevé's rod), and neither solver is guaranteed to find one, but Gauss-Seidel usually does.

/// Bounds of the λ of one row.
struct Bound {
  double lower = -std::numeric_limits<double>::infinity();
  double upper = std::numeric_limits<double>::infinity();
  /// Index of the normal row for friction rows, whose bounds are ±friction·λ[normal_row]. The two
  /// friction rows of a contact must be adjacent.
  std::size_t normal_row = no_row;
  double friction = 0;
};

enum class FrictionModel { Pyramid, Cone };

/// A problem to solve. All diagonal entries of the matrix must be positive: the caller leaves out
/// rows that cannot move any body.
struct Mlcp {
  SquareMatrix matrix{0};      // A
  std::vector<double> offset;  // b
  std::vector<Bound> bounds;
  FrictionModel friction_model = FrictionModel::Cone;
};

/// Returns the largest complementarity error of any row, in units of w: |λ − P(λ − w/A_ii)|·A_ii,
/// where P is the projection onto the bounds. For the rows of a friction cone, r (see
/// solve_gauss_seidel) replaces A_ii. The error is zero at solutions only.
double residual_of(const Mlcp& problem, const std::vector<double>& lambda);

struct GaussSeidelOptions {
  double tolerance = 1e-11;  // maximum residual, in units of w
  int max_iterations = 100'000;
};

struct GaussSeidelResult {
  std::vector<double> lambda;
  int iterations = 0;
  double residual = 0;
  bool has_converged = false;  // true if the residual is within the tolerance
};

/// Solves by projected Gauss-Seidel. For one row after the other, it computes the λ_i that makes
/// w_i zero while the other λ stay fixed, and projects it onto the bounds:
///
///   λ_i ← P(λ_i − w_i/A_ii)
///
/// It stops when the residual is within the tolerance. The two rows of a friction cone are updated
/// together, λ_t ← P(λ_t − w_t/r), with r the larger eigenvalue of their 2 × 2 block; P shortens
/// the pair to the cone. With fixed bounds, each update lowers ½·λ·A·λ + b·λ. The method then
/// converges if a solution exists, even if A is singular. Convergence can be slow: in a tall stack,
/// each iteration carries information by only a few rows. With A = J·M⁻¹·Jᵀ the method computes the
/// same as sequential impulses, which do not form A.
///
/// `start` holds the initial λ, one value per row.
///
/// Source: Cottle, Pang, Stone, chapter 5; Erleben, "Stable, robust, and versatile multibody
/// dynamics animation", PhD thesis, 2005; Catto, "Iterative dynamics with temporal coherence", GDC
/// 2005.
GaussSeidelResult solve_gauss_seidel(const Mlcp& problem, const GaussSeidelOptions& options,
                                     std::vector<double> start);

enum class PivotingError {
  SingularMatrix,  // the rows that are not at a bound are linearly dependent
  TooManyPivots,
};

/// Solves a problem with fixed bounds (no friction) exactly, to check solve_gauss_seidel. It
/// guesses which rows are at a bound and solves the linear equations of the other rows. It then
/// corrects the guess for the first row that contradicts the solution, and repeats. It terminates
/// if A is positive definite.
///
/// Source: Murty, "Note on a Bard-type scheme for solving the complementarity problem", 1974. With
/// two bounds: Júdice and Pires, "A block principal pivoting algorithm for large-scale strictly
/// monotone linear complementarity problems", 1994.
base::Result<std::vector<double>, PivotingError> solve_by_pivoting(const Mlcp& problem);

}  // namespace jostle::reference
