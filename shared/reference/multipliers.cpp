#include "shared/reference/multipliers.h"

#include "shared/reference/joint_rows.h"

#include <utility>

namespace jostle::reference {
namespace {

std::vector<Row> equality_rows(const System& system) {
  std::vector<Row> rows;
  for (const Row& row : joint_rows(system)) {
    if (row.kind == RowKind::Equality) rows.push_back(row);
  }
  return rows;
}

std::vector<Acceleration> free_accelerations(const System& system) {
  std::vector<Acceleration> accelerations;
  accelerations.reserve(system.bodies.size());
  for (const Body& body : system.bodies)
    accelerations.push_back(free_acceleration(body));
  return accelerations;
}

/// Returns −(J·M⁻¹·f + J̇·v + 2α·Ċ + β²·C) for each row.
std::vector<double> right_side(const System& system, const std::vector<Row>& rows, double rate) {
  const std::vector<Acceleration> free = free_accelerations(system);
  std::vector<double> right;
  right.reserve(rows.size());
  for (const Row& row : rows) {
    right.push_back(-(acceleration_of(row, free) + row.rate_of_jacobian +
                      2 * rate * speed_of(system, row) + rate * rate * row.error));
  }
  return right;
}

Multipliers with_accelerations(const System& system, std::vector<Row> rows,
                               std::vector<double> lambda) {
  std::vector<Acceleration> accelerations = free_accelerations(system);
  const std::vector<Acceleration> answer = response_to(system, rows, lambda);
  for (std::size_t i = 0; i < accelerations.size(); ++i) {
    accelerations[i].linear = accelerations[i].linear + answer[i].linear;
    accelerations[i].angular = accelerations[i].angular + answer[i].angular;
  }
  return {std::move(rows), std::move(lambda), std::move(accelerations)};
}

RedundantConstraint constraint_at(const std::vector<Row>& rows, std::size_t row) {
  RedundantConstraint constraint;
  constraint.joint = rows[row].source_index;
  for (std::size_t i = 0; i < row; ++i)
    constraint.row_of_joint += rows[i].source_index == constraint.joint ? 1 : 0;
  return constraint;
}

}  // namespace

base::Result<Multipliers, RedundantConstraint> solve_multipliers(const System& system,
                                                                 double rate) {
  std::vector<Row> rows = equality_rows(system);
  auto lambda = solve_symmetric(delassus_matrix(system, rows), right_side(system, rows, rate));
  if (!lambda) return constraint_at(rows, lambda.error().row);
  return with_accelerations(system, std::move(rows), std::move(lambda).value());
}

Multipliers solve_multipliers_least_norm(const System& system, double rate) {
  std::vector<Row> rows = equality_rows(system);
  std::vector<double> lambda =
      solve_least_norm(delassus_matrix(system, rows), right_side(system, rows, rate));
  return with_accelerations(system, std::move(rows), std::move(lambda));
}

Wrench joint_wrench(const System& system, const Multipliers& multipliers, std::size_t joint) {
  return wrench_on_b(system, multipliers.rows, multipliers.lambda, RowSource::Joint, joint,
                     anchor_b_of(system, system.joints[joint]));
}

}  // namespace jostle::reference
