#pragma once

#include "shared/math/transform.h"

#include <cstdint>

namespace jostle::physics {

struct Body;
struct SolverMotion;
struct WorldState;
enum class Throw : std::uint8_t;

// Continuous collision. Shapes that would pass through each other within the step, if no contact or
// joint acted on them, get contact points at their predicted time of impact (fast_pairs.h). But
// contacts and joints deflect bodies within the step, and may make slow bodies fast. After the
// solver, the time of impact is therefore computed along the actual motions. This test covers pairs
// that were fast, bodies that overlap a mesh or a height field deeply, and everything that thrown
// bodies may have passed. A thrown body is one that the solver moved far from the path that its
// velocity predicted.

/// Returns the pose of the body's centre of mass at the start of the step, or its present pose if
/// the body was not solved in this step.
math::Pose start_of_step(const WorldState& world, const Body& body);
/// Returns the rotation vector of the body's motion from `start`, its pose at the start of the
/// step, to its current pose. It may exceed half a turn: of the rotations that lead to the current
/// pose, it is the one nearest to the sum of the rotations of the substeps.
math::Vec3 turn_of_step(const WorldState& world, const math::Pose& start, const Body& body);

/// Classifies how much farther the solver moved the body than its velocity predicted.
///
/// - None: not farther, or too little to pass anything.
/// - Near: the body may have been pressed through a mesh or height field that it touched.
/// - Far: the body may also have passed shapes with which it had no contact.
///
/// `motion` is the solver's result. Call this before the body's shapes are updated for its new
/// pose.
Throw throw_of(const WorldState& world, const Body& body, const SolverMotion& motion);

/// Moves bodies that have passed through each other, in spite of their contacts, back to their time
/// of impact (put_back.h). Runs after the solver. Linear velocities and angular momenta do not
/// change.
void stop_at_impacts(WorldState& world);

}  // namespace jostle::physics
