#include "shared/reference/step.h"

#include "shared/base/assert.h"
#include "shared/reference/contact_rows.h"
#include "shared/reference/joint_rows.h"

#include <utility>

namespace jostle::reference {
namespace {

void apply_accelerations(const std::vector<Acceleration>& accelerations, double scale,
                         System& system) {
  for (std::size_t i = 0; i < system.bodies.size(); ++i) {
    Body& body = system.bodies[i];
    body.linear_velocity = body.linear_velocity + accelerations[i].linear * scale;
    body.angular_velocity = body.angular_velocity + accelerations[i].angular * scale;
  }
}

/// Applies v* = v + h·M⁻¹·f.
void apply_free_acceleration(double h, System& system) {
  std::vector<Acceleration> accelerations;
  accelerations.reserve(system.bodies.size());
  for (const Body& body : system.bodies)
    accelerations.push_back(free_acceleration(body));
  apply_accelerations(accelerations, h, system);
}

void move_bodies(double h, System& system) {
  for (Body& body : system.bodies) {
    body.position = body.position + body.linear_velocity * h;
    body.rotation = turned(body.rotation, body.angular_velocity, h);
  }
}

/// Returns the bias of a one-sided row. `speed` is J·v at the start of the step.
double bias_of_limit(const Row& row, double speed, const StepOptions& options) {
  const double h = options.step_seconds;
  const bool hits = row.source == RowSource::Contact && speed < -options.restitution_threshold &&
                    row.error + h * speed <= 0;
  if (hits && row.restitution > 0) return row.restitution * speed;
  return row.error > 0 ? row.error / h : options.baumgarte * row.error / h;
}

double bias_of(const System& system, const Row& row, const StepOptions& options) {
  const double h = options.step_seconds;
  switch (row.kind) {
    case RowKind::Equality:
      return options.baumgarte * row.error / h;
    case RowKind::Limit:
      return bias_of_limit(row, speed_of(system, row), options);
    case RowKind::Friction:
      return 0;
    case RowKind::Motor:
      return -row.speed;
    case RowKind::Spring:
      return row.stiffness * row.error / (row.damping + h * row.stiffness);
  }
  return 0;
}

Bound bound_of(const Row& row, double h) {
  Bound bound;
  if (row.kind == RowKind::Limit) bound.lower = 0;
  if (row.kind == RowKind::Motor) {
    bound.lower = -h * row.max_force;
    bound.upper = h * row.max_force;
  }
  if (row.kind == RowKind::Friction) {
    bound.normal_row = row.normal_row;
    bound.friction = row.friction;
  }
  return bound;
}

/// Returns γ, the compliance of a row: the velocity by which it yields per unit of λ.
double softness_of(const Row& row, double h) {
  if (row.kind != RowKind::Spring) return 0;
  return 1 / (h * (row.damping + h * row.stiffness));
}

void report_forces(const System& system, double h, StepReport& report) {
  std::vector<double> forces = report.lambda;
  for (double& force : forces)
    force /= h;
  for (std::size_t i = 0; i < system.contacts.size(); ++i) {
    const Vec3d point = stand_of(system, system.contacts[i]).point;
    report.contact_wrenches.push_back(
        wrench_on_b(system, report.rows, forces, RowSource::Contact, i, point));
    report.normal_forces.push_back(forces[rows_per_contact * i]);
  }
  for (std::size_t i = 0; i < system.joints.size(); ++i) {
    const Vec3d anchor = anchor_b_of(system, system.joints[i]);
    report.joint_wrenches.push_back(
        wrench_on_b(system, report.rows, forces, RowSource::Joint, i, anchor));
  }
}

void report_accelerations(const System& before, const System& after, double h, StepReport& report) {
  for (std::size_t i = 0; i < before.bodies.size(); ++i) {
    const Body &old = before.bodies[i], &now = after.bodies[i];
    report.accelerations.push_back({(now.linear_velocity - old.linear_velocity) * (1 / h),
                                    (now.angular_velocity - old.angular_velocity) * (1 / h)});
  }
}

}  // namespace

std::vector<Row> all_rows(const System& system) {
  // Contacts come first, because friction rows refer to their normal row by index.
  std::vector<Row> rows = contact_rows(system);
  const std::vector<Row> joints = joint_rows(system);
  rows.insert(rows.end(), joints.begin(), joints.end());
  return rows;
}

Mlcp velocity_problem(const System& system, const std::vector<Row>& rows,
                      const StepOptions& options) {
  const double h = options.step_seconds;
  JOSTLE_ASSERT(h > 0);
  System free = system;
  apply_free_acceleration(h, free);
  Mlcp problem;
  problem.friction_model = options.friction_model;
  problem.matrix = delassus_matrix(system, rows);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    problem.matrix.at(i, i) += softness_of(rows[i], h);
    problem.offset.push_back(speed_of(free, rows[i]) + bias_of(system, rows[i], options));
    problem.bounds.push_back(bound_of(rows[i], h));
  }
  return problem;
}

StepReport step(System& system, const StepOptions& options) {
  const double h = options.step_seconds;
  const System before = system;
  StepReport report;
  report.rows = all_rows(system);
  const Mlcp problem = velocity_problem(system, report.rows, options);
  GaussSeidelResult solved =
      solve_gauss_seidel(problem, options.solver, std::vector<double>(report.rows.size()));
  report.lambda = std::move(solved.lambda);
  report.iterations = solved.iterations;
  report.residual = solved.residual;
  report.has_converged = solved.has_converged;

  apply_free_acceleration(h, system);
  apply_accelerations(response_to(system, report.rows, report.lambda), 1, system);
  report_forces(before, h, report);
  report_accelerations(before, system, h, report);
  move_bodies(h, system);
  return report;
}

}  // namespace jostle::reference
