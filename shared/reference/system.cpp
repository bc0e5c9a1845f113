#include "shared/reference/system.h"

#include "shared/base/assert.h"

namespace jostle::reference {

Body make_body(double mass, const Mat3d& inertia_local, Vec3d position) {
  JOSTLE_ASSERT(mass > 0);
  Body body;
  body.inverse_mass = 1 / mass;
  body.inertia_local = inertia_local;
  body.inverse_inertia_local = inverse(inertia_local);
  body.position = position;
  return body;
}

Contact contact_at(const System& system, std::size_t a, std::size_t b, Vec3d point, Vec3d normal,
                   double separation) {
  const Body &body_a = system.bodies[a], &body_b = system.bodies[b];
  Contact contact;
  contact.body_a = a;
  contact.body_b = b;
  const Vec3d half_gap = normal * (0.5 * separation);
  contact.point_a_local = to_local(body_a, point - half_gap - body_a.position);
  contact.point_b_local = to_local(body_b, point + half_gap - body_b.position);
  contact.is_normal_of_b = body_a.inverse_mass > 0 && body_b.inverse_mass == 0;
  contact.normal_local = to_local(contact.is_normal_of_b ? body_b : body_a, normal);
  return contact;
}

Joint make_joint_def(const System& system, physics::JointKind kind, std::size_t a, std::size_t b,
                     Vec3d anchor, Vec3d axis) {
  const Body &body_a = system.bodies[a], &body_b = system.bodies[b];
  Joint joint;
  joint.kind = kind;
  joint.body_a = a;
  joint.body_b = b;
  joint.anchor_a_local = to_local(body_a, anchor - body_a.position);
  joint.anchor_b_local = to_local(body_b, anchor - body_b.position);
  const Vec3d across = perpendicular(axis);
  const Mat3d frame{axis, across, cross(axis, across)};
  joint.frame_a_local = transpose_multiply(to_matrix(body_a.rotation), frame);
  joint.frame_b_local = transpose_multiply(to_matrix(body_b.rotation), frame);
  return joint;
}

Vec3d to_world(const Body& body, Vec3d local) {
  return to_matrix(body.rotation) * local;
}
Vec3d to_local(const Body& body, Vec3d world) {
  return transpose_multiply(to_matrix(body.rotation), world);
}

Vec3d times_inertia(const Body& body, Vec3d omega) {
  return to_world(body, body.inertia_local * to_local(body, omega));
}
Vec3d times_inverse_inertia(const Body& body, Vec3d torque) {
  return to_world(body, body.inverse_inertia_local * to_local(body, torque));
}

Acceleration free_acceleration(const Body& body) {
  const Vec3d omega = body.angular_velocity;
  const Vec3d gyroscopic = cross(omega, times_inertia(body, omega));
  return {body.force * body.inverse_mass, times_inverse_inertia(body, body.torque - gyroscopic)};
}

double total_energy(const System& system, double g) {
  double sum = 0;
  for (const Body& body : system.bodies) {
    if (body.inverse_mass == 0) continue;
    const double mass = 1 / body.inverse_mass;
    const Vec3d v = body.linear_velocity, omega = body.angular_velocity;
    sum += 0.5 * mass * dot(v, v) + 0.5 * dot(omega, times_inertia(body, omega)) +
           mass * g * body.position.y;
  }
  return sum;
}

}  // namespace jostle::reference
