#pragma once

#include "shared/math/transform.h"

#include <cstdint>

namespace jostle::physics {

struct Body;
struct SolverMotion;
struct WorldState;
enum class Throw : std::uint8_t;

// What passes through something is stopped in three ways. Pairs that would pass within the step if
// nothing else happened get their contact points where they will meet (fast_pairs.h). But contacts
// and joints bend ways within the step, and throw bodies that were slow: after the solver, pairs
// that were fast, bodies that lie half through a mesh or height field, and all that thrown bodies
// came by are looked at along the ways that they really went.

/// Where the body's centre of mass was, and how it was turned, when the step began.
math::Pose start_of_step(const WorldState& world, const Body& body);

/// How far the body went beyond what its velocity had promised: so that it may have been pressed
/// through a mesh that it touched, or past things that it had no contact with. `motion` is what the
/// solver made of it; before its new pose is known to its shapes.
Throw throw_of(const WorldState& world, const Body& body, const SolverMotion& motion);

/// After the solver: bodies that have passed through each other all the same go back to where they
/// met. Their velocities stay.
void stop_at_impacts(WorldState& world);

}  // namespace jostle::physics
