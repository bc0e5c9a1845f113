#pragma once

namespace jostle::physics {

struct Cluster;

// Impact propagation: impacts that follow each other within a step. Restitution that is applied
// contact by contact at the end of a step uses only the approach speeds at the start of the step.
// In a row of touching balls only the first pair approaches. The impacts that follow would be lost,
// and all balls of Newton's cradle would move off together. But impacts of stiff bodies are short,
// so that one ends before the next begins (Newton's cradle: Herrmann and Schmälzle, "Simple
// explanation of a well-known collision experiment", 1981; sequences of impacts: Ivanov, "On
// multiple impact", 1995).
//
// A chain is a set of up to 64 contact points with restitution that acted in the step, and of the
// joints between their bodies, which take part in the impacts (impact_joints.h). Dynamic bodies
// connect them. Manifolds with several points belong to chains only if a joint acts on one of their
// bodies. The impulses of the step at the points are undone. The impacts are then simulated, the
// fastest first. With the coefficient of restitution e, and the response k of the normal speed u to
// a unit impulse, with which joints and bodies answer:
//
//   u = n·(v_b + ω_b × r_b − v_a − ω_a × r_a) < 0,    λ = −(1 + e)·u/k
//
// The points of a manifold are solved together, and so are impacts with equal speeds, except for
// rounding: otherwise a symmetric rack of balls would break asymmetrically. For impacts no faster
// than the restitution threshold, or than the speed that gravity and forces add within the step, e
// is 0. No impact adds energy, since e ≤ 1. Friction follows: Coulomb's law limits it by the normal
// impulses that exceed those of the step, whose friction has acted already.
//
// If the bodies have turned since the impulses acted, undoing the impulses does not return the
// energy that they have absorbed (absorbed_energy.h). In chains without joints, the changes of the
// impulses are then scaled so that the impacts start with the absorbed energy.
//
// A body is stopped at the surface where it hits and waits there until the end of the step. The
// first impact of a contact therefore leaves out the speed that gravity and forces have added since
// the surfaces met, and the speed that the body loses on its way back over a gap.

/// Simulates the impacts of bodies that contacts with restitution and joints connect with a joint.
/// Call begin_jointed_impacts after contacts were prepared, and solve_jointed_impacts at the end of
/// each substep. A joint answers differently as soon as its bodies have turned, so the impulses of
/// a whole step could not be undone exactly.
void begin_jointed_impacts(Cluster& cluster);
void solve_jointed_impacts(Cluster& cluster);
/// Sets the restitution of contacts that have bounced in a substep to 0. Call it after the last
/// substep.
void end_jointed_impacts(Cluster& cluster);
/// Simulates the impacts of other chains. Call it before restitution is applied to other contacts.
/// The restitution of all contacts of chains is then 0, so that the later pass skips them.
void solve_impact_chains(Cluster& cluster);

}  // namespace jostle::physics
