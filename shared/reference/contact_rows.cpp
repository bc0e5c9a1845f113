#include "shared/reference/contact_rows.h"

namespace jostle::reference {
namespace {

/// Returns the row of the velocity of b relative to a at `point`, along `direction`.
Row row_along(const System& system, const Contact& contact, Vec3d point, Vec3d direction) {
  const Vec3d arm_a = point - system.bodies[contact.body_a].position;
  const Vec3d arm_b = point - system.bodies[contact.body_b].position;
  Row row;
  row.source = RowSource::Contact;
  row.body_a = contact.body_a;
  row.body_b = contact.body_b;
  row.linear_a = -direction;
  row.angular_a = -cross(arm_a, direction);
  row.linear_b = direction;
  row.angular_b = cross(arm_b, direction);
  return row;
}

}  // namespace

ContactStand stand_of(const System& system, const Contact& contact) {
  const Body &a = system.bodies[contact.body_a], &b = system.bodies[contact.body_b];
  const Vec3d point_a = a.position + to_world(a, contact.point_a_local);
  const Vec3d point_b = b.position + to_world(b, contact.point_b_local);
  const Vec3d normal = to_world(contact.is_normal_of_b ? b : a, contact.normal_local);
  const double separation = dot(normal, point_b - point_a);
  // Uses the contact point of the body that does not define the normal, moved by half of the gap.
  // The stored point of the other body, whose surface counts as a plane, does not follow sliding.
  const Vec3d half_gap = normal * (0.5 * separation);
  const Vec3d point = contact.is_normal_of_b ? point_a + half_gap : point_b - half_gap;
  return {point, normal, separation};
}

std::vector<Row> contact_rows(const System& system) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < system.contacts.size(); ++i) {
    const Contact& contact = system.contacts[i];
    const ContactStand stand = stand_of(system, contact);
    Row normal = row_along(system, contact, stand.point, stand.normal);
    normal.source_index = i;
    normal.kind = RowKind::Limit;
    normal.error = stand.separation;
    normal.restitution = contact.restitution;
    const std::size_t normal_row = rows.size();
    rows.push_back(normal);
    const Vec3d tangent = perpendicular(stand.normal);
    for (const Vec3d direction : {tangent, cross(stand.normal, tangent)}) {
      Row friction = row_along(system, contact, stand.point, direction);
      friction.source_index = i;
      friction.kind = RowKind::Friction;
      friction.friction = contact.friction;
      friction.normal_row = normal_row;
      rows.push_back(friction);
    }
  }
  return rows;
}

}  // namespace jostle::reference
