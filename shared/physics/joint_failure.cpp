#include "shared/physics/joint_failure.h"

#include "shared/math/trig.h"
#include "shared/physics/detail/constants.h"
#include "shared/physics/detail/records.h"
#include "shared/physics/joint_coordinates.h"

#include <cmath>
#include <optional>

namespace jostle::physics {

using math::Quat;
using math::Vec3;

namespace {

/// A value between bounds that is nearer to one of them counts as being at it: who closes a joint
/// is not to push it beyond.
constexpr float near_bound = 1e-3f;  // m or rad

/// By how much a value is beyond its bounds, with its sign; 0 at them, nothing between.
std::optional<float> beyond(float value, float lower, float upper) {
  if (value > upper - near_bound) return math::max_of(value - upper, 0.0f);
  if (value < lower + near_bound) return math::min_of(value - lower, 0.0f);
  return std::nullopt;
}

/// Whether an angle is far from its bounds, by the tangent of half of it alone: an arctangent takes
/// longer than all else. 3·t/(1 + 2·√(1+t²)) < atan t < π·t/(1 + 2·√(1+t²)) for t > 0 (Shafer,
/// "On quadratic approximation", 1974; Fink 1995).
bool is_surely_between(float half_tangent, float lower, float upper) {
  const float share =
      2.0f * half_tangent / (1.0f + 2.0f * std::sqrt(1.0f + half_tangent * half_tangent));
  const float one = 3.0f * share, other = math::pi * share;
  return math::max_of(one, other) < upper - near_bound &&
         math::min_of(one, other) > lower + near_bound;
}

/// How the two frames stand.
class Frames {
 public:
  Frames(const JointDef& def, const Body& a, const math::Pose& at_a, const Body& b,
         const math::Pose& at_b, Quat shift = {})
      : rotation_a(at_a.rotation * def.frame_a.rotation * shift),
        rotation_b(at_b.rotation * def.frame_b.rotation * shift) {
    const Vec3 to_a = rotate(at_a.rotation, def.frame_a.offset - a.local_centre);
    arm_b = rotate(at_b.rotation, def.frame_b.offset - b.local_centre);
    apart = (at_b.position - at_a.position) + (arm_b - to_a);
    arm_a = to_a + apart;
  }
  Vec3 axis_a(std::size_t i) const { return axis(rotation_a, i); }
  Vec3 axis_b(std::size_t i) const { return axis(rotation_b, i); }
  static Vec3 axis(Quat rotation, std::size_t i) {
    return rotate(rotation, i == 0 ? Vec3{1, 0, 0} : i == 1 ? Vec3{0, 1, 0} : Vec3{0, 0, 1});
  }

  Quat rotation_a, rotation_b;
  Vec3 apart;  // of the anchors, from a's to b's, world axes
  /// From each centre of mass to b's anchor: rows along axes of a turn about where that is.
  Vec3 arm_a, arm_b;
};

/// Rows, and what they come to together.
class Rows {
 public:
  /// The way of b's anchor along an axis of a, or of the world.
  void place(const Frames& frames, Vec3 along, float failure) {
    gaps_ += failure * failure;
    add({failure, {-along, -cross(frames.arm_a, along)}, {along, cross(frames.arm_b, along)}});
  }
  /// b's turning against a about an axis.
  void turn(Vec3 about, float failure) {
    leans_ += failure * failure;
    add({failure, {{}, -about}, {{}, about}});
  }
  /// What grows as the anchors move away from points of the world.
  void lengths(float failure, const Gradient& a, const Gradient& b) {
    gaps_ += failure * failure;
    add({failure, a, b});
  }
  JointFailure finish() {
    failure_.gap = std::sqrt(gaps_);
    failure_.lean = std::sqrt(leans_);
    return failure_;
  }

 private:
  void add(const FailedRow& row) { failure_.rows[failure_.row_count++] = row; }

  JointFailure failure_;
  float gaps_ = 0, leans_ = 0;
};

/// About which b's x axis has swung away from a's, by how much.
struct Swing {
  Vec3 about;
  float sine = 0, cosine = 1;

  float angle() const {
    // Of hinges that hold it is small: as good as the arctangent.
    if (cosine > 0.0f && sine < 0.03f) return sine + sine * sine * sine / 6.0f;
    return math::atan2(sine, cosine);
  }
};
Swing swing_of(const Frames& frames) {
  const Vec3 x = frames.axis_a(0), other = frames.axis_b(0);
  const Vec3 across = cross(x, other);
  const float sine = length(across);
  // Turned right round there is no one way back.
  const Vec3 about = sine > 1e-9f ? across / sine : frames.axis_a(1);
  return {about, sine, dot(x, other)};
}

void add_anchor(const Frames& frames, Rows& rows) {
  rows.place(frames, {1, 0, 0}, frames.apart.x);
  rows.place(frames, {0, 1, 0}, frames.apart.y);
  rows.place(frames, {0, 0, 1}, frames.apart.z);
}

void add_rotation(const Frames& frames, Rows& rows) {
  const Vec3 turned = to_rotation_vector(conjugate(frames.rotation_a) * frames.rotation_b);
  rows.turn(frames.axis_a(0), turned.x);
  rows.turn(frames.axis_a(1), turned.y);
  rows.turn(frames.axis_a(2), turned.z);
}

void add_twist_limits(const JointDef& def, const Frames& frames, Vec3 axis, Rows& rows) {
  if (!def.limits.is_enabled) return;
  const float lower = def.limits.lower, upper = def.limits.upper;
  const Quat turned = conjugate(frames.rotation_a) * frames.rotation_b;
  const float sign = turned.w < 0.0f ? -1.0f : 1.0f;
  const float x = sign * turned.x, w = sign * turned.w;
  if (w > 0.0f && is_surely_between(x / w, lower, upper)) return;
  if (const auto failure = beyond(2.0f * math::atan2(x, w), lower, upper))
    rows.turn(axis, *failure);
}

void add_ball(const JointDef& def, const Frames& frames, Rows& rows) {
  add_anchor(frames, rows);
  if (def.cone.is_enabled) {
    const Swing swing = swing_of(frames);
    const float lower = -unbounded_coordinate, upper = def.cone.angle;
    const bool is_within =
        swing.cosine > -0.9f && is_surely_between(swing.sine / (1.0f + swing.cosine), lower, upper);
    const auto failure = is_within ? std::nullopt : beyond(swing.angle(), lower, upper);
    if (failure) rows.turn(swing.about, *failure);
  }
  const Vec3 middle = frames.axis_a(0) + frames.axis_b(0);
  if (length(middle) > 0.1f) add_twist_limits(def, frames, normalized_or(middle, {1, 0, 0}), rows);
}

void add_hinge(const JointDef& def, const Frames& frames, Rows& rows) {
  add_anchor(frames, rows);
  const Swing swing = swing_of(frames);
  for (const std::size_t i : {1U, 2U}) {
    const Vec3 axis = frames.axis_a(i);
    rows.turn(axis, swing.angle() * dot(swing.about, axis));
  }
  add_twist_limits(def, frames, frames.axis_a(0), rows);
}

void add_slider(const JointDef& def, const Frames& frames, Rows& rows) {
  for (const std::size_t i : {1U, 2U}) {
    const Vec3 axis = frames.axis_a(i);
    rows.place(frames, axis, dot(frames.apart, axis));
  }
  add_rotation(frames, rows);
  if (!def.limits.is_enabled) return;
  const Vec3 axis = frames.axis_a(0);
  if (const auto failure = beyond(dot(frames.apart, axis), def.limits.lower, def.limits.upper))
    rows.place(frames, axis, *failure);
}

void add_distance(const JointDef& def, const Frames& frames, Rows& rows) {
  const float distance = length(frames.apart);
  if (!(distance > 1e-6f)) return;  // no one way
  float lower = 0, upper = unbounded_coordinate;
  if (has_coordinates(def)) {
    const CoordinateRule rule = coordinate_rules(def)[0];
    lower = rule.lower;
    upper = rule.upper;
  } else if (is_rod(def)) {
    lower = upper = def.rest;
  } else if (def.limits.is_enabled) {
    lower = def.limits.lower;
    upper = def.limits.upper;
  }
  if (const auto failure = beyond(distance, lower, upper))
    rows.place(frames, frames.apart / distance, *failure);
}

/// From a point of the world to an anchor.
struct Rope {
  float length = 0;
  Gradient gradient;
};
Rope rope_to(const math::Pose& body, Vec3 arm, math::Position from) {
  const Vec3 way = (body.position - from) + arm;
  const float size = length(way);
  const Vec3 along = size > 1e-6f ? way / size : Vec3{};
  return {size, {along, cross(arm, along)}};
}

void add_pulley(const JointDef& def, const Body& a, const math::Pose& at_a, const Body& b,
                const math::Pose& at_b, Rows& rows) {
  const JointDetails& details = def.details.get();
  const Rope of_a =
      rope_to(at_a, rotate(at_a.rotation, def.frame_a.offset - a.local_centre), details.over_a);
  Rope of_b =
      rope_to(at_b, rotate(at_b.rotation, def.frame_b.offset - b.local_centre), details.over_b);
  const CoordinateRule rule = coordinate_rules(def)[0];
  const auto failure = beyond(of_a.length + details.ratio * of_b.length, rule.lower, rule.upper);
  of_b.gradient.along *= details.ratio;
  of_b.gradient.about *= details.ratio;
  if (failure) rows.lengths(*failure, of_a.gradient, of_b.gradient);
}

std::optional<float> failure_of(const CoordinateRule& rule, float value) {
  return rule.is_locked ? value - rule.rest : beyond(value, rule.lower, rule.upper);
}

/// With the rates of ω = α̇·x + β̇·y + γ̇·z.
void add_angles(const CoordinateRules& rules, const Frames& frames, Rows& rows) {
  const Vec3 x = frames.axis_a(0), z = frames.axis_b(2);
  const Vec3 across = cross(z, x);
  const float cosine = length(across);
  if (!(cosine > 0.1f)) return;
  const Vec3 y = across / cosine;
  const std::array<Vec3, 3> rates{cross(y, z) / cosine, y, cross(x, y) / cosine};
  const Vec3 angles = coordinate_angles(conjugate(frames.rotation_a) * frames.rotation_b);
  const std::array<float, 3> values{angles.x, angles.y, angles.z};
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (const auto failure = failure_of(rules[3 + i], values[i])) rows.turn(rates[i], *failure);
  }
}

void add_axes(const JointDef& def, const Frames& frames, Rows& rows) {
  const CoordinateRules rules = coordinate_rules(def);
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 axis = frames.axis_a(i);
    if (const auto failure = failure_of(rules[i], dot(frames.apart, axis)))
      rows.place(frames, axis, *failure);
  }
  add_angles(rules, frames, rows);
}

}  // namespace

JointFailure failure_of(const JointDef& def, const Body& a, const math::Pose& at_a, const Body& b,
                        const math::Pose& at_b) {
  Rows rows;
  switch (def.kind) {
    case JointKind::Ball:
      add_ball(def, {def, a, at_a, b, at_b}, rows);
      break;
    case JointKind::Hinge:
      add_hinge(def, {def, a, at_a, b, at_b}, rows);
      break;
    case JointKind::Slider:
      add_slider(def, {def, a, at_a, b, at_b}, rows);
      break;
    case JointKind::Fixed: {
      const Frames frames(def, a, at_a, b, at_b);
      add_anchor(frames, rows);
      add_rotation(frames, rows);
      break;
    }
    case JointKind::Distance:
      add_distance(def, {def, a, at_a, b, at_b}, rows);
      break;
    case JointKind::Pulley:
      add_pulley(def, a, at_a, b, at_b, rows);
      break;
    case JointKind::Wheel:
    case JointKind::SixAxis:
      add_axes(def, {def, a, at_a, b, at_b, shift_rotation(axis_shift(def))}, rows);
      break;
    default:  // they drive and pass on, and hold no place
      break;
  }
  return rows.finish();
}

bool is_closed(const JointFailure& failure, float share) {
  return failure.gap <= share * closed_gap && failure.lean <= share * closed_lean;
}

}  // namespace jostle::physics
