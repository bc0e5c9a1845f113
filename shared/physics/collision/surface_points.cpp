#include "shared/physics/collision/surface_points.h"

#include "shared/physics/collision/clip.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace jostle::physics {

using math::Vec3;

namespace {

/// Points with almost the same normal. The first one is the deepest.
struct Group {
  Vec3 normal, u, v;
  std::size_t count = 0;
  std::array<const CollisionPoint*, SurfacePoints::capacity> points;
};

/// Returns true if the point is on a facet that the body is expected to run onto, so that the lead
/// of the group does not stop it there. Facets of almost the same direction then stay apart.
bool is_ahead(const SurfacePoint& point, const SurfacePoint& lead) {
  constexpr float least_angle = 2e-4f;  // rad
  constexpr float least_depth = 1e-6f;  // m
  return point.end < math::min_of(lead.end, 0.0f) - least_depth &&
         length_squared(point.normal - lead.normal) > least_angle * least_angle;
}

void add_to_group(Group& group, const CollisionPoint& point, float size) {
  const float same_place = 0.1f * size;
  for (std::size_t i = 0; i < group.count; ++i) {
    if (length_squared(group.points[i]->position - point.position) < same_place * same_place)
      return;
  }
  group.points[group.count++] = &point;
}

/// Returns a manifold of at most four of the group's points.
Collision reduced(const Group& group) {
  Collision collision;
  collision.normal = group.normal;
  std::array<ClipVertex, SurfacePoints::capacity> placed;
  for (std::size_t i = 0; i < group.count; ++i) {
    const CollisionPoint& p = *group.points[i];
    placed[i] = {dot(p.position, group.u), dot(p.position, group.v), p.separation, 0};
  }
  std::array<std::uint32_t, 4> picked{};
  const std::uint32_t count = pick_four(std::span(placed).first(group.count), picked);
  for (std::uint32_t i = 0; i < count; ++i)
    collision.add(*group.points[picked[i]]);
  return collision;
}

}  // namespace

void SurfacePoints::add(const SurfacePoint& point) {
  if (list_.size() < capacity) {
    list_.push_back(point);
    return;
  }
  auto worst = std::max_element(list_.begin(), list_.end(),
                                [](const SurfacePoint& x, const SurfacePoint& y) {
                                  return x.point.separation < y.point.separation;
                                });
  if (point.point.separation < worst->point.separation) *worst = point;
}

void SurfacePoints::merge(float size, float margin, CollisionSet& result) const {
  // Sort by separation; equal ones keep the order in which they came.
  std::array<std::uint8_t, capacity> order;
  for (std::size_t i = 0; i < list_.size(); ++i) {
    std::size_t k = i;
    for (; k > 0 && list_[order[k - 1]].point.separation > list_[i].point.separation; --k)
      order[k] = order[k - 1];
    order[k] = static_cast<std::uint8_t>(i);
  }
  std::size_t left = list_.size();
  while (left > 0 && result.count < max_manifolds) {
    constexpr std::uint32_t usual = 4;
    const SurfacePoint& deepest = list_[order[0]];
    const bool is_on_path = deepest.end < 0.0f;
    if (!is_on_path && (result.count >= max_supporting_manifolds ||
                        (result.count >= usual && deepest.point.separation > 0.25f * margin)))
      break;
    Group group;
    group.normal = deepest.normal;
    group.u = perpendicular(group.normal);
    group.v = cross(group.normal, group.u);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < left; ++i) {
      constexpr float one_direction = 0.9986f;  // cos 3°
      const SurfacePoint& point = list_[order[i]];
      if (dot(point.normal, group.normal) < one_direction || is_ahead(point, deepest)) {
        order[kept++] = order[i];
      } else {
        add_to_group(group, point.point, size);
      }
    }
    left = kept;
    result.collisions[result.count++] = reduced(group);
  }
}

}  // namespace jostle::physics
