#include "shared/reference/mlcp.h"

#include "shared/base/assert.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>

namespace jostle::reference {
namespace {

bool is_friction(const Bound& bound) {
  return bound.normal_row != no_row;
}

/// Returns true if row i begins a pair of friction rows that are projected together. Contract: i is
/// not the second row of a pair.
bool begins_cone(const Mlcp& problem, std::size_t i) {
  return problem.friction_model == FrictionModel::Cone && is_friction(problem.bounds[i]);
}

void check_problem(const Mlcp& problem) {
  const std::size_t n = problem.matrix.size;
  JOSTLE_ASSERT(problem.offset.size() == n && problem.bounds.size() == n);
  for (std::size_t i = 0; i < n; ++i) {
    JOSTLE_ASSERT(problem.matrix.at(i, i) > 0);
    JOSTLE_ASSERT(problem.bounds[i].lower <= problem.bounds[i].upper);
    if (!begins_cone(problem, i)) continue;
    ++i;
    JOSTLE_ASSERT(i < n && problem.bounds[i].normal_row == problem.bounds[i - 1].normal_row);
  }
}

/// Returns w_i.
double value_at(const Mlcp& problem, const std::vector<double>& lambda, std::size_t i) {
  double sum = problem.offset[i];
  for (std::size_t j = 0; j < lambda.size(); ++j)
    sum += problem.matrix.at(i, j) * lambda[j];
  return sum;
}

double clamped(const Mlcp& problem, const std::vector<double>& lambda, std::size_t i,
               double wanted) {
  const Bound& bound = problem.bounds[i];
  if (!is_friction(bound)) return std::clamp(wanted, bound.lower, bound.upper);
  const double most = bound.friction * lambda[bound.normal_row];
  return std::clamp(wanted, -most, most);
}

/// Returns the larger eigenvalue of the symmetric 2 × 2 block at i, i + 1.
double stiffness_of_pair(const SquareMatrix& matrix, std::size_t i) {
  const double first = matrix.at(i, i), second = matrix.at(i + 1, i + 1);
  const double mixed = matrix.at(i, i + 1), half_difference = 0.5 * (first - second);
  return 0.5 * (first + second) + std::sqrt(half_difference * half_difference + mixed * mixed);
}

/// Returns P(λ_t − w_t/r) for the rows i and i + 1.
std::pair<double, double> projected_on_cone(const Mlcp& problem, const std::vector<double>& lambda,
                                            std::size_t i) {
  const double stiffness = stiffness_of_pair(problem.matrix, i);
  const double first = lambda[i] - value_at(problem, lambda, i) / stiffness;
  const double second = lambda[i + 1] - value_at(problem, lambda, i + 1) / stiffness;
  const double wanted = std::sqrt(first * first + second * second);
  const double most = problem.bounds[i].friction * lambda[problem.bounds[i].normal_row];
  if (wanted <= most) return {first, second};
  return {first * (most / wanted), second * (most / wanted)};
}

double projected(const Mlcp& problem, const std::vector<double>& lambda, std::size_t i) {
  const double wanted = lambda[i] - value_at(problem, lambda, i) / problem.matrix.at(i, i);
  return clamped(problem, lambda, i, wanted);
}

void pass_over_rows(const Mlcp& problem, std::vector<double>& lambda) {
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    if (begins_cone(problem, i)) {
      std::tie(lambda[i], lambda[i + 1]) = projected_on_cone(problem, lambda, i);
      ++i;
    } else {
      lambda[i] = projected(problem, lambda, i);
    }
  }
}

enum class Place : std::uint8_t { AtLower, Between, AtUpper };

Place first_guess(const Bound& bound) {
  if (std::isfinite(bound.lower)) return Place::AtLower;
  return std::isfinite(bound.upper) ? Place::AtUpper : Place::Between;
}

/// Returns λ with the rows at the bounds given by `places`, and with w = 0 in the rows between
/// bounds. Fails if the equations of the rows between bounds are singular.
base::Result<std::vector<double>, PivotingError> solve_guess(const Mlcp& problem,
                                                             const std::vector<Place>& places) {
  std::vector<double> lambda(places.size());
  std::vector<std::size_t> between;
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] == Place::AtLower) lambda[i] = problem.bounds[i].lower;
    if (places[i] == Place::AtUpper) lambda[i] = problem.bounds[i].upper;
    if (places[i] == Place::Between) between.push_back(i);
  }
  SquareMatrix matrix(between.size());
  std::vector<double> right(between.size());
  for (std::size_t i = 0; i < between.size(); ++i) {
    right[i] = -value_at(problem, lambda, between[i]);
    for (std::size_t j = 0; j < between.size(); ++j)
      matrix.at(i, j) = problem.matrix.at(between[i], between[j]);
  }
  const auto solved = solve_symmetric(matrix, right);
  if (!solved) return PivotingError::SingularMatrix;
  for (std::size_t i = 0; i < between.size(); ++i)
    lambda[between[i]] = (*solved)[i];
  return lambda;
}

/// Returns the state of row i (at a bound or between) that agrees with this solution; `place`
/// itself if there is no contradiction.
Place corrected(const Mlcp& problem, const std::vector<double>& lambda, std::size_t i,
                Place place) {
  constexpr double rounding = 1e-12;
  const Bound& bound = problem.bounds[i];
  if (place == Place::Between) {
    const double slack = rounding * (1 + std::abs(lambda[i]));
    if (lambda[i] < bound.lower - slack) return Place::AtLower;
    return lambda[i] > bound.upper + slack ? Place::AtUpper : place;
  }
  const double w = value_at(problem, lambda, i);
  const double slack = rounding * (1 + std::abs(problem.offset[i]));
  const bool leaves = place == Place::AtLower ? w < -slack : w > slack;
  return leaves ? Place::Between : place;
}

}  // namespace

double residual_of(const Mlcp& problem, const std::vector<double>& lambda) {
  double worst = 0;
  for (std::size_t i = 0; i < lambda.size(); ++i) {
    if (begins_cone(problem, i)) {
      const auto [first, second] = projected_on_cone(problem, lambda, i);
      const double change = std::max(std::abs(first - lambda[i]), std::abs(second - lambda[i + 1]));
      worst = std::max(worst, change * stiffness_of_pair(problem.matrix, i));
      ++i;
    } else {
      const double change = std::abs(projected(problem, lambda, i) - lambda[i]);
      worst = std::max(worst, change * problem.matrix.at(i, i));
    }
  }
  return worst;
}

GaussSeidelResult solve_gauss_seidel(const Mlcp& problem, const GaussSeidelOptions& options,
                                     std::vector<double> start) {
  check_problem(problem);
  JOSTLE_ASSERT(start.size() == problem.matrix.size);
  GaussSeidelResult result;
  result.lambda = std::move(start);
  result.residual = residual_of(problem, result.lambda);
  while (!(result.residual <= options.tolerance) && result.iterations < options.max_iterations) {
    pass_over_rows(problem, result.lambda);
    ++result.iterations;
    result.residual = residual_of(problem, result.lambda);
  }
  result.has_converged = result.residual <= options.tolerance;
  return result;
}

base::Result<std::vector<double>, PivotingError> solve_by_pivoting(const Mlcp& problem) {
  check_problem(problem);
  const std::size_t n = problem.matrix.size;
  std::vector<Place> places;
  for (const Bound& bound : problem.bounds) {
    JOSTLE_ASSERT(!is_friction(bound));
    places.push_back(first_guess(bound));
  }
  const std::size_t max_pivots = 1000 + 100 * n;
  for (std::size_t pivot = 0; pivot < max_pivots; ++pivot) {
    auto lambda = solve_guess(problem, places);
    if (!lambda) return lambda.error();
    std::size_t first = 0;
    while (first < n && corrected(problem, *lambda, first, places[first]) == places[first])
      ++first;
    if (first == n) return lambda;
    places[first] = corrected(problem, *lambda, first, places[first]);
  }
  return PivotingError::TooManyPivots;
}

}  // namespace jostle::reference
