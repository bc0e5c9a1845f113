#include "shared/physics/collision/collide.h"

namespace jostle::physics {

using math::clamp;
using math::Vec3;

namespace {

/// Parameters of the closest points of two segments, s·u (|s| ≤ half_a) and offset + t·v (|t| ≤
/// half_b).
struct ClosestParameters {
  float s = 0, t = 0;
};

/// Returns the parameters s and t of the closest points of two segments with unit directions u and
/// v. At the unconstrained minimum s = u·(offset + t·v) and t = −v·(offset − s·u); each is clamped
/// in turn (Ericson, "Real-Time Collision Detection", 5.1.9).
ClosestParameters closest_on_segments(Vec3 u, float half_a, Vec3 v, float half_b, Vec3 offset) {
  const float along = dot(u, v), u_offset = dot(u, offset), v_offset = dot(v, offset);
  const float denominator = 1.0f - along * along;
  constexpr float parallel = 1e-6f;
  float s = denominator > parallel ? (u_offset - along * v_offset) / denominator : u_offset;
  s = clamp(s, -half_a, half_a);
  const float t = clamp(s * along - v_offset, -half_b, half_b);
  return {clamp(u_offset + t * along, -half_a, half_a), t};
}

}  // namespace

Collision collide_capsule_capsule(const PlacedShape& a, const PlacedShape& b, Vec3 offset,
                                  float margin) {
  Collision result;
  const Vec3 u = a.axes.cy, v = b.axes.cy;
  const float half_a = a.shape.half_segment, half_b = b.shape.half_segment;
  const float radii = a.shape.radius + b.shape.radius;
  const ClosestParameters closest = closest_on_segments(u, half_a, v, half_b, offset);
  const Vec3 between = offset + v * closest.t - u * closest.s;
  if (length(between) - radii > margin) return result;

  // If the axes intersect, the normal is undefined; take one perpendicular to both.
  const Vec3 across = normalized_or(cross(u, v), perpendicular(u));
  result.normal = normalized_or(between, across);
  const auto add_at = [&](float s, float t, std::uint32_t feature) {
    const float separation = dot(offset + v * t - u * s, result.normal) - radii;
    if (separation > margin) return;
    const Vec3 surface_a = u * s + result.normal * a.shape.radius;
    result.add({surface_a + result.normal * (0.5f * separation), separation, feature});
  };

  // If the axes are nearly parallel, two points at the ends of their overlap keep the capsules from
  // rocking. The overlap must be longer than a tenth of the sum of the radii.
  constexpr float side_by_side = 0.995f;  // cos 5.7°
  const float along = dot(u, v);
  if (along > side_by_side || along < -side_by_side) {
    const float middle = dot(u, offset), reach = half_b * math::abs_of(along);
    const float low = math::max_of(-half_a, middle - reach);
    const float high = math::min_of(half_a, middle + reach);
    if (high - low > 0.1f * radii) {
      add_at(low, clamp((low - middle) / along, -half_b, half_b), 0);
      add_at(high, clamp((high - middle) / along, -half_b, half_b), 1);
      // If the axes come closer between these ends, their closest point is added as a third one.
      const float least = length(between) - radii;
      const float bent = 1e-4f * radii;
      bool has_nearest = false;
      for (std::uint32_t i = 0; i < result.point_count; ++i)
        has_nearest = has_nearest || result.points[i].separation < least + bent;
      if (!has_nearest) add_at(closest.s, closest.t, 2);
      return result;
    }
  }
  add_at(closest.s, closest.t, 0);
  return result;
}

Collision collide_capsule_plane(const PlacedShape& a, const PlacedShape& b, Vec3 offset,
                                float margin) {
  Collision result;
  const Vec3 down = -b.axes.cy;
  result.normal = down;
  std::uint32_t feature = 0;
  for (const float end : {-a.shape.half_segment, a.shape.half_segment}) {
    const Vec3 centre = a.axes.cy * end;
    const float separation = dot(offset - centre, down) - a.shape.radius;
    if (separation <= margin) {
      result.add({centre + down * (a.shape.radius + 0.5f * separation), separation, feature});
    }
    ++feature;
  }
  return result;
}

}  // namespace jostle::physics
