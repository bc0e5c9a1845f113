#include "shared/physics/collision/closest_features.h"

#include <algorithm>
#include <cmath>

namespace jostle::physics {

using math::Vec3d;

namespace {

Vec3d unit(Vec3d v) {
  return v * (1 / length(v));
}

bool has_rim(const Convex& body) {
  return body.kind == ConvexKind::Cylinder || body.kind == ConvexKind::Cone;
}

/// The motion of a support point while the direction turns: it moves along `tangent`, by `radius`
/// times the angle. The radius of a point that does not move is 0.
struct Curvature {
  double radius = 0;
  Vec3d tangent{1, 0, 0};  // unit, perpendicular to the direction
};

/// Returns the curvature of a core at its support point along the unit vector `direction`.
Curvature curvature_at(const Convex& body, Vec3d direction) {
  constexpr double least = 1e-9;
  if (!has_rim(body)) return {};
  const double across = std::sqrt(direction.x * direction.x + direction.z * direction.z);
  const auto radius = static_cast<double>(body.radius), half = static_cast<double>(body.half.y);
  const bool is_tip = body.kind == ConvexKind::Cone && 2 * half * direction.y > radius * across;
  if (!(across > least) || is_tip) return {};
  return {radius / across, {-direction.z / across, 0, direction.x / across}};
}

/// The normals of parallel edges, or of the lines in a mantle. They form a circle on the
/// sphere of all normals: n·axis = height.
struct NormalCircle {
  bool is_set = false;
  Vec3d axis;
  double height = 0;
};

NormalCircle circle_about_smallest(Vec3d normal, double most) {
  const double x = std::abs(normal.x), y = std::abs(normal.y), z = std::abs(normal.z);
  if (x <= y && x <= z) return {x < most, {1, 0, 0}, 0};
  return y <= z ? NormalCircle{y < most, {0, 1, 0}, 0} : NormalCircle{z < most, {0, 0, 1}, 0};
}

/// Returns the circle that passes near the outward unit normal `normal`, in the frame of the body.
NormalCircle circle_near(const Convex& body, Vec3d normal) {
  constexpr double most = 0.1;  // maximum distance of the circle from the normal
  switch (body.kind) {
    case ConvexKind::Segment:
      return {std::abs(normal.y) < most, {0, 1, 0}, 0};
    case ConvexKind::Cylinder: {
      // The mantle of a coin is small; its rims are more likely.
      const double slender = std::min(2 * static_cast<double>(body.half.y / body.radius), 1.0);
      return {std::abs(normal.y) < most * slender, {0, 1, 0}, 0};
    }
    case ConvexKind::Cone: {
      const auto radius = static_cast<double>(body.radius);
      const double height = 2 * static_cast<double>(body.half.y);
      const double up = radius / std::sqrt(height * height + radius * radius);
      return {std::abs(normal.y - up) < most, {0, 1, 0}, up};
    }
    case ConvexKind::Box:
      return circle_about_smallest(normal, most);
    case ConvexKind::Hull:
    case ConvexKind::Triangle: {
      const std::array<Vec3d, 2> edge = support_edge(body, normal);
      const Vec3d along = unit(edge[1] - edge[0]);
      return {std::abs(dot(normal, along)) < most, along, 0};
    }
    case ConvexKind::Point:
      break;
  }
  return {};
}

struct Line {
  Vec3d tail, head;

  Vec3d at(double share) const { return tail + (head - tail) * share; }
};

double with_sign(double normal, float half) {
  return normal < 0 ? -static_cast<double>(half) : static_cast<double>(half);
}

/// Returns the line in the surface of a core whose normal is `normal`, a point of the circle about
/// `axis`. All in the frame of the body.
Line line_at(const Convex& body, Vec3d normal, Vec3d axis) {
  const auto half = static_cast<double>(body.half.y);
  if (body.kind == ConvexKind::Box) {
    const Vec3d corner{with_sign(normal.x, body.half.x), with_sign(normal.y, body.half.y),
                       with_sign(normal.z, body.half.z)};
    const Vec3d across = corner - axis * dot(corner, axis);
    const Vec3d along = axis * std::abs(dot(corner, axis));
    return {across - along, across + along};
  }
  if (body.kind == ConvexKind::Segment) return {{0, -half, 0}, {0, half, 0}};
  if (!has_rim(body)) {
    const std::array<Vec3d, 2> edge = support_edge(body, normal);
    return {edge[0], edge[1]};
  }
  const double scale =
      static_cast<double>(body.radius) / std::sqrt(normal.x * normal.x + normal.z * normal.z);
  const Vec3d rim{normal.x * scale, -half, normal.z * scale};
  const double top = body.kind == ConvexKind::Cone ? 0.0 : 1.0;
  return {rim, {rim.x * top, half, rim.z * top}};
}

double clamped(double share) {
  return std::clamp(share, 0.0, 1.0);
}

/// The state of a search. All vectors are in the frame of a.
class Search {
 public:
  Search(const ConvexPair& pair, Vec3d axis) : pair_(pair), normal_(unit(axis)) {}

  /// Chooses features whose normals are near the current one, and moves the normal to them.
  void choose_features();
  /// Computes the separation along the normal, and the closest points of the chosen features.
  void measure();
  /// Moves the normal towards a greater separation. Returns false if the features do not allow it.
  bool move_on();

  double separation() const { return separation_; }
  Vec3d normal() const { return normal_; }
  bool is_done() const {
    // The rotation of b relative to a is only exact to the precision of float.
    constexpr double share_of_size = 3e-7;
    return separation_ > 0 && length(on_b_ - on_a_) - separation_ <= share_of_size * size_;
  }
  ConvexDistance result() const { return {length(on_b_ - on_a_), normal_, on_a_, on_b_, false}; }

 private:
  Vec3d in_b(Vec3d v) const { return transpose_multiply(pair_.axes, v); }
  Line line_of_a() const { return line_at(pair_.a, normal_, circle_a_.axis); }
  Line line_of_b() const {
    const Line line = line_at(pair_.b, in_b(-normal_), in_b(circle_b_.axis));
    return {pair_.centre + pair_.axes * line.tail, pair_.centre + pair_.axes * line.head};
  }
  bool move_to_both_circles();
  void move_to_circle(NormalCircle& circle, double height);
  void measure_lines();
  void measure_line(bool is_of_a);
  void turn_on_circle();
  void turn_freely();
  void turn_by(Vec3d step);
  Vec3d fixed_point_of_difference() const;
  double curvature_along(Vec3d tangent) const;

  const ConvexPair& pair_;
  Vec3d normal_;                                // unit, from a to b
  NormalCircle circle_a_, circle_b_;            // of the outward normals of each body
  bool is_past_a_ = false, is_past_b_ = false;  // true if the closest point is an end of the line
  DifferencePoint farthest_;
  Vec3d on_a_, on_b_;
  double separation_ = 0, size_ = 0;
};

void Search::choose_features() {
  circle_a_ = is_past_a_ ? NormalCircle{} : circle_near(pair_.a, normal_);
  circle_b_ = is_past_b_ ? NormalCircle{} : circle_near(pair_.b, in_b(-normal_));
  circle_b_.axis = pair_.axes * circle_b_.axis;
  if (circle_a_.is_set && circle_b_.is_set) {
    if (move_to_both_circles()) return;
    circle_b_.is_set = false;
  }
  if (circle_a_.is_set) move_to_circle(circle_a_, circle_a_.height);
  if (circle_b_.is_set) move_to_circle(circle_b_, -circle_b_.height);
}

/// Moves the normal to the nearer one of the two points in which the circles meet. Returns false if
/// they do not meet, or have nearly the same axis.
bool Search::move_to_both_circles() {
  constexpr double least = 1e-4;  // squared sine of the angle between the axes
  const Vec3d p = circle_a_.axis, q = circle_b_.axis, across = cross(p, q);
  const double cosine = dot(p, q), squared_sine = 1 - cosine * cosine;
  if (!(squared_sine > least)) return false;
  // The normals of b are those of a with the opposite sign.
  const double up_p = circle_a_.height, up_q = -circle_b_.height;
  const double along_p = (up_p - up_q * cosine) / squared_sine;
  const double along_q = (up_q - up_p * cosine) / squared_sine;
  const double rest = 1 - along_p * up_p - along_q * up_q;
  if (!(rest > 0)) return false;
  const double side = std::sqrt(rest / squared_sine) * (dot(across, normal_) < 0 ? -1.0 : 1.0);
  normal_ = p * along_p + q * along_q + across * side;
  return true;
}

/// Moves the normal to the nearest point of a circle with the given height.
void Search::move_to_circle(NormalCircle& circle, double height) {
  const Vec3d out = normal_ - circle.axis * dot(normal_, circle.axis);
  const double size = length(out);
  circle.is_set = size > 0;
  if (size > 0) normal_ = circle.axis * height + out * (std::sqrt(1 - height * height) / size);
}

void Search::measure() {
  farthest_ = difference_support(pair_, normal_);
  separation_ = -dot(normal_, farthest_.at);
  size_ = std::max(length(farthest_.at), length(farthest_.on_a));
  on_a_ = farthest_.on_a;
  on_b_ = farthest_.on_b();
  if (circle_a_.is_set && circle_b_.is_set) {
    measure_lines();
  } else if (circle_a_.is_set || circle_b_.is_set) {
    measure_line(circle_a_.is_set);
  }
}

/// Finds the closest points of two lines (Ericson, "Real-Time Collision Detection", 5.1.9).
void Search::measure_lines() {
  const Line a = line_of_a(), b = line_of_b();
  const Vec3d p = a.head - a.tail, q = b.head - b.tail, apart = a.tail - b.tail;
  const double pp = dot(p, p), qq = dot(q, q), pq = dot(p, q);
  const double on_p = dot(p, apart), on_q = dot(q, apart);
  const double squared_area = pp * qq - pq * pq;
  const double share_a = squared_area > 0 ? (pq * on_q - on_p * qq) / squared_area : 0;
  const double share_b = (pq * share_a + on_q) / qq;
  is_past_a_ = share_a != clamped(share_a);
  is_past_b_ = share_b != clamped(share_b);
  on_a_ = a.at(clamped(share_a));
  on_b_ = b.at(clamped(share_b));
}

/// Finds the closest point of a line of one body to the support point of the other.
void Search::measure_line(bool is_of_a) {
  const Line line = is_of_a ? line_of_a() : line_of_b();
  const Vec3d along = line.head - line.tail, other = is_of_a ? on_b_ : on_a_;
  const double share = dot(other - line.tail, along) / dot(along, along);
  (is_of_a ? is_past_a_ : is_past_b_) = share != clamped(share);
  (is_of_a ? on_a_ : on_b_) = line.at(clamped(share));
}

bool Search::move_on() {
  // If the closest point is the end of a line, the line is ignored from now on.
  if (is_past_a_ && circle_a_.is_set) return true;
  if (is_past_b_ && circle_b_.is_set) return true;
  if (circle_a_.is_set && circle_b_.is_set) return false;
  if (circle_a_.is_set || circle_b_.is_set) {
    turn_on_circle();
  } else {
    turn_freely();
  }
  return true;
}

// Share of the distance of the closest points that is the least stiffness of a Newton step, so that
// a bad first normal does not lead too far.
constexpr double least_share = 0.3;

/// Returns a point whose product with the normal changes like that of the support point of the
/// difference, while the normal turns on the circle. The normals of a mantle are at a constant
/// angle to its axis. The mantle therefore reaches equally far along all of them, and the part of
/// its points along the axis can take their place.
Vec3d Search::fixed_point_of_difference() const {
  Vec3d on_a = farthest_.on_a, on_b = farthest_.on_b();
  if (circle_a_.is_set && has_rim(pair_.a)) on_a = circle_a_.axis * dot(circle_a_.axis, on_a);
  if (circle_b_.is_set && has_rim(pair_.b))
    on_b = pair_.centre + circle_b_.axis * dot(circle_b_.axis, on_b - pair_.centre);
  return on_a - on_b;
}

/// Returns the curvature along a tangent of the circle, of the body that does not have the circle.
double Search::curvature_along(Vec3d tangent) const {
  const Curvature other =
      circle_a_.is_set ? curvature_at(pair_.b, in_b(-normal_)) : curvature_at(pair_.a, normal_);
  const double along = dot(circle_a_.is_set ? pair_.axes * other.tangent : other.tangent, tangent);
  return other.radius * along * along;
}

/// With the angle φ on the circle, the derivatives n' and n'' of the normal, the fixed point w and
/// the curvature C, the separation s has the derivatives s' = −w·n' and s'' = −w·n'' − C. Newton's
/// step is −s'/s''.
void Search::turn_on_circle() {
  constexpr double most = 0.7;  // rad
  const NormalCircle& circle = circle_a_.is_set ? circle_a_ : circle_b_;
  const double height = circle_a_.is_set ? circle.height : -circle.height;
  const double radius = std::sqrt(1 - height * height);
  const Vec3d out = (normal_ - circle.axis * height) * (1 / radius);
  const Vec3d tangent = cross(circle.axis, out), w = fixed_point_of_difference();
  const double slope = -radius * dot(w, tangent);
  const double least = least_share * length(on_b_ - on_a_) * radius;
  const double stiffness =
      std::max(-radius * dot(w, out), least) + radius * radius * curvature_along(tangent);
  const double step = std::clamp(slope / stiffness, -most, most);
  normal_ = circle.axis * height + unit(out + tangent * step) * radius;
}

/// Turns the normal by a step in its tangent plane. The step may turn the radius to a rim's support
/// point by at most half a radian.
void Search::turn_by(Vec3d step) {
  constexpr double most = 0.5;
  const auto across = [](const Convex& body, Vec3d direction) {
    const double squared = direction.x * direction.x + direction.z * direction.z;
    return has_rim(body) ? std::sqrt(squared) : 1.0;
  };
  const double limit = most * std::min(across(pair_.a, normal_), across(pair_.b, in_b(-normal_)));
  const double size = length(step);
  normal_ = unit(normal_ + (size > limit ? step * (limit / size) : step));
}

/// The step x in the tangent plane follows from (s + C)·x = −w', with the part w' of the support
/// point perpendicular to the normal, the separation s, and the sum C of the curvatures as tensors.
void Search::turn_freely() {
  const Curvature of_a = curvature_at(pair_.a, normal_);
  const Curvature of_b = curvature_at(pair_.b, in_b(-normal_));
  const double s = std::max(separation_, least_share * length(farthest_.at));
  if (of_a.radius == 0 && of_b.radius == 0) {
    const Vec3d across = farthest_.at - normal_ * dot(normal_, farthest_.at);
    turn_by(across * (-1 / s));
    return;
  }
  const Vec3d tangent_b = pair_.axes * of_b.tangent;
  const Vec3d first = of_a.radius > 0 ? of_a.tangent : tangent_b, second = cross(normal_, first);
  const double b1 = dot(tangent_b, first), b2 = dot(tangent_b, second);
  const double c11 = s + of_a.radius + of_b.radius * b1 * b1, c12 = of_b.radius * b1 * b2;
  const double c22 = s + of_b.radius * b2 * b2, scale = 1 / (c11 * c22 - c12 * c12);
  const double w1 = -dot(farthest_.at, first), w2 = -dot(farthest_.at, second);
  turn_by(first * ((c22 * w1 - c12 * w2) * scale) + second * ((c11 * w2 - c12 * w1) * scale));
}

}  // namespace

bool has_rim(const ConvexPair& pair) {
  return has_rim(pair.a) || has_rim(pair.b);
}

std::optional<ConvexDistance> closest_features(const ConvexPair& pair, Vec3d axis,
                                               double max_distance) {
  constexpr int max_rounds = 6, rounds_to_separate = 3;
  Search search(pair, axis);
  for (int round = 0; round < max_rounds; ++round) {
    search.choose_features();
    search.measure();
    if (search.separation() > max_distance) {
      ConvexDistance beyond;
      beyond.normal = search.normal();
      beyond.is_beyond = true;
      return beyond;
    }
    if (search.is_done()) return search.result();
    if (round + 1 >= rounds_to_separate && search.separation() < 0) return std::nullopt;
    if (!search.move_on()) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace jostle::physics
