#pragma once

#include "shared/physics/narrow_phase/convex.h"

#include <optional>

namespace jostle::physics {

/// The motion of a body over some time: its centre of mass moves along a straight line, and the
/// body turns about a fixed axis at a constant rate.
struct Motion {
  math::Vec3 travel;  // m
  math::Vec3 turn;    // rotation vector, rad
  float extent = 0;   // distance from the centre of mass to the body's farthest point, m
};

/// A convex part of a moving body. Vectors are in world axes; positions are relative to a nearby
/// origin.
struct MovingShape {
  const Convex& shape;
  math::Vec3 centre;       // centre of mass at the start
  math::Vec3 from_centre;  // vector from the centre of mass to the shape's origin, at the start
  math::Mat3 axes;         // axes of the shape at the start
  Motion motion;
};

/// The pose of a moving shape after a share of its motion.
struct MovedShape {
  math::Mat3 turn;  // rotation since the start
  math::Vec3 centre, from_centre;
  math::Mat3 axes;
};
MovedShape moved(const MovingShape& moving, float fraction);

/// The time of impact of two shapes, as a share of their motion.
struct Impact {
  float fraction = 0;
  math::Vec3 normal;  // unit, from a to b, at the time of impact
};

/// Finds the time at which the distance of the two shapes falls to `distance`, by conservative
/// advancement (Mirtich, 1996). Each round advances by the remaining distance over an upper bound
/// of the approach speed along the normal. If 64 rounds do not converge, the time reached counts as
/// that of an impact. Returns nothing if the distance stays larger throughout the motion, or if it
/// is not larger at the start.
std::optional<Impact> first_impact(const MovingShape& a, const MovingShape& b, float distance);

/// Returns true if two points stay farther apart than `distance` while the offset from one to the
/// other goes from `start` to `start + travel`.
bool points_stay_apart(math::Vec3 start, math::Vec3 travel, float distance);

/// Returns true if two bodies certainly stay farther apart than `distance` throughout their motion.
/// The test is cheap: it replaces each body by a ball about its centre of mass (Motion::extent). If
/// these balls may meet and one shape is a box whose body does not move, the test compares this box
/// with the other body's ball.
bool stay_apart(const MovingShape& a, const MovingShape& b, float distance);

}  // namespace jostle::physics
