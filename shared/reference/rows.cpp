#include "shared/reference/rows.h"

namespace jostle::reference {
namespace {

/// The part of a row that acts on one body: (J_lin, J_ang).
struct Side {
  std::size_t body;
  Vec3d linear, angular;
};
Side side_a(const Row& row) {
  return {row.body_a, row.linear_a, row.angular_a};
}
Side side_b(const Row& row) {
  return {row.body_b, row.linear_b, row.angular_b};
}

/// Returns the part of J_i·M⁻¹·J_jᵀ from a body that both sides share; 0 if the bodies differ.
double coupling_of_sides(const System& system, const Side& side_i, const Side& side_j) {
  if (side_i.body != side_j.body) return 0;
  const Body& body = system.bodies[side_i.body];
  return body.inverse_mass * dot(side_i.linear, side_j.linear) +
         dot(side_i.angular, times_inverse_inertia(body, side_j.angular));
}

}  // namespace

double speed_of(const System& system, const Row& row) {
  const Body &a = system.bodies[row.body_a], &b = system.bodies[row.body_b];
  return dot(row.linear_a, a.linear_velocity) + dot(row.angular_a, a.angular_velocity) +
         dot(row.linear_b, b.linear_velocity) + dot(row.angular_b, b.angular_velocity);
}

double acceleration_of(const Row& row, const std::vector<Acceleration>& accelerations) {
  const Acceleration &a = accelerations[row.body_a], &b = accelerations[row.body_b];
  return dot(row.linear_a, a.linear) + dot(row.angular_a, a.angular) + dot(row.linear_b, b.linear) +
         dot(row.angular_b, b.angular);
}

double coupling(const System& system, const Row& row_i, const Row& row_j) {
  double sum = 0;
  for (const Side& side_i : {side_a(row_i), side_b(row_i)}) {
    for (const Side& side_j : {side_a(row_j), side_b(row_j)})
      sum += coupling_of_sides(system, side_i, side_j);
  }
  return sum;
}

SquareMatrix delassus_matrix(const System& system, const std::vector<Row>& rows) {
  SquareMatrix matrix(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j)
      matrix.at(i, j) = matrix.at(j, i) = coupling(system, rows[i], rows[j]);
  }
  return matrix;
}

std::vector<Acceleration> response_to(const System& system, const std::vector<Row>& rows,
                                      const std::vector<double>& lambda) {
  std::vector<Acceleration> answer(system.bodies.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (const Side& side : {side_a(rows[i]), side_b(rows[i])}) {
      const Body& body = system.bodies[side.body];
      Acceleration& sum = answer[side.body];
      sum.linear = sum.linear + side.linear * (body.inverse_mass * lambda[i]);
      sum.angular = sum.angular + times_inverse_inertia(body, side.angular) * lambda[i];
    }
  }
  return answer;
}

Row reversed(const Row& row) {
  Row result = row;
  result.linear_a = -row.linear_a;
  result.angular_a = -row.angular_a;
  result.linear_b = -row.linear_b;
  result.angular_b = -row.angular_b;
  result.error = -row.error;
  result.rate_of_jacobian = -row.rate_of_jacobian;
  return result;
}

Wrench wrench_on_b(const System& system, const std::vector<Row>& rows,
                   const std::vector<double>& lambda, RowSource source, std::size_t source_index,
                   Vec3d point) {
  Vec3d force, torque_about_centre, centre;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].source != source || rows[i].source_index != source_index) continue;
    force = force + rows[i].linear_b * lambda[i];
    torque_about_centre = torque_about_centre + rows[i].angular_b * lambda[i];
    centre = system.bodies[rows[i].body_b].position;
  }
  return {force, torque_about_centre - cross(point - centre, force)};
}

}  // namespace jostle::reference
