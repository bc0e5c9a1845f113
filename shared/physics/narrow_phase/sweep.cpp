#include "shared/physics/narrow_phase/sweep.h"

#include "shared/math/trig.h"
#include "shared/physics/narrow_phase/convex_distance.h"

namespace jostle::physics {

using math::Mat3;
using math::Vec3;
using math::Vec3d;

namespace {

Mat3 turned_by(Vec3 turn, float fraction) {
  const float angle = length(turn);
  if (angle == 0.0f) return {};
  return to_matrix(math::from_axis_angle(turn / angle, angle * fraction));
}

/// The separation of two shapes, including their convex radii, and its direction in world axes. It
/// is negative if they overlap.
struct Nearness {
  float distance = 0;
  Vec3 normal;
};

Nearness nearness(const MovingShape& a, const MovingShape& b, float fraction, Vec3 guess) {
  const MovedShape at_a = moved(a, fraction), at_b = moved(b, fraction);
  const math::Mat3d axes_a = widened(at_a.axes);
  const Vec3d between =
      widened(at_b.centre - at_a.centre) + widened(at_b.from_centre) - widened(at_a.from_centre);
  const ConvexPair pair{a.shape, b.shape, transpose_multiply(axes_a, between),
                        transpose_multiply(axes_a, widened(at_b.axes))};
  Vec3d axis = transpose_multiply(axes_a, widened(guess));
  if (dot(axis, axis) == 0) axis = pair.centre;
  if (dot(axis, axis) == 0) axis = {0, 1, 0};
  constexpr double any_distance = 1e12;
  const ConvexDistance found = convex_distance(pair, axis, any_distance);
  return {static_cast<float>(found.distance) - a.shape.rounding - b.shape.rounding,
          narrowed(axes_a * found.normal)};
}

/// Returns true if `box` is a box that does not move, and a ball that contains the other body stays
/// farther than `distance` from it. Tests the bounds of the ball's path in the box's frame.
bool passes_beside(const MovingShape& box, const MovingShape& other, float distance) {
  const bool is_resting = box.motion.travel == Vec3{} && box.motion.turn == Vec3{};
  if (box.shape.kind != ConvexKind::Box || !is_resting) return false;
  const Vec3 start = transpose_multiply(box.axes, other.centre - box.centre - box.from_centre);
  const Vec3 end = start + transpose_multiply(box.axes, other.motion.travel);
  const Vec3 lower = min_of(start, end), upper = max_of(start, end);
  const float reach = other.motion.extent + distance;
  const Vec3 border = box.shape.half + Vec3{reach, reach, reach};
  return lower.x > border.x || lower.y > border.y || lower.z > border.z || upper.x < -border.x ||
         upper.y < -border.y || upper.z < -border.z;
}

}  // namespace

bool points_stay_apart(Vec3 start, Vec3 travel, float distance) {
  const float squared = length_squared(travel);
  const float nearest =
      squared > 0.0f ? math::clamp(-dot(start, travel) / squared, 0.0f, 1.0f) : 0.0f;
  return length_squared(start + travel * nearest) > distance * distance;
}

bool stay_apart(const MovingShape& a, const MovingShape& b, float distance) {
  return points_stay_apart(b.centre - a.centre, b.motion.travel - a.motion.travel,
                           a.motion.extent + b.motion.extent + distance) ||
         passes_beside(a, b, distance) || passes_beside(b, a, distance);
}

MovedShape moved(const MovingShape& moving, float fraction) {
  MovedShape result;
  result.turn = turned_by(moving.motion.turn, fraction);
  result.centre = moving.centre + moving.motion.travel * fraction;
  result.from_centre = result.turn * moving.from_centre;
  result.axes = result.turn * moving.axes;
  return result;
}

std::optional<Impact> first_impact(const MovingShape& a, const MovingShape& b, float distance) {
  const Vec3 travel = b.motion.travel - a.motion.travel;
  const float sweep =
      length(a.motion.turn) * a.motion.extent + length(b.motion.turn) * b.motion.extent;
  Nearness now = nearness(a, b, 0, {});
  if (now.distance <= distance) return std::nullopt;
  // Aims at half of `distance`, so that the approach ends in finitely many rounds.
  const float aim = 0.5f * distance;
  constexpr int max_rounds = 64;
  float fraction = 0;
  for (int round = 0; round < max_rounds; ++round) {
    const float closing = sweep - dot(travel, now.normal);
    if (closing <= 0.0f) return std::nullopt;
    const float step = (now.distance - aim) / closing;
    if (!(fraction + step < 1.0f)) return std::nullopt;
    fraction += step;
    now = nearness(a, b, fraction, now.normal);
    if (now.distance <= distance) return Impact{fraction, now.normal};
  }
  // The approach did not converge, for example beside a fast rotor. Report an impact rather than
  // miss one.
  return Impact{fraction, now.normal};
}

}  // namespace jostle::physics
