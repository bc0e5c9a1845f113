#include "shared/physics/collision/collide.h"
#include "shared/physics/collision/triple.h"

#include <array>
#include <cmath>

namespace jostle::physics {

using math::Vec3;

namespace {

/// A capsule and a box in the frame of the box: the capsule's axis is centre + t·direction, |t| ≤
/// half.
struct BoxCapsule {
  Triple extents;
  Triple centre, direction;
  float half = 0, radius = 0, margin = 0;

  Vec3 at(float t) const { return vector(centre) + vector(direction) * t; }
  Vec3 nearest_in_box(Vec3 p) const {
    const Vec3 h = vector(extents);
    return min_of(max_of(p, -h), h);
  }
};

struct Interval {
  float low = 0, high = 0;
};

/// Returns the parameter at which the capsule's axis is closest to the box. Half the squared
/// distance is convex, and its slope g(t) = direction·(p − nearest(p)) is piecewise linear with
/// corners where p crosses a face. Bisecting over the corners and then interpolating gives the
/// exact root.
float closest_parameter(const BoxCapsule& s) {
  const auto slope = [&](float t) {
    const Vec3 p = s.at(t);
    return dot(vector(s.direction), p - s.nearest_in_box(p));
  };
  float low = -s.half, high = s.half;
  float slope_low = slope(low), slope_high = slope(high);
  if (slope_low >= 0.0f) return slope_high > 0.0f || slope_low > 0.0f ? low : 0.0f;
  if (slope_high <= 0.0f) return high;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (s.direction[axis] == 0.0f) continue;
    for (const float side : {-1.0f, 1.0f}) {
      const float t = (side * s.extents[axis] - s.centre[axis]) / s.direction[axis];
      if (!(t > low && t < high)) continue;
      const float at_t = slope(t);
      if (at_t < 0.0f) {
        low = t;
        slope_low = at_t;
      } else {
        high = t;
        slope_high = at_t;
      }
    }
  }
  if (slope_high - slope_low <= 0.0f) return low;
  return low + (high - low) * (-slope_low / (slope_high - slope_low));
}

/// Clips `range` to the parameters at which the capsule's axis lies between the two faces of the
/// box perpendicular to `axis`. The result is empty (low > high) if there are none.
Interval cut_to_slab(const BoxCapsule& s, Interval range, std::size_t axis) {
  const float c = s.centre[axis], d = s.direction[axis], h = s.extents[axis];
  if (math::abs_of(d) < 1e-7f) {
    return c < -h || c > h ? Interval{1, -1} : range;
  }
  const float one = (-h - c) / d, other = (h - c) / d;
  return {math::max_of(range.low, math::min_of(one, other)),
          math::min_of(range.high, math::max_of(one, other))};
}

/// Adds the contact point for the point of the capsule's axis at parameter t, if it is within the
/// margin. `axis_distance` is the height of that point above the box along `normal`. Positions are
/// in the box's frame.
void add_point(const BoxCapsule& s, float t, Vec3 normal, float axis_distance,
               std::uint32_t feature, Collision& result) {
  const float separation = axis_distance - s.radius;
  if (separation > s.margin) return;
  const Vec3 surface_of_box = s.at(t) - normal * axis_distance;
  result.add({surface_of_box + normal * (0.5f * separation), separation, feature});
}

/// Adds the contact points of the capsule and a face of the box. They are at the ends of the part
/// of the capsule's axis that lies over the face, or at the middle of this part if it is shorter
/// than 0.1 radius. Returns false if no part lies over the face or no point is within the margin.
bool collide_with_face(const BoxCapsule& s, std::size_t axis, float side, Collision& result) {
  Interval range{-s.half, s.half};
  range = cut_to_slab(s, range, (axis + 1) % 3);
  range = cut_to_slab(s, range, (axis + 2) % 3);
  if (range.low > range.high) return false;

  Triple normal{0, 0, 0};
  normal[axis] = side;
  result.normal = vector(normal);
  const auto add = [&](float t, std::uint32_t feature) {
    const float distance = side * (s.centre[axis] + s.direction[axis] * t) - s.extents[axis];
    add_point(s, t, result.normal, distance, feature, result);
  };
  const float same_point = 0.1f * s.radius;
  if (range.high - range.low < same_point) {
    add(0.5f * (range.low + range.high), 0);
  } else {
    add(range.low, 0);
    add(range.high, 1);
  }
  return result.point_count > 0;
}

Collision collide_outside(const BoxCapsule& s, float t, Vec3 offset, float distance) {
  Collision result;
  const Vec3 normal = offset * (1.0f / distance);
  // If the normal is that of a face of the box (within 0.26°), the capsule collides with that face.
  constexpr float straight = 0.99999f;
  const Triple n = triple(normal);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (math::abs_of(n[axis]) <= straight) continue;
    if (collide_with_face(s, axis, n[axis] < 0.0f ? -1.0f : 1.0f, result)) return result;
  }
  result = {};
  result.normal = normal;
  // If the capsule is parallel to an edge of the box (within 2.6°), the contact points are the ends
  // of their overlap.
  for (std::size_t axis = 0; axis < 3; ++axis) {
    constexpr float along = 0.999f;
    if (math::abs_of(s.direction[axis]) <= along) continue;
    const Interval range = cut_to_slab(s, {-s.half, s.half}, axis);
    if (range.high - range.low < 0.1f * s.radius) continue;
    const Vec3 foot = s.nearest_in_box(s.at(t));
    add_point(s, range.low, normal, dot(normal, s.at(range.low) - foot), 0, result);
    add_point(s, range.high, normal, dot(normal, s.at(range.high) - foot), 1, result);
    return result;
  }
  add_point(s, t, normal, distance, 0, result);
  return result;
}

/// Collides a capsule whose axis pierces the box. The normal is the direction of least depth among
/// the faces' normals and the cross products of the box's edges with the axis.
Collision collide_inside(const BoxCapsule& s) {
  float best = -3.0e38f;
  std::size_t best_axis = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const float reach = s.half * math::abs_of(s.direction[i]);
    const float distance = math::abs_of(s.centre[i]) - reach - s.extents[i];
    if (distance > best) {
      best = distance;
      best_axis = i;
    }
  }
  bool is_edge = false;
  Vec3 edge_normal;
  for (std::size_t i = 0; i < 3; ++i) {
    Triple unit{0, 0, 0};
    unit[i] = 1.0f;
    const Vec3 axis = cross(vector(unit), vector(s.direction));
    const float squared = dot(axis, axis);
    constexpr float nearly_parallel = 1e-4f;
    if (squared < nearly_parallel) continue;
    const Vec3 normal = axis * (1.0f / std::sqrt(squared));
    const float across = dot(normal, vector(s.centre));
    const float distance = math::abs_of(across) - dot(abs_of(normal), vector(s.extents));
    // A face gives two points, so it is preferred even if it is a little deeper.
    const float face_preference = 0.01f * s.radius;
    if (distance > best + (is_edge ? 0.0f : face_preference)) {
      best = distance;
      is_edge = true;
      edge_normal = across < 0.0f ? -normal : normal;
    }
  }
  Collision result;
  if (!is_edge) {
    collide_with_face(s, best_axis, s.centre[best_axis] < 0.0f ? -1.0f : 1.0f, result);
    return result;
  }
  result.normal = edge_normal;
  // Every point of the capsule's axis is equally deep along this normal, so use the middle of the
  // part inside the box.
  Interval range{-s.half, s.half};
  for (std::size_t i = 0; i < 3; ++i)
    range = cut_to_slab(s, range, i);
  const float t = range.low <= range.high ? 0.5f * (range.low + range.high) : 0.0f;
  add_point(s, t, edge_normal, best, 0, result);
  return result;
}

}  // namespace

Collision collide_box_capsule(const PlacedShape& a, const PlacedShape& b, Vec3 offset,
                              float margin) {
  BoxCapsule s;
  s.extents = triple(a.shape.half_extents);
  s.centre = triple(transpose_multiply(a.axes, offset));
  s.direction = triple(transpose_multiply(a.axes, b.axes.cy));
  s.half = b.shape.half_segment;
  s.radius = b.shape.radius;
  s.margin = margin;

  const float t = closest_parameter(s);
  const Vec3 p = s.at(t);
  const Vec3 away = p - s.nearest_in_box(p);
  const float distance = length(away);
  if (distance - s.radius > margin) return {};
  // Distance, m, below which the direction of `away` is mostly rounding error. The capsule's axis
  // then counts as inside the box.
  const float pierced = 1e-3f * s.radius;
  Collision result = distance > pierced ? collide_outside(s, t, away, distance) : collide_inside(s);
  result.normal = a.axes * result.normal;
  for (std::uint32_t i = 0; i < result.point_count; ++i) {
    result.points[i].position = a.axes * result.points[i].position;
  }
  return result;
}

}  // namespace jostle::physics
