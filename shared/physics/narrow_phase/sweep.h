#pragma once

#include "shared/physics/narrow_phase/convex.h"

#include <optional>

namespace jostle::physics {

/// A body's motion over some time: its centre of mass goes straight, and it turns about an axis at
/// a constant rate.
struct Motion {
  math::Vec3 travel;  // m
  math::Vec3 turn;    // rotation vector, rad
  float extent = 0;   // of the farthest point of the body from the centre of mass, m
};

/// A convex part of a moving body; world axes, positions from an origin near by.
struct MovingShape {
  const Convex& shape;
  math::Vec3 centre;       // of mass, at the start
  math::Vec3 from_centre;  // to the shape's origin, at the start
  math::Mat3 axes;         // of the shape, at the start
  Motion motion;
};

/// Where a moving shape is after a share of its motion.
struct MovedShape {
  math::Mat3 turn;  // since the start
  math::Vec3 centre, from_centre;
  math::Mat3 axes;
};
MovedShape moved(const MovingShape& moving, float fraction);

/// The moment at which two shapes come near, as a share of their motion.
struct Impact {
  float fraction = 0;
  math::Vec3 normal;  // unit, from a to b, at that moment
};

/// When the distance of the two falls to `distance`, by conservative advancement (Mirtich, 1996):
/// no point comes closer along the normal than the bodies' speeds allow, so that this much time is
/// safe. Nothing if it does not within the motion, or if it is as small from the start.
std::optional<Impact> first_impact(const MovingShape& a, const MovingShape& b, float distance);

/// Whether two points stay farther apart than `distance` while the way from the one to the other
/// goes from `start` to `start + travel`.
bool points_stay_apart(math::Vec3 start, math::Vec3 travel, float distance);

/// Whether two bodies stay farther apart than `distance` throughout their motion for certain, by
/// balls about their centres of mass that hold all of them (Motion::extent). Cheap.
bool stay_apart(const MovingShape& a, const MovingShape& b, float distance);

}  // namespace jostle::physics
