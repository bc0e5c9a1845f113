#include "tests/reference/systems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace jostle::reference {
namespace {

using namespace jostle::reference::testing;

constexpr double infinity = std::numeric_limits<double>::infinity();

/// Returns G·Gᵀ + `share`·1, where G is a random matrix with `n` rows and `rank` columns, and 1 is
/// the identity. The result is positive semidefinite. It is singular if `rank` is below `n` and
/// `share` is 0.
SquareMatrix random_matrix(base::Random& random, std::size_t n, std::size_t rank, double share) {
  std::vector<double> factors(n * rank);
  for (double& factor : factors)
    factor = between(random, -1, 1);
  SquareMatrix matrix(n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      for (std::size_t k = 0; k < rank; ++k)
        matrix.at(i, j) += factors[i * rank + k] * factors[j * rank + k];
    }
    matrix.at(i, i) += share;
  }
  return matrix;
}
std::vector<double> random_values(base::Random& random, std::size_t n) {
  std::vector<double> values(n);
  for (double& value : values)
    value = between(random, -1, 1);
  return values;
}

TEST(LinearSolver, SolvesRandomSystems) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    base::Random random(seed);
    const SquareMatrix matrix = random_matrix(random, 12, 12, 0.1);
    const std::vector<double> wanted = random_values(random, 12);
    const auto direct = solve_symmetric(matrix, matrix * wanted);
    ASSERT_TRUE(direct);
    const std::vector<double> least = solve_least_norm(matrix, matrix * wanted);
    for (std::size_t i = 0; i < 12; ++i) {
      EXPECT_NEAR((*direct)[i], wanted[i], 1e-11) << seed;
      EXPECT_NEAR(least[i], wanted[i], 1e-9) << seed;
    }
  }
}

TEST(LinearSolver, ReportsTheRedundantRow) {
  base::Random random(1);
  SquareMatrix matrix = random_matrix(random, 6, 6, 0.1);
  // Row 4 becomes the sum of rows 1 and 2.
  for (std::size_t i = 0; i < 6; ++i)
    matrix.at(4, i) = matrix.at(1, i) + matrix.at(2, i);
  for (std::size_t i = 0; i < 6; ++i)
    matrix.at(i, 4) = matrix.at(i, 1) + matrix.at(i, 2);
  const auto result = solve_symmetric(matrix, std::vector<double>(6, 1.0));
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().row, 4U);
}

TEST(LinearSolver, SharesTheForceBetweenRedundantRows) {
  // Rows 0 and 2 are equal, 2·(x₀ + x₂) = 6; row 1 is 5·x₁ = 10.
  SquareMatrix matrix(3);
  matrix.at(0, 0) = matrix.at(0, 2) = matrix.at(2, 0) = matrix.at(2, 2) = 2;
  matrix.at(1, 1) = 5;
  const std::vector<double> x = solve_least_norm(matrix, {6, 10, 6});
  EXPECT_NEAR(x[0], 1.5, 1e-12);
  EXPECT_NEAR(x[1], 2, 1e-12);
  EXPECT_NEAR(x[2], 1.5, 1e-12);
}

Mlcp random_problem(base::Random& random, std::size_t n, std::size_t rank, double share) {
  Mlcp problem;
  problem.matrix = random_matrix(random, n, rank, share);
  problem.offset = random_values(random, n);
  for (std::size_t i = 0; i < n; ++i) {
    Bound bound;  // unbounded: an equality
    const std::uint32_t kind = random.below(4);
    if (kind == 1) bound.lower = 0;
    if (kind == 2) bound.upper = 0.1;
    if (kind == 3) bound = {-0.2, 0.3, no_row, 0};
    problem.bounds.push_back(bound);
  }
  return problem;
}

/// Checks that each row satisfies one of the three cases of mlcp.h. The value of λ determines which
/// one.
void expect_complementary(const Mlcp& problem, const std::vector<double>& lambda,
                          double tolerance) {
  std::vector<double> w = problem.matrix * lambda;
  for (std::size_t i = 0; i < w.size(); ++i) {
    SCOPED_TRACE(i);
    w[i] += problem.offset[i];
    const Bound& bound = problem.bounds[i];
    ASSERT_GE(lambda[i], bound.lower);
    ASSERT_LE(lambda[i], bound.upper);
    if (lambda[i] > bound.lower) {
      EXPECT_LT(w[i], tolerance);
    }
    if (lambda[i] < bound.upper) {
      EXPECT_GT(w[i], -tolerance);
    }
  }
}

TEST(GaussSeidel, FindsComplementarySolutionsOfRandomProblems) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    const Mlcp problem = random_problem(random, 8, 8, 0.2);
    const GaussSeidelResult result = solve_gauss_seidel(problem, {}, std::vector<double>(8));
    ASSERT_TRUE(result.has_converged) << result.residual;
    EXPECT_LE(result.residual, 1e-11);
    EXPECT_GT(result.iterations, 1);
    // Each update solves its own row exactly. Later updates of other rows change w in that row
    // again, possibly by more than the residual.
    expect_complementary(problem, result.lambda, 1e-9);
  }
}

TEST(GaussSeidel, AgreesWithPivoting) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    const Mlcp problem = random_problem(random, 8, 8, 0.2);
    const auto exact = solve_by_pivoting(problem);
    ASSERT_TRUE(exact);
    EXPECT_LT(residual_of(problem, *exact), 1e-11);
    const GaussSeidelResult result = solve_gauss_seidel(problem, {}, std::vector<double>(8));
    for (std::size_t i = 0; i < 8; ++i)
      EXPECT_NEAR(result.lambda[i], (*exact)[i], 1e-9);
  }
}

TEST(GaussSeidel, SolvesSingularOneSidedProblems) {
  // With ten contacts on three degrees of freedom, w is unique, but λ is not.
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    SCOPED_TRACE(seed);
    base::Random random(seed);
    Mlcp problem;
    problem.matrix = random_matrix(random, 10, 3, 0);
    // b = A·x makes the problem feasible.
    problem.offset = problem.matrix * random_values(random, 10);
    problem.bounds.assign(10, {0, infinity, no_row, 0});
    const GaussSeidelResult zero = solve_gauss_seidel(problem, {}, std::vector<double>(10));
    const GaussSeidelResult one = solve_gauss_seidel(problem, {}, std::vector<double>(10, 1.0));
    ASSERT_TRUE(zero.has_converged && one.has_converged);
    expect_complementary(problem, zero.lambda, 1e-9);
    const std::vector<double> w_zero = problem.matrix * zero.lambda,
                              w_one = problem.matrix * one.lambda;
    for (std::size_t i = 0; i < 10; ++i)
      EXPECT_NEAR(w_zero[i], w_one[i], 1e-7);
  }
}

TEST(GaussSeidel, ReportsThatItHasNotConverged) {
  base::Random random(2);
  const Mlcp problem = random_problem(random, 8, 8, 0.2);
  const GaussSeidelResult result = solve_gauss_seidel(problem, {1e-11, 2}, std::vector<double>(8));
  EXPECT_EQ(result.iterations, 2);
  EXPECT_FALSE(result.has_converged);
  EXPECT_GT(result.residual, 1e-11);
  EXPECT_EQ(result.residual, residual_of(problem, result.lambda));
}

TEST(Pivoting, ReportsRedundantRows) {
  Mlcp problem;
  problem.matrix = SquareMatrix(2);
  problem.matrix.values = {1, 1, 1, 1};
  problem.offset = {0, 0};
  problem.bounds.resize(2);
  const auto result = solve_by_pivoting(problem);
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error(), PivotingError::SingularMatrix);
}

/// Returns the problem of a point of mass 1 that slides with the velocity (`x`, `z`). The normal
/// row has the solution λ_n = 1.
Mlcp sliding_point(double x, double z, double friction, FrictionModel model) {
  Mlcp problem;
  problem.friction_model = model;
  problem.matrix = SquareMatrix(3);
  for (std::size_t i = 0; i < 3; ++i)
    problem.matrix.at(i, i) = 1;
  problem.offset = {-1, x, z};
  problem.bounds = {{0, infinity, no_row, 0},
                    {-infinity, infinity, 0, friction},
                    {-infinity, infinity, 0, friction}};
  return problem;
}

TEST(FrictionCone, OpposesSlidingWithTheMaximumForce) {
  for (int i = 0; i < 12; ++i) {
    const double angle = i * pi / 6, x = 3 * std::cos(angle), z = 3 * std::sin(angle);
    const auto result = solve_gauss_seidel(sliding_point(x, z, 0.5, FrictionModel::Cone), {},
                                           std::vector<double>(3));
    ASSERT_TRUE(result.has_converged);
    EXPECT_NEAR(result.lambda[0], 1, 1e-12);
    EXPECT_NEAR(result.lambda[1], -0.5 * std::cos(angle), 1e-10);
    EXPECT_NEAR(result.lambda[2], -0.5 * std::sin(angle), 1e-10);
  }
}

TEST(FrictionCone, OpposesTheRemainingVelocityForUnevenMasses) {
  // The 2 × 2 block of the tangents is not a multiple of the identity, so the sliding velocity
  // changes its direction. The friction force must be opposite to the sliding velocity w after the
  // step, not to that before it.
  Mlcp problem = sliding_point(3, 2, 0.5, FrictionModel::Cone);
  problem.matrix.at(1, 1) = 4;
  problem.matrix.at(1, 2) = problem.matrix.at(2, 1) = 0.5;
  const auto result = solve_gauss_seidel(problem, {}, std::vector<double>(3));
  ASSERT_TRUE(result.has_converged);
  const std::vector<double> along = problem.matrix * result.lambda;
  const double w_x = along[1] + 3, w_z = along[2] + 2;
  const double w = std::sqrt(w_x * w_x + w_z * w_z);
  EXPECT_GT(w, 0.1);
  EXPECT_NEAR(result.lambda[1], -0.5 * w_x / w, 1e-9);
  EXPECT_NEAR(result.lambda[2], -0.5 * w_z / w, 1e-9);
}

TEST(FrictionPyramid, IsStrongerAlongTheDiagonal) {
  const double diagonal = 3 / std::sqrt(2.0);
  const auto result = solve_gauss_seidel(
      sliding_point(diagonal, diagonal, 0.5, FrictionModel::Pyramid), {}, std::vector<double>(3));
  EXPECT_NEAR(result.lambda[1], -0.5, 1e-12);
  EXPECT_NEAR(result.lambda[2], -0.5, 1e-12);
}

TEST(FrictionModels, StopAPointWithinTheFrictionLimit) {
  for (const FrictionModel model : {FrictionModel::Cone, FrictionModel::Pyramid}) {
    const auto result =
        solve_gauss_seidel(sliding_point(0.3, -0.2, 0.5, model), {}, std::vector<double>(3));
    ASSERT_TRUE(result.has_converged);
    EXPECT_NEAR(result.lambda[1], -0.3, 1e-12);
    EXPECT_NEAR(result.lambda[2], 0.2, 1e-12);
  }
}

/// Returns a chain of boxes with a joint of each kind. The boxes have no velocity, but are not in
/// equilibrium.
System mixed_chain() {
  System system;
  add(system, Body{});
  const std::vector<JointKind> kinds{JointKind::Hinge, JointKind::Ball, JointKind::Fixed,
                                     JointKind::Slider, JointKind::Distance};
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    const double x = 1.0 * static_cast<double>(i) + 0.5;
    add(system, box_body(1 + static_cast<double>(i), {0.4, 0.1, 0.2}, {x, 0, 0}));
    system.joints.push_back(
        make_joint_def(system, kinds[i], i, i + 1, {x - 0.5, 0, 0}, {0, 0.6, 0.8}));
    if (kinds[i] == JointKind::Distance) {
      system.joints.back().anchor_b_local = {0.2, 0.3, 0};
      system.joints.back().rest =
          distance(anchor_a_of(system, system.joints[i]), anchor_b_of(system, system.joints[i]));
    }
  }
  return system;
}

// Without velocities, J·v = 0, so λ/h of a velocity-level step solves the same equations as the
// multipliers.
TEST(ReferenceStep, AgreesWithTheMultipliersOnAChainOfAllJoints) {
  System system = mixed_chain();
  const auto forces = solve_multipliers(system, 0);
  ASSERT_TRUE(forces);
  StepOptions options;
  const StepReport report = step(system, options);
  ASSERT_TRUE(report.has_converged) << report.residual;
  for (std::size_t i = 0; i < report.lambda.size(); ++i) {
    EXPECT_NEAR(report.lambda[i] / options.step_seconds, forces->lambda[i], 1e-5) << "row " << i;
  }
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    const Acceleration &a = report.accelerations[i], &b = forces->accelerations[i];
    EXPECT_LT(distance(a.linear, b.linear), 1e-6);
    EXPECT_LT(distance(a.angular, b.angular), 1e-6);
  }
}

TEST(SolveMultipliers, AgreesWithPivotingOnAChainOfAllJoints) {
  const System system = mixed_chain();
  const Mlcp problem = velocity_problem(system, all_rows(system), {});
  const auto exact = solve_by_pivoting(problem);
  ASSERT_TRUE(exact);
  const auto direct = solve_multipliers(system, 0);
  for (std::size_t i = 0; i < exact->size(); ++i)
    EXPECT_NEAR((*exact)[i] * 60, direct->lambda[i], 1e-8);
}

}  // namespace
}  // namespace jostle::reference
