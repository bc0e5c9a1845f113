#pragma once

#include "shared/physics/collision/convex.h"

#include <optional>

namespace jostle::physics {

/// The motion of a body over some time: its centre of mass moves along a straight line, and the
/// body turns about a fixed axis at a constant rate.
struct Motion {
  math::Vec3 travel;  // m
  math::Vec3 turn;    // rotation vector, rad
};

/// A convex part of a moving body. Vectors are in world axes; positions are relative to a nearby
/// origin.
struct MovingShape {
  const Convex& shape;
  math::Vec3 centre;       // centre of mass at the start
  math::Vec3 from_centre;  // vector from the centre of mass to the shape's origin, at the start
  math::Mat3 axes;         // axes of the shape at the start
  Motion motion;
  float extent = 0;  // distance from the centre of mass to the core's farthest point, m
};

/// The pose of a moving shape after a share of its motion.
struct MovedShape {
  math::Mat3 turn;  // rotation since the start
  math::Vec3 centre, from_centre;
  math::Mat3 axes;
};
MovedShape moved(const MovingShape& moving, float fraction);

/// The separation of two moving shapes along a fixed direction, as a function of the share of their
/// motion. A negative separation means that the shapes' projections onto the direction overlap. The
/// separation is at most the distance of the shapes.
class AxisSeparation {
 public:
  /// `normal` is a unit vector, from a to b.
  AxisSeparation(const MovingShape& a, const MovingShape& b, math::Vec3 normal);

  float at(float fraction) { return sample(fraction).separation; }
  /// Returns a share of the motion, from `from` to `until`, up to which the separation is at least
  /// `least`. The separation at `from` must be more than `least`.
  float safe_until(float least, float from, float until);
  /// Returns true if the separation is larger than `least` at every share of the motion.
  bool stays_above(float least);

 private:
  /// One of the two shapes.
  class Part {
   public:
    Part(const MovingShape& shape, math::Vec3 direction);

    /// Returns how far the core reaches along the direction, from the body's centre of mass.
    float reach(float fraction);
    /// Returns a bound b for a part of the motion, of the length `share`. At the fraction x of this
    /// part, the reach exceeds its linear interpolation between the ends by at most b·x·(1 − x).
    float bulge(float reach_1, float reach_2, float share);
    float angle() const { return angle_; }

   private:
    void resolve();

    const MovingShape& moving_;
    math::Vec3 towards_;     // the direction towards the other shape, in world axes
    float angle_ = 0;        // rad, turn of the whole motion
    float start_reach_ = 0;  // reach(0)
    // The rest is only computed if the reach is asked for after a turn. In the frame of the shape,
    // the direction after the turn φ is still + cosine·cos φ + sine·sin φ. The offsets are its
    // products with the vector from the centre of mass to the shape's origin.
    bool is_resolved_ = false;
    math::Vec3 still_, cosine_, sine_;
    float still_offset_ = 0, cosine_offset_ = 0, sine_offset_ = 0;
    // m, upper bound of |(r·u)(u·n)| for points r of the core, the turn's axis u and the direction
    // n
    float along_turn_ = 0;
  };
  struct Sample {
    float separation = 0, reach_a = 0, reach_b = 0;
  };
  Sample sample(float fraction);
  float bulge(const Sample& from, const Sample& to, float share) {
    return a_.bulge(from.reach_a, to.reach_a, share) + b_.bulge(from.reach_b, to.reach_b, share);
  }

  Part a_, b_;
  float centres_ = 0;  // separation of the centres of mass at the start, without the convex radii
  float opening_ = 0;  // rate at which the centres separate along the normal, m per motion
  float closing_ = 0;  // upper bound of the speed at which the separation decreases, m per motion
};

/// Returns how far a moving shape reaches along a unit direction, from the origin of the positions,
/// at a share of its motion.
float reach_along(const MovingShape& moving, float fraction, math::Vec3 direction);

/// The time of impact of two shapes, as a share of their motion.
struct Impact {
  float fraction = 0;
  math::Vec3 normal;  // unit, from a to b: about the normal at the time of impact
};

/// Returns the distance at which the search for an impact at `distance` aims: half of it, so that
/// the approach ends in finitely many rounds.
constexpr float aim_of(float distance) {
  return 0.5f * distance;
}

/// Finds the time at which the distance of the two shapes falls to `distance`, up to the share
/// `until`, by conservative advancement (Mirtich, 1996). Each round finds a separating axis with
/// GJK and advances as far as this axis proves the shapes apart (AxisSeparation). If 16 rounds do
/// not converge, the time reached counts as that of an impact. Returns nothing if the distance
/// stays larger throughout the motion, or if it is not larger at the start.
///
/// `axis` is a guess of the direction from a to b, of any length. If it separates the shapes over
/// the whole motion, no round is needed. On return it is the last axis tried. If the distance stays
/// larger throughout the motion, that axis separates the shapes by at least `aim_of(distance)`.
std::optional<Impact> first_impact(const MovingShape& a, const MovingShape& b, float distance,
                                   math::Vec3& axis, float until = 1.0f);
/// Like the above, for a guess of unit length whose separation `along` is known.
std::optional<Impact> first_impact(const MovingShape& a, const MovingShape& b, float distance,
                                   math::Vec3& axis, AxisSeparation& along, float until = 1.0f);

/// Returns an axis, from a to b, along which the shapes are apart after a share of their motion, or
/// nothing if they touch or overlap. `guess` is as for first_impact.
std::optional<math::Vec3> separating_axis_at(const MovingShape& a, const MovingShape& b,
                                             float fraction, math::Vec3 guess);

/// Returns the unit normal between the closest points of the shapes, from a to b, after a share of
/// their motion. The shapes must be apart. `guess` is as for first_impact.
math::Vec3 normal_at(const MovingShape& a, const MovingShape& b, float fraction, math::Vec3 guess);

/// Returns true if two points stay farther apart than `distance` while the offset from one to the
/// other goes from `start` to `start + travel`.
bool points_stay_apart(math::Vec3 start, math::Vec3 travel, float distance);

/// Returns true if two shapes certainly stay farther apart than `distance` throughout their motion.
/// The test is cheap: it replaces each shape by a ball about its body's centre of mass. If these
/// balls may touch, and one shape is a box whose body does not move, this box is tested against the
/// other shape's ball.
bool stay_apart(const MovingShape& a, const MovingShape& b, float distance);

}  // namespace jostle::physics
