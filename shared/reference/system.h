#pragma once

#include "shared/physics/joint.h"
#include "shared/reference/rotation.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace jostle::reference {

// A small mechanical system as plain data, in doubles and SI units. It holds the textbook model of
// a physics::World: masses, contacts and joints, without anything that only speeds up a step.
//
// Reading order of this folder, from the basics up:
//
//   system.h         bodies, contacts, joints, and M, the matrix of their masses
//   rows.h           constraints: C(q), the rate J·v, and the force Jᵀ·λ that holds them
//   contact_rows.h   the rows of a contact with friction
//   joint_rows.h     the rows of each kind of joint, its limits, motor and spring
//   multipliers.h    forces that hold equalities: one linear system
//   mlcp.h           forces with bounds: the mixed linear complementarity problem
//   step.h           time stepping with an MLCP per step
//   extract_system.h     a System from a physics::World, to compare the two

/// A rigid body. All vectors are in world axes, except those named `local`, which are in the axes
/// of the body.
struct Body {
  double inverse_mass = 0;  // 1/kg; 0 if no force can move the body.
  /// Inertia tensor about the centre of mass, kg·m², and its inverse, which is zero if no torque
  /// can turn the body.
  Mat3d inertia_local = zero_matrix(), inverse_inertia_local = zero_matrix();
  Vec3d position;  // position of the centre of mass
  Rotation rotation;
  Vec3d linear_velocity, angular_velocity;
  Vec3d force, torque;  // external, including gravity; torque about the centre of mass
};

/// Returns a body with this mass and this inertia about the centre of mass.
Body make_body(double mass, const Mat3d& inertia_local, Vec3d position);

/// One point in which two bodies touch, or nearly do. Each of the two bodies has a contact point,
/// so that the separation n·(p_b − p_a) follows small motions of the bodies. The surfaces are
/// treated as planes: rolling bodies and contacts that reach an edge need new contacts.
struct Contact {
  std::size_t body_a = 0, body_b = 0;
  // contact points on the two surfaces, relative to the centre of mass
  Vec3d point_a_local, point_b_local;
  /// Unit normal from a to b, in the axes of body a; or in those of b if a can move and b cannot,
  /// because the fixed surface determines the direction.
  Vec3d normal_local;
  bool is_normal_of_b = false;
  double friction = 0;     // μ
  double restitution = 0;  // 0..1
};

struct Limits {
  double lower = 0, upper = 0;
};
struct Spring {
  double hertz = 0, damping_ratio = 0;
};
struct Motor {
  double speed = 0, max_force = 0;
};

/// A joint, with the kinds and units of physics::JointDef. Its frames are at the anchors; their x
/// axis is the axis of the joint.
struct Joint {
  physics::JointKind kind = physics::JointKind::Ball;
  std::size_t body_a = 0, body_b = 0;
  Vec3d anchor_a_local, anchor_b_local;  // relative to the centre of mass
  Mat3d frame_a_local, frame_b_local;
  double rest = 0;
  std::optional<Limits> limits;
  std::optional<double> cone_angle;
  std::optional<Spring> spring;
  std::optional<Motor> motor;
};

/// A system of bodies. Contacts and joints refer to bodies by their index in `bodies`.
struct System {
  std::vector<Body> bodies;
  std::vector<Contact> contacts;
  std::vector<Joint> joints;
};

/// Returns a contact at `point`, midway between the two surfaces, for the current poses of the
/// bodies. `normal` has unit length and points from a to b.
Contact contact_at(const System& system, std::size_t a, std::size_t b, Vec3d point, Vec3d normal,
                   double separation);
/// Returns a joint at `anchor` with x along the unit vector `axis`. Its angle and translation are 0
/// in the current poses of the bodies.
Joint make_joint_def(const System& system, physics::JointKind kind, std::size_t a, std::size_t b,
                     Vec3d anchor, Vec3d axis);

// Transform directions between the world axes and those of the body.
Vec3d to_world(const Body& body, Vec3d local);
Vec3d to_local(const Body& body, Vec3d world);

/// Return I·ω and I⁻¹·τ in world axes, with I = R·I_local·Rᵀ.
Vec3d times_inertia(const Body& body, Vec3d omega);
Vec3d times_inverse_inertia(const Body& body, Vec3d torque);

/// The acceleration of a body without constraints, from the equations of Newton and Euler:
///
///   m·v̇ = f,   I·ω̇ = τ − ω × I·ω
///
/// The last term arises because I turns with the body.
struct Acceleration {
  Vec3d linear, angular;
};
Acceleration free_acceleration(const Body& body);

/// Returns the kinetic and potential energy in J, with gravity of g m/s² along −y as the only
/// potential.
double total_energy(const System& system, double g);

}  // namespace jostle::reference
