#include "shared/physics/narrow_phase/surface_points.h"

#include "shared/physics/narrow_phase/clip.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

namespace jostle::physics {

using math::Vec3;

namespace {

/// Points in almost one direction, led by the deepest.
struct Group {
  Vec3 normal, u, v;
  std::size_t count = 0;
  std::array<const CollisionPoint*, SurfacePoints::capacity> points;
};

void add_to_group(Group& group, const CollisionPoint& point, float size) {
  const float same_place = 0.1f * size;
  for (std::size_t i = 0; i < group.count; ++i) {
    if (length_squared(group.points[i]->position - point.position) < same_place * same_place)
      return;
  }
  group.points[group.count++] = &point;
}

/// Adds to the `count` picked the point that is the farthest from them all; it counts the less, the
/// higher above the deepest it is.
void pick_farthest(const Group& group, float touch, std::array<std::uint32_t, 4>& picked,
                   std::uint32_t count) {
  float most = -1;
  for (std::uint32_t i = 0; i < group.count; ++i) {
    float nearest = 3.0e38f;
    for (std::uint32_t k = 0; k < count; ++k) {
      const Vec3 apart = group.points[i]->position - group.points[picked[k]]->position;
      nearest = math::min_of(nearest, length_squared(apart));
    }
    const float above = group.points[i]->separation - group.points[0]->separation;
    const float score = nearest * (touch / (touch + above));
    if (score <= most) continue;
    most = score;
    picked[count] = i;
  }
}

/// Four of the points at most. Those that touch come first: while one that does is left out, the
/// body tips over it until it is found again, and so never comes to rest.
Collision reduced(const Group& group, float size) {
  Collision collision;
  collision.normal = group.normal;
  if (group.count <= collision.points.size()) {
    for (std::size_t i = 0; i < group.count; ++i)
      collision.add(*group.points[i]);
    return collision;
  }
  const float touch = 1e-3f * size;
  std::array<ClipVertex, SurfacePoints::capacity> placed;
  std::size_t touching = 0;  // points come by separation
  for (; touching < group.count; ++touching) {
    const CollisionPoint& p = *group.points[touching];
    if (p.separation > group.points[0]->separation + touch) break;
    placed[touching] = {dot(p.position, group.u), dot(p.position, group.v), p.separation, 0};
  }
  std::array<std::uint32_t, 4> picked{};
  std::uint32_t count = pick_four(std::span(placed).first(touching), picked);
  for (; count < picked.size(); ++count)
    pick_farthest(group, touch, picked, count);
  for (const std::uint32_t i : picked)
    collision.add(*group.points[i]);
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

void SurfacePoints::merge(float size, CollisionSet& result) const {
  // By separation, among equals in the order in which they came.
  std::array<std::uint8_t, capacity> order;
  for (std::size_t i = 0; i < list_.size(); ++i) {
    std::size_t k = i;
    for (; k > 0 && list_[order[k - 1]].point.separation > list_[i].point.separation; --k)
      order[k] = order[k - 1];
    order[k] = static_cast<std::uint8_t>(i);
  }
  std::size_t left = list_.size();
  while (left > 0 && result.count < max_manifolds) {
    Group group;
    group.normal = list_[order[0]].normal;
    group.u = perpendicular(group.normal);
    group.v = cross(group.normal, group.u);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < left; ++i) {
      constexpr float one_direction = 0.9986f;  // cos 3°
      const SurfacePoint& point = list_[order[i]];
      if (dot(point.normal, group.normal) < one_direction) {
        order[kept++] = order[i];
      } else {
        add_to_group(group, point.point, size);
      }
    }
    left = kept;
    result.collisions[result.count++] = reduced(group, size);
  }
}

}  // namespace jostle::physics
