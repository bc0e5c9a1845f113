#include "shared/physics/contacts/manifold_update.h"

namespace jostle::physics {

using math::Vec3;

namespace {

/// Copies normal impulses to the points with the same feature id. A point without a match takes the
/// impulse of an old point within 2 cm that has no match either, because features may change their
/// ids.
void match_points(const Manifold& old, Manifold& fresh) {
  std::array<bool, max_manifold_points> is_taken{}, is_matched{};
  const auto take = [&](std::uint32_t i, std::uint32_t k) {
    fresh.points[i].normal_impulse = old.points[k].normal_impulse;
    is_taken[k] = true;
    is_matched[i] = true;
  };
  for (std::uint32_t i = 0; i < fresh.point_count; ++i) {
    for (std::uint32_t k = 0; k < old.point_count; ++k) {
      if (!is_taken[k] && old.points[k].feature == fresh.points[i].feature) {
        take(i, k);
        break;
      }
    }
  }
  constexpr float same_place_squared = 0.02f * 0.02f;  // m²
  for (std::uint32_t i = 0; i < fresh.point_count; ++i) {
    if (is_matched[i]) continue;
    for (std::uint32_t k = 0; k < old.point_count; ++k) {
      const Vec3 apart = old.points[k].offset_a - fresh.points[i].offset_a;
      if (!is_taken[k] && length_squared(apart) < same_place_squared) {
        take(i, k);
        break;
      }
    }
  }
}

/// Sets all fields of `fresh`, which may hold old data, from a collision; the impulses become zero.
/// Points beyond the count keep their old data, which is never read.
void set_manifold(const Collision& collision, const Placing& placing, Manifold& fresh) {
  fresh.normal = collision.normal;
  fresh.friction_impulse = {};
  fresh.twist_impulse = 0;
  fresh.resistance_impulse = {};
  fresh.is_held = false;
  fresh.moved = Manifold::not_known;
  fresh.point_count = collision.point_count;
  for (std::uint32_t i = 0; i < collision.point_count; ++i) {
    const CollisionPoint& point = collision.points[i];
    const Vec3 offset_a = placing.origin_a + point.position;
    fresh.points[i] = {offset_a, offset_a - placing.between, point.separation, 0, 0, point.feature};
  }
}

void take_over(const Manifold& old, Manifold& fresh) {
  if (fresh.point_count == 0) return;
  fresh.friction_impulse = old.friction_impulse;
  fresh.twist_impulse = old.twist_impulse;
  fresh.resistance_impulse = old.resistance_impulse;
  fresh.is_held = old.is_held;
  match_points(old, fresh);
}

}  // namespace

void find_manifolds(const Placing& placing, float margin, Vec3 axis, SurfaceScratch& scratch,
                    Contact& fresh) {
  fresh.more.clear();
  if (!is_surface(placing.a.shape.kind) && !is_surface(placing.b.shape.kind)) {
    set_manifold(collide(placing.a, placing.b, placing.offset, margin, axis), placing,
                 fresh.manifold);
    return;
  }
  CollisionSet set;
  collide_surface(placing.a, placing.b, placing.offset, placing.travel, margin, scratch, set);
  if (set.count == 0) set_manifold({}, placing, fresh.manifold);
  if (set.count > 1) fresh.more.resize(set.count - 1);
  for (std::uint32_t k = 0; k < set.count; ++k)
    set_manifold(set.collisions[k], placing, manifold_at(fresh, k));
}

void take_over_impulses(const Contact& old, Contact& fresh) {
  std::array<bool, max_manifolds> is_taken{};
  for (std::uint32_t i = 0; i < manifold_count(fresh); ++i) {
    Manifold& manifold = manifold_at(fresh, i);
    constexpr float one_direction = 0.9f;
    float best = one_direction;
    std::uint32_t match = no_index;
    for (std::uint32_t k = 0; k < manifold_count(old); ++k) {
      const float along = dot(manifold_at(old, k).normal, manifold.normal);
      if (!is_taken[k] && along > best) {
        best = along;
        match = k;
      }
    }
    if (match == no_index) continue;
    is_taken[match] = true;
    take_over(manifold_at(old, match), manifold);
  }
}

bool is_near(const Contact& contact, float distance) {
  for (std::uint32_t k = 0; k < manifold_count(contact); ++k) {
    const Manifold& manifold = manifold_at(contact, k);
    for (std::uint32_t i = 0; i < manifold.point_count; ++i)
      if (manifold.points[i].separation <= distance) return true;
  }
  return false;
}

}  // namespace jostle::physics
