#include "shared/geometry/bounds.h"
#include "shared/geometry/closest_point.h"
#include "shared/geometry/ray_cast.h"
#include "shared/physics/contacts/contact_list.h"
#include "shared/physics/detail/query_visits.h"
#include "shared/physics/islands/sleep.h"
#include "shared/physics/world.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace jostle::physics {

using math::Vec3;

namespace {

std::optional<CastHit> cast_at_shape(const WorldState& world, std::uint32_t index, const Ray& ray,
                                     const QueryFilter& filter) {
  const ShapeRecord& shape = world.shapes[index];
  if (!passes(filter, shape)) return std::nullopt;
  const math::Pose pose = shape_pose(world.bodies[shape.body.index], shape);
  const auto hit = geometry::cast_ray(shape.def.shape, pose, ray.origin, ray.translation);
  if (!hit) return std::nullopt;
  return CastHit{world.shape_pool.at(index), shape.body, hit->fraction,
                 ray.origin + ray.translation * hit->fraction, hit->normal};
}

template <typename Accept>
std::vector<ShapeHandle> collect_shapes(const WorldState& world, const math::Aabb& box,
                                        Accept&& accept) {
  std::vector<ShapeHandle> found;
  visit_shapes(
      world, [&](const math::Aabb& node) { return overlaps(node, box); },
      [&](std::uint32_t index) {
        const ShapeRecord& shape = world.shapes[index];
        if (accept(shape, shape_pose(world.bodies[shape.body.index], shape))) {
          found.push_back(world.shape_pool.at(index));
        }
      });
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace

std::optional<CastHit> World::cast_ray(const Ray& ray, const QueryFilter& filter) const {
  JOSTLE_ASSERT(is_finite(ray.origin) && is_finite(ray.translation));
  std::optional<CastHit> best;
  double max_fraction = 1.0;
  visit_shapes(
      *state_, [&](const math::Aabb& box) { return passes_through(ray, box, max_fraction); },
      [&](std::uint32_t index) {
        const auto hit = cast_at_shape(*state_, index, ray, filter);
        if (!hit || (best && !is_before(*hit, *best))) return;
        best = hit;
        // Slightly more than the fraction of the hit, so that all shapes at this fraction are
        // compared, whatever the order of the tree.
        max_fraction = static_cast<double>(hit->fraction) * (1.0 + 1e-6);
      });
  return best;
}

std::vector<CastHit> World::cast_ray_all(const Ray& ray, const QueryFilter& filter) const {
  JOSTLE_ASSERT(is_finite(ray.origin) && is_finite(ray.translation));
  std::vector<CastHit> hits;
  visit_shapes(
      *state_, [&](const math::Aabb& box) { return passes_through(ray, box, 1.0); },
      [&](std::uint32_t index) {
        if (const auto hit = cast_at_shape(*state_, index, ray, filter)) hits.push_back(*hit);
      });
  std::sort(hits.begin(), hits.end(), is_before);
  return hits;
}

std::vector<ShapeHandle> World::overlap_aabb(const math::Aabb& box,
                                             const QueryFilter& filter) const {
  JOSTLE_ASSERT(is_finite(box.lower) && is_finite(box.upper));
  return collect_shapes(*state_, box, [&](const ShapeRecord& shape, const math::Pose& pose) {
    if (!passes(filter, shape)) return false;
    if (shape.def.shape.kind == state::ShapeKind::Plane) return geometry::reaches_plane(box, pose);
    return overlaps(geometry::bounds(shape.def.shape, pose), box);
  });
}

std::vector<ShapeHandle> World::overlap_sphere(math::Position centre, float radius,
                                               const QueryFilter& filter) const {
  JOSTLE_ASSERT(is_finite(centre) && std::isfinite(radius) && radius >= 0.0f);
  const Vec3 half{radius, radius, radius};
  const math::Aabb box{centre - half, centre + half};
  return collect_shapes(*state_, box, [&](const ShapeRecord& shape, const math::Pose& pose) {
    return passes(filter, shape) &&
           geometry::overlaps_sphere(shape.def.shape, pose, centre, radius);
  });
}

std::vector<ContactView> World::contacts() const {
  const WorldState& world = *state_;
  std::vector<ContactView> views;
  for (const Contact& contact : world.contacts) {
    if (contact.is_dead || !contact.is_touching) continue;
    for (std::uint32_t k = 0; k < manifold_count(contact); ++k) {
      const Manifold& manifold = manifold_at(contact, k);
      ContactView& view = views.emplace_back();
      view.a = world.shape_pool.at(contact.shape_a);
      view.b = world.shape_pool.at(contact.shape_b);
      view.normal = manifold.normal;
      view.point_count = static_cast<int>(manifold.point_count);
      const math::Position origin = world.bodies[contact.body_a].position;
      for (std::uint32_t i = 0; i < manifold.point_count; ++i) {
        const ManifoldPoint& point = manifold.points[i];
        view.points[i] = {origin + point.offset_a, point.separation, point.step_impulse};
      }
    }
  }
  std::stable_sort(views.begin(), views.end(), [](const ContactView& x, const ContactView& y) {
    return std::tie(x.a, x.b) < std::tie(y.a, y.b);
  });
  return views;
}

std::size_t World::contact_point_count(BodyHandle body) const {
  JOSTLE_ASSERT(is_alive(body));
  const WorldState& world = *state_;
  std::size_t count = 0;
  for_each_contact(world, body.index, [&](std::uint32_t index) {
    const Contact& contact = world.contacts[index];
    if (!contact.is_touching) return;
    for (std::uint32_t k = 0; k < manifold_count(contact); ++k)
      count += manifold_at(contact, k).point_count;
  });
  return count;
}

std::vector<BodyHandle> World::island(BodyHandle body) const {
  JOSTLE_ASSERT(is_alive(body));
  std::vector<BodyHandle> bodies;
  for (const std::uint32_t index : island_of(*state_, body.index))
    bodies.push_back(state_->body_pool.at(index));
  std::sort(bodies.begin(), bodies.end());
  return bodies;
}

}  // namespace jostle::physics
