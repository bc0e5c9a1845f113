#pragma once

#include "shared/base/random.h"
#include "shared/reference/contact_rows.h"
#include "shared/reference/joint_rows.h"
#include "shared/reference/multipliers.h"
#include "shared/reference/step.h"

#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace jostle::reference::testing {

using physics::JointKind;

inline constexpr double g = 9.81;
inline const double pi = std::acos(-1.0);

inline std::size_t add(System& system, const Body& body) {
  system.bodies.push_back(body);
  return system.bodies.size() - 1;
}

inline Mat3d box_inertia(double mass, Vec3d half) {
  const double x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
  return {{mass / 3 * (y + z), 0, 0}, {0, mass / 3 * (x + z), 0}, {0, 0, mass / 3 * (x + y)}};
}

/// Returns a box whose external force is its weight.
inline Body box_body(double mass, Vec3d half, Vec3d position) {
  Body body = make_body(mass, box_inertia(mass, half), position);
  body.force = {0, -mass * g, 0};
  return body;
}

inline Rotation about(Vec3d axis, double angle) {
  const double sine = std::sin(angle / 2);
  return {axis.x * sine, axis.y * sine, axis.z * sine, std::cos(angle / 2)};
}

/// Adds contacts at the four lower corners of the box `box`, which stands on the body `below`. The
/// box's y axis points up.
inline void add_feet(System& system, std::size_t below, std::size_t box, Vec3d half,
                     double friction) {
  const Body& body = system.bodies[box];
  for (const double x : {-half.x, half.x}) {
    for (const double z : {-half.z, half.z}) {
      const Vec3d point = body.position + to_world(body, {x, -half.y, z});
      Contact contact = contact_at(system, below, box, point, to_world(body, {0, 1, 0}), 0);
      contact.friction = friction;
      system.contacts.push_back(contact);
    }
  }
}

inline double between(base::Random& random, double low, double high) {
  return low + (high - low) * static_cast<double>(random.unit());
}
inline Vec3d random_vector(base::Random& random, double scale) {
  const double x = between(random, -scale, scale), y = between(random, -scale, scale);
  return {x, y, between(random, -scale, scale)};
}
inline Rotation random_rotation(base::Random& random) {
  const Vec3d v = random_vector(random, 1);
  return normalized({v.x, v.y, v.z, between(random, -1, 1)});
}
inline Body random_body(base::Random& random) {
  const Vec3d half{between(random, 0.2, 1), between(random, 0.2, 1), between(random, 0.2, 1)};
  Body body = box_body(between(random, 0.5, 5), half, random_vector(random, 1));
  body.rotation = random_rotation(random);
  body.linear_velocity = random_vector(random, 2);
  body.angular_velocity = random_vector(random, 2);
  return body;
}

inline double distance(Vec3d a, Vec3d b) {
  return length(a - b);
}

}  // namespace jostle::reference::testing
