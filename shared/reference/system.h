#pragma once

#include "shared/physics/joint.h"
#include "shared/reference/rotation.h"

#include <cstddef>
#include <optional>
#include <vector>

namespace jostle::reference {

// A small mechanical system as plain data, in doubles and SI units. It is the textbook's picture of
// a physics::World: what has mass, what touches and what is joined, and nothing that only makes a
// step fast.
//
// How to read this room, in the order in which the subject is learnt:
//
//   system.h         bodies, contacts, joints, and M, the matrix of their masses
//   rows.h           what a constraint is: C(q), its rate J·v, and the force Jᵀ·λ that holds it
//   contact_rows.h   the rows of a contact with friction
//   joint_rows.h     the rows of each kind of joint, its limits, motor and spring
//   multipliers.h    forces that hold equalities: one linear system
//   mlcp.h           forces with bounds: the mixed linear complementarity problem
//   step.h           time stepping by it
//   read_world.h     a System from a physics::World, to compare the two

/// A rigid body; all vectors in world axes unless they say `local`, which are the body's own.
struct Body {
  double inverse_mass = 0;  // 1/kg; 0: no force moves it
  /// About the centre of mass. The inverse is zero where no torque turns it.
  Mat3d inertia_local = zero_matrix(), inverse_inertia_local = zero_matrix();
  Vec3d position;  // of the centre of mass
  Rotation rotation;
  Vec3d linear_velocity, angular_velocity;
  Vec3d force, torque;  // that act from outside, gravity among them; about the centre of mass
};

/// A body with this mass and this inertia about the centre of mass.
Body make_body(double mass, const Mat3d& inertia_local, Vec3d position);

/// One point in which two bodies touch, or nearly do. Each body keeps its own point of it, so that
/// the separation follows the bodies while they move by little: n·(p_b − p_a). Surfaces are planes
/// here; what rolls, or comes to an edge, wants new contacts.
struct Contact {
  std::size_t body_a = 0, body_b = 0;
  Vec3d point_a_local, point_b_local;  // on the two surfaces, from the centre of mass
  /// Unit, from a to b, in the axes of body a, or of b where a moves and b does not: the surface
  /// that stays decides where to push.
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

/// As physics::JointDef, whose kinds and units it has. Frames stand at the anchors; their x is the
/// axis of the joint.
struct Joint {
  physics::JointKind kind = physics::JointKind::Ball;
  std::size_t body_a = 0, body_b = 0;
  Vec3d anchor_a_local, anchor_b_local;  // from the centre of mass
  Mat3d frame_a_local, frame_b_local;
  double rest = 0;
  std::optional<Limits> limits;
  std::optional<double> cone_angle;
  std::optional<Spring> spring;
  std::optional<Motor> motor;
};

/// Indices of bodies in contacts and joints are those of `bodies`.
struct System {
  std::vector<Body> bodies;
  std::vector<Contact> contacts;
  std::vector<Joint> joints;
};

/// A contact at `point`, midway between the two surfaces, as the bodies stand now. `normal` is unit
/// length and points from a to b.
Contact contact_at(const System& system, std::size_t a, std::size_t b, Vec3d point, Vec3d normal,
                   double separation);
/// A joint at `anchor` with x along the unit vector `axis`, as the bodies stand now: its angle and
/// translation are 0.
Joint joint_at(const System& system, physics::JointKind kind, std::size_t a, std::size_t b,
               Vec3d anchor, Vec3d axis);

// World axes and the body's own.
Vec3d to_world(const Body& body, Vec3d local);
Vec3d to_local(const Body& body, Vec3d world);

/// I·ω and I⁻¹·τ in world axes: R·I_local·Rᵀ.
Vec3d times_inertia(const Body& body, Vec3d omega);
Vec3d times_inverse_inertia(const Body& body, Vec3d torque);

/// What a body does where nothing holds it, from Newton's and Euler's equations
///
///   m·v̇ = f,   I·ω̇ = τ − ω × I·ω
///
/// The last term is there because I turns with the body.
struct Acceleration {
  Vec3d linear, angular;
};
Acceleration free_acceleration(const Body& body);

/// J, of a system whose only potential is gravity, downward along y by g m/s².
double total_energy(const System& system, double g);

}  // namespace jostle::reference
