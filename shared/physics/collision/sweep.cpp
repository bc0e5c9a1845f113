#include "shared/physics/collision/sweep.h"

#include "shared/math/trig.h"
#include "shared/physics/collision/convex_distance.h"

#include <cmath>

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

/// Relative gap of GJK (DistancePrecision) for the normal of an impact.
constexpr double exact_gap = 1e-8;
/// Relative gap of GJK for the axes of an approach. A rough value is enough: any axis that
/// separates the shapes by a good part of their distance will do.
constexpr double any_axis = 0.4;

/// The separation of two shapes, including their convex radii, and its direction in world axes. If
/// the cores overlap, the separation is minus the sum of the radii. If it is at most the parameter
/// `least` of nearness(), it is only an upper bound.
struct Nearness {
  float distance = 0;
  Vec3 normal;
};

Nearness nearness(const MovingShape& a, const MovingShape& b, float fraction, Vec3 guess,
                  double gap, float least) {
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
  const auto least_of_cores = static_cast<double>(least + a.shape.rounding + b.shape.rounding);
  const ConvexDistance found =
      convex_distance(pair, axis, any_distance, {gap, false, least_of_cores});
  return {static_cast<float>(found.distance) - a.shape.rounding - b.shape.rounding,
          narrowed(axes_a * found.normal)};
}

/// The Minkowski difference of two swept cores. A swept core is the convex hull of the core at its
/// start pose and at its end pose. A translation that both cores have in common is left out.
class SweptDifference final : public Difference {
 public:
  SweptDifference(const MovingShape& a, const MovingShape& b)
      : a_(a.shape),
        b_(b.shape),
        start_a_(placed(moved(a, 0), {})),
        end_a_(placed(moved(a, 1), {})),
        start_b_(placed(moved(b, 0), b.centre - a.centre)),
        end_b_(placed(moved(b, 1), b.centre - a.centre + b.motion.travel - a.motion.travel)) {}

  DifferencePoint support(Vec3d direction) const override {
    const Vec3d on_a =
        farther(point(a_, start_a_, direction), point(a_, end_a_, direction), direction);
    const Vec3d back = -direction;
    const Vec3d on_b = farther(point(b_, start_b_, back), point(b_, end_b_, back), back);
    return {on_a, on_a - on_b};
  }

 private:
  struct Placed {
    math::Mat3d axes;
    Vec3d origin;
  };
  static Placed placed(const MovedShape& at, Vec3 centre) {
    return {widened(at.axes), widened(centre + at.from_centre)};
  }
  static Vec3d point(const Convex& shape, const Placed& at, Vec3d direction) {
    return at.origin + at.axes * physics::support(shape, transpose_multiply(at.axes, direction));
  }
  static Vec3d farther(Vec3d p, Vec3d q, Vec3d direction) {
    return dot(p, direction) >= dot(q, direction) ? p : q;
  }

  const Convex &a_, &b_;
  Placed start_a_, end_a_, start_b_, end_b_;
};

/// Searches for an axis along which the shapes stay farther apart than `distance` during the whole
/// motion.
std::optional<Vec3> axis_of_motion(const MovingShape& a, const MovingShape& b, Vec3 guess,
                                   float distance) {
  const float reach = distance + a.shape.rounding + b.shape.rounding;
  if (guess == Vec3{}) guess = b.centre - a.centre;
  if (guess == Vec3{}) guess = {0, 1, 0};
  const auto found =
      separating_axis(SweptDifference(a, b), widened(guess), static_cast<double>(reach));
  if (!found) return std::nullopt;
  const Vec3 axis = normalized_or(narrowed(*found), guess);
  return AxisSeparation(a, b, axis).stays_above(distance) ? std::optional(axis) : std::nullopt;
}

/// Returns `direction` as seen from a body that has turned by `turn`.
Vec3 turned_back(Vec3 turn, Vec3 direction) {
  const float angle = length(turn);
  if (angle == 0.0f) return direction;
  const Vec3 axis = turn / angle;
  const math::SinCos s = math::sin_cos(angle);
  return direction * s.cos - cross(axis, direction) * s.sin +
         axis * (dot(axis, direction) * (1.0f - s.cos));
}

/// Returns the radius of the smallest ball about the body's centre of mass that contains the shape.
float ball_radius(const MovingShape& moving) {
  return moving.extent + moving.shape.rounding;
}

/// Returns true if `box` is a box that does not move, and a ball that contains the other shape
/// stays farther than `distance` from this box. Tests the bounds of the ball's path in the box's
/// frame.
bool passes_beside(const MovingShape& box, const MovingShape& other, float distance) {
  const bool is_resting = box.motion.travel == Vec3{} && box.motion.turn == Vec3{};
  if (box.shape.kind != ConvexKind::Box || !is_resting) return false;
  const Vec3 start = transpose_multiply(box.axes, other.centre - box.centre - box.from_centre);
  const Vec3 end = start + transpose_multiply(box.axes, other.motion.travel);
  const Vec3 lower = min_of(start, end), upper = max_of(start, end);
  const float reach = ball_radius(other) + distance;
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
                           ball_radius(a) + ball_radius(b) + distance) ||
         passes_beside(a, b, distance) || passes_beside(b, a, distance);
}

MovedShape moved(const MovingShape& moving, float fraction) {
  MovedShape result;
  result.centre = moving.centre + moving.motion.travel * fraction;
  if (fraction == 0.0f || moving.motion.turn == Vec3{}) {
    result.from_centre = moving.from_centre;
    result.axes = moving.axes;
    return result;
  }
  result.turn = turned_by(moving.motion.turn, fraction);
  result.from_centre = result.turn * moving.from_centre;
  result.axes = result.turn * moving.axes;
  return result;
}

float reach_along(const MovingShape& moving, float fraction, Vec3 direction) {
  const Vec3 seen = turned_back(moving.motion.turn * fraction, direction);
  const Vec3 local = transpose_multiply(moving.axes, seen);
  return dot(moving.centre + moving.motion.travel * fraction, direction) +
         dot(moving.from_centre, seen) + support_value(moving.shape, local) + moving.shape.rounding;
}

AxisSeparation::Part::Part(const MovingShape& shape, Vec3 direction)
    : moving_(shape), towards_(direction), angle_(length(shape.motion.turn)) {
  start_reach_ = dot(shape.from_centre, direction) +
                 support_value(shape.shape, transpose_multiply(shape.axes, direction));
}

void AxisSeparation::Part::resolve() {
  const auto split = [&](Vec3 along, Vec3& local, float& offset) {
    local = transpose_multiply(moving_.axes, along);
    offset = dot(moving_.from_centre, along);
  };
  const Vec3 axis = moving_.motion.turn / angle_;
  const Vec3 parallel = axis * dot(axis, towards_);
  split(parallel, still_, still_offset_);
  split(towards_ - parallel, cosine_, cosine_offset_);
  split(cross(towards_, axis), sine_, sine_offset_);
  along_turn_ = math::max_of(support_value(moving_.shape, still_) + still_offset_,
                             support_value(moving_.shape, -still_) - still_offset_);
  is_resolved_ = true;
}

float AxisSeparation::Part::reach(float fraction) {
  if (angle_ == 0.0f || fraction == 0.0f) return start_reach_;
  if (!is_resolved_) resolve();
  const math::SinCos s = math::sin_cos(angle_ * fraction);
  return still_offset_ + cosine_offset_ * s.cos + sine_offset_ * s.sin +
         support_value(moving_.shape, still_ + cosine_ * s.cos + sine_ * s.sin);
}

float AxisSeparation::Part::bulge(float reach_1, float reach_2, float share) {
  if (angle_ == 0.0f) return 0;
  if (!is_resolved_) resolve();
  // The coordinate along n of a point r that turns by the angle φ about the axis u is a sinusoid
  // about (r·u)(u·n). Its second derivative is −φ² times its deviation from (r·u)(u·n). The
  // deviation is at most the reach plus |(r·u)(u·n)|.
  const float squared = angle_ * angle_ * share * share;
  const float height = math::max_of(math::max_of(reach_1, reach_2) + along_turn_, 0.0f);
  // In between, the deviation is larger than at the ends by at most angle²/8 of itself, where angle
  // is the turn during this part.
  return math::min_of(0.5f * squared * height / (1.0f - 0.125f * squared),
                      0.5f * squared * moving_.extent);
}

AxisSeparation::AxisSeparation(const MovingShape& a, const MovingShape& b, Vec3 normal)
    : a_(a, normal), b_(b, -normal) {
  centres_ = dot(b.centre - a.centre, normal) - a.shape.rounding - b.shape.rounding;
  opening_ = dot(b.motion.travel - a.motion.travel, normal);
  // A point r of a body that turns by ω moves along the normal n at the speed r·(n × ω).
  closing_ = length(cross(normal, a.motion.turn)) * a.extent +
             length(cross(normal, b.motion.turn)) * b.extent - opening_;
}

AxisSeparation::Sample AxisSeparation::sample(float fraction) {
  Sample result{0, a_.reach(fraction), b_.reach(fraction)};
  result.separation = centres_ + opening_ * fraction - result.reach_a - result.reach_b;
  return result;
}

float AxisSeparation::safe_until(float least, float from, float until) {
  if (closing_ <= 0.0f) return until;
  Sample now = sample(from);
  const float surely = from + math::max_of(now.separation - least, 0.0f) / closing_;
  if (!(surely < until)) return until;
  constexpr int max_rounds = 4;
  constexpr float enough = 1.1f, max_angle = 1.0f;
  const float angle = math::max_of(a_.angle(), b_.angle());
  for (int round = 0; round < max_rounds && now.separation > enough * least; ++round) {
    const float to = angle * (until - from) > max_angle ? from + max_angle / angle : until;
    const Sample end = sample(to);
    // In between, the separation is at least the parabola bulge·x² + slope·x + gap + least.
    const float bulged = bulge(now, end, to - from);
    const float gap = now.separation - least;
    const float slope = end.separation - now.separation - bulged;
    const float inside = slope * slope - 4.0f * bulged * gap;
    // The smaller root of the parabola, computed without cancellation. Without a root, the parabola
    // stays positive.
    const bool has_root = slope < 0.0f && inside >= 0.0f;
    const float root = has_root ? 2.0f * gap / (-slope + std::sqrt(inside)) : 1.0f;
    if (root < 1.0f) {
      from += root * (to - from);
      now = sample(from);
    } else {
      if (to == until) return until;
      from = to;
      now = end;
    }
  }
  return math::max_of(from, surely);
}

bool AxisSeparation::stays_above(float least) {
  const Sample start = sample(0);
  if (start.separation <= least) return false;
  const Sample end = sample(1);
  const float lower = math::min_of(start.separation, end.separation);
  return math::max_of(a_.angle(), b_.angle()) <= 1.0f &&
         lower - 0.25f * bulge(start, end, 1) > least;
}

std::optional<Vec3> separating_axis_at(const MovingShape& a, const MovingShape& b, float fraction,
                                       Vec3 guess) {
  const Nearness found = nearness(a, b, fraction, guess, any_axis, 0);
  return found.distance > 0.0f ? std::optional(found.normal) : std::nullopt;
}

namespace {

/// Finds the first impact by conservative advancement from the share `fraction` of the motion on.
/// `axis` is as for first_impact.
std::optional<Impact> advance(const MovingShape& a, const MovingShape& b, float distance,
                              Vec3& axis, float fraction, float until) {
  const float aim = aim_of(distance);
  if (const std::optional<Vec3> found = axis_of_motion(a, b, axis, aim)) {
    axis = *found;
    return std::nullopt;
  }
  Nearness now = nearness(a, b, fraction, axis, any_axis, distance);
  if (now.distance <= distance) {
    axis = now.normal;
    return fraction > 0.0f ? std::optional(Impact{fraction, axis}) : std::nullopt;
  }
  constexpr int max_rounds = 16;
  for (int round = 0; round < max_rounds; ++round) {
    axis = now.normal;
    fraction = AxisSeparation(a, b, axis).safe_until(aim, fraction, until);
    if (fraction >= until) return std::nullopt;
    now = nearness(a, b, fraction, axis, any_axis, distance);
    if (now.distance <= distance) break;
  }
  // If the approach did not converge, for example beside a fast rotor, report an impact rather than
  // miss one.
  axis = now.normal;
  return Impact{fraction, axis};
}

}  // namespace

std::optional<Impact> first_impact(const MovingShape& a, const MovingShape& b, float distance,
                                   Vec3& axis, AxisSeparation& along, float until) {
  const bool is_apart = along.at(0) > distance;
  const float fraction = is_apart ? along.safe_until(aim_of(distance), 0, until) : 0.0f;
  if (fraction >= until) return std::nullopt;
  return advance(a, b, distance, axis, fraction, until);
}

std::optional<Impact> first_impact(const MovingShape& a, const MovingShape& b, float distance,
                                   Vec3& axis, float until) {
  const float axis_length = length(axis);
  if (!(axis_length > 0.0f)) return advance(a, b, distance, axis, 0, until);
  axis = axis / axis_length;
  AxisSeparation along(a, b, axis);
  return first_impact(a, b, distance, axis, along, until);
}

Vec3 normal_at(const MovingShape& a, const MovingShape& b, float fraction, Vec3 guess) {
  return nearness(a, b, fraction, guess, exact_gap, 0).normal;
}

}  // namespace jostle::physics
