#include "shared/reference/joint_rows.h"

#include "shared/base/assert.h"

#include <cmath>

namespace jostle::reference {

using physics::JointKind;

namespace {

constexpr double pi = 3.14159265358979323846;
/// Minimum length of an anchor offset or swing axis that still has a direction.
constexpr double least_length = 1e-12;

/// The current geometry and velocities of a joint. In the header's notation, `arm_a` and `arm_b`
/// are r_a and r_b, `omega_a` and `omega_b` are ω_a and ω_b.
struct Stand {
  std::size_t body_a, body_b;
  Vec3d arm_a, arm_b;
  Vec3d omega_a, omega_b;
  Vec3d apart, apart_rate;  // u, u̇
  Mat3d frame_a, frame_b;
};

Stand stand_of(const System& system, const Joint& joint) {
  const Body &a = system.bodies[joint.body_a], &b = system.bodies[joint.body_b];
  Stand stand;
  stand.body_a = joint.body_a;
  stand.body_b = joint.body_b;
  stand.arm_a = to_world(a, joint.anchor_a_local);
  stand.arm_b = to_world(b, joint.anchor_b_local);
  stand.omega_a = a.angular_velocity;
  stand.omega_b = b.angular_velocity;
  stand.apart = b.position + stand.arm_b - a.position - stand.arm_a;
  stand.apart_rate = b.linear_velocity + cross(stand.omega_b, stand.arm_b) - a.linear_velocity -
                     cross(stand.omega_a, stand.arm_a);
  stand.frame_a = to_matrix(a.rotation) * joint.frame_a_local;
  stand.frame_b = to_matrix(b.rotation) * joint.frame_b_local;
  return stand;
}

/// A direction or axis and its rate of change: d, ḋ.
struct Direction {
  Vec3d now, rate;
};

/// Returns a row of section 1 of the header, with s_a and ṡ_a as `reach` and `reach_rate`.
Row sliding_row(const Stand& stand, const Direction& d, Vec3d reach, Vec3d reach_rate) {
  Row row;
  row.body_a = stand.body_a;
  row.body_b = stand.body_b;
  row.linear_a = -d.now;
  row.angular_a = -cross(reach, d.now);
  row.linear_b = d.now;
  row.angular_b = cross(stand.arm_b, d.now);
  const Vec3d arm_b_rate = cross(stand.omega_b, stand.arm_b);
  // V = u̇ + ω_a × (r_a − s_a)
  const Vec3d velocity = stand.apart_rate + cross(stand.omega_a, stand.arm_a - reach);
  const Vec3d centripetal = cross(stand.omega_b, arm_b_rate) - cross(stand.omega_a, reach_rate);
  row.rate_of_jacobian = dot(d.rate, velocity) + dot(d.now, centripetal);
  return row;
}

/// Returns a row for the rotation of b relative to a about an axis.
Row turning_row(const Stand& stand, const Direction& d) {
  Row row;
  row.body_a = stand.body_a;
  row.body_b = stand.body_b;
  row.angular_a = -d.now;
  row.angular_b = d.now;
  row.rate_of_jacobian = dot(d.rate, stand.omega_b - stand.omega_a);
  return row;
}

/// Returns a sliding row along an axis that is fixed in the world.
Row anchor_row(const Stand& stand, Vec3d axis) {
  Row row = sliding_row(stand, {axis, {}}, stand.arm_a, cross(stand.omega_a, stand.arm_a));
  row.error = dot(axis, stand.apart);
  return row;
}

/// Returns a sliding row along an axis of frame a, which moves with body a.
Row prismatic_row(const Stand& stand, Vec3d axis) {
  const Vec3d reach_rate = cross(stand.omega_a, stand.arm_a) + stand.apart_rate;
  Row row =
      sliding_row(stand, {axis, cross(stand.omega_a, axis)}, stand.arm_a + stand.apart, reach_rate);
  row.error = dot(axis, stand.apart);
  return row;
}

/// Returns a sliding row along the line through the two anchors, or along x if they coincide.
Row distance_row(const Stand& stand) {
  const double distance = length(stand.apart);
  Direction d{{1, 0, 0}, {}};
  if (distance > least_length) {
    d.now = stand.apart * (1 / distance);
    d.rate = (stand.apart_rate - d.now * dot(d.now, stand.apart_rate)) * (1 / distance);
  }
  Row row = sliding_row(stand, d, stand.arm_a, cross(stand.omega_a, stand.arm_a));
  row.error = distance;
  return row;
}

/// Returns a row of section 2, which keeps the axis `e` of b perpendicular to the axis `f` of a.
Row perpendicular_row(const Stand& stand, Vec3d e, Vec3d f) {
  const Vec3d rate = cross(cross(stand.omega_b, e), f) + cross(e, cross(stand.omega_a, f));
  Row row = turning_row(stand, {cross(e, f), rate});
  row.error = dot(e, f);
  return row;
}

/// Returns θ of section 3, in (−π, π]: the twist about x of the rotation of b relative to a. With
/// that rotation's matrix R, q_x/q_w = (R_zy − R_yz)/(1 + R_xx + R_yy + R_zz).
double twist_angle(const Stand& stand) {
  const Mat3d seen = transpose_multiply(stand.frame_a, stand.frame_b);
  return 2 * angle_of(seen.cy.z - seen.cz.y, 1 + seen.cx.x + seen.cy.y + seen.cz.z);
}

Row twist_row(const Stand& stand) {
  const Vec3d axis_a = stand.frame_a.cx, axis_b = stand.frame_b.cx;
  const Vec3d rate_a = cross(stand.omega_a, axis_a), rate_b = cross(stand.omega_b, axis_b);
  const double share = 1 + dot(axis_a, axis_b);
  const double share_rate = dot(rate_a, axis_b) + dot(axis_a, rate_b);
  JOSTLE_ASSERT(share > least_length);
  const Vec3d now = (axis_a + axis_b) * (1 / share);
  // (d·share)˙ = ẋ_a + ẋ_b
  return turning_row(stand, {now, (rate_a + rate_b - now * share_rate) * (1 / share)});
}

/// Returns the row of section 4, with φ as its error.
Row swing_row(const Stand& stand) {
  const Vec3d axis_a = stand.frame_a.cx, axis_b = stand.frame_b.cx;
  const Vec3d across = cross(axis_a, axis_b);
  const double sine = length(across);
  Direction d{stand.frame_a.cy, cross(stand.omega_a, stand.frame_a.cy)};
  if (sine > least_length) {
    const Vec3d across_rate =
        cross(cross(stand.omega_a, axis_a), axis_b) + cross(axis_a, cross(stand.omega_b, axis_b));
    d.now = across * (1 / sine);
    d.rate = (across_rate - d.now * dot(d.now, across_rate)) * (1 / sine);
  }
  Row row = turning_row(stand, d);
  row.error = angle_of(sine, dot(axis_a, axis_b));
  return row;
}

/// Returns true if the joint holds the distance rigidly: without a spring, limits or a motor.
bool is_rod(const Joint& joint) {
  return joint.kind == JointKind::Distance && !joint.spring && !joint.limits && !joint.motor;
}

std::vector<Row> equality_rows(const Stand& stand, const Joint& joint) {
  std::vector<Row> rows;
  const Mat3d &a = stand.frame_a, &b = stand.frame_b;
  if (joint.kind == JointKind::Slider) {
    rows.push_back(prismatic_row(stand, a.cy));
    rows.push_back(prismatic_row(stand, a.cz));
  } else if (joint.kind != JointKind::Distance) {
    for (const Vec3d axis : {Vec3d{1, 0, 0}, Vec3d{0, 1, 0}, Vec3d{0, 0, 1}})
      rows.push_back(anchor_row(stand, axis));
  } else if (is_rod(joint)) {
    rows.push_back(distance_row(stand));
    rows.back().error -= joint.rest;
  }
  if (joint.kind == JointKind::Hinge || joint.kind == JointKind::Slider ||
      joint.kind == JointKind::Fixed) {
    rows.push_back(perpendicular_row(stand, b.cx, a.cy));
    rows.push_back(perpendicular_row(stand, b.cx, a.cz));
    if (joint.kind != JointKind::Hinge) rows.push_back(perpendicular_row(stand, b.cy, a.cz));
  }
  return rows;
}

double middle_of(const Joint& joint) {
  return joint.limits ? 0.5 * (joint.limits->lower + joint.limits->upper) : joint.rest;
}

/// Returns the row of the joint's free coordinate, with its value as the error.
Row free_row(const Stand& stand, const Joint& joint) {
  if (joint.kind == JointKind::Slider) return prismatic_row(stand, stand.frame_a.cx);
  if (joint.kind == JointKind::Distance) return distance_row(stand);
  Row row = twist_row(stand);
  const double angle = twist_angle(stand), middle = middle_of(joint);
  row.error = angle - middle > pi ? angle - 2 * pi : middle - angle > pi ? angle + 2 * pi : angle;
  return row;
}

/// Returns the effective mass m of a row while the rows of `block` hold: 1/m = A_rr −
/// A_rB·A_BB⁻¹·A_Br.
double mass_left_by(const System& system, const std::vector<Row>& block, const Row& row) {
  double response = coupling(system, row, row);
  std::vector<double> coupled;
  coupled.reserve(block.size());
  for (const Row& other : block)
    coupled.push_back(coupling(system, other, row));
  const std::vector<double> answer = solve_least_norm(delassus_matrix(system, block), coupled);
  for (std::size_t i = 0; i < block.size(); ++i)
    response -= coupled[i] * answer[i];
  return 1 / response;
}

void add_limits(const Joint& joint, const Row& free, std::vector<Row>& rows) {
  // A distance cannot be negative, so a lower limit of 0 or less needs no row.
  if (joint.kind != JointKind::Distance || joint.limits->lower > 0) {
    Row lower = free;
    lower.kind = RowKind::Limit;
    lower.error = free.error - joint.limits->lower;
    rows.push_back(lower);
  }
  Row upper = reversed(free);
  upper.kind = RowKind::Limit;
  upper.error = joint.limits->upper - free.error;
  rows.push_back(upper);
}

Row spring_row(const System& system, const Joint& joint, const std::vector<Row>& block,
               const Row& free) {
  const double omega = 2 * pi * joint.spring->hertz;
  const double mass = mass_left_by(system, block, free);
  Row row = free;
  row.kind = RowKind::Spring;
  row.error = free.error - joint.rest;
  row.stiffness = mass * omega * omega;
  row.damping = 2 * mass * joint.spring->damping_ratio * omega;
  return row;
}

Row motor_row(const Motor& motor, const Row& free) {
  Row row = free;
  row.kind = RowKind::Motor;
  row.error = 0;
  row.speed = motor.speed;
  row.max_force = motor.max_force;
  return row;
}

}  // namespace

std::vector<Row> rows_of_joint(const System& system, std::size_t joint_index) {
  const Joint& joint = system.joints[joint_index];
  const Stand stand = stand_of(system, joint);
  std::vector<Row> rows = equality_rows(stand, joint);
  const std::vector<Row> block = rows;
  const bool is_driven = joint.kind != JointKind::Ball && joint.kind != JointKind::Fixed;
  const bool has_spring = is_driven && joint.spring && joint.spring->hertz > 0;
  if (has_spring) rows.push_back(spring_row(system, joint, block, free_row(stand, joint)));
  if (is_driven && joint.motor) rows.push_back(motor_row(*joint.motor, free_row(stand, joint)));
  if (joint.limits && joint.kind != JointKind::Fixed) {
    add_limits(joint, free_row(stand, joint), rows);
  }
  if (joint.kind == JointKind::Ball && joint.cone_angle) {
    Row cone = reversed(swing_row(stand));
    cone.kind = RowKind::Limit;
    cone.error += *joint.cone_angle;
    rows.push_back(cone);
  }
  for (Row& row : rows) {
    row.source = RowSource::Joint;
    row.source_index = joint_index;
  }
  return rows;
}

std::vector<Row> joint_rows(const System& system) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < system.joints.size(); ++i) {
    const std::vector<Row> of_joint = rows_of_joint(system, i);
    rows.insert(rows.end(), of_joint.begin(), of_joint.end());
  }
  return rows;
}

Vec3d anchor_a_of(const System& system, const Joint& joint) {
  const Body& a = system.bodies[joint.body_a];
  return a.position + to_world(a, joint.anchor_a_local);
}
Vec3d anchor_b_of(const System& system, const Joint& joint) {
  const Body& b = system.bodies[joint.body_b];
  return b.position + to_world(b, joint.anchor_b_local);
}

double value_of(const System& system, const Joint& joint) {
  if (joint.kind == JointKind::Fixed) return 0;
  return free_row(stand_of(system, joint), joint).error;
}

}  // namespace jostle::reference
