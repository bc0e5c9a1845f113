#include "client/render/picking.h"

#include "shared/geometry/ray_cast.h"

namespace jostle::render {

std::optional<Pick> pick(const Ray& ray, std::span<const client::ShownBody> bodies,
                         state::PlayerId ignored_owner) {
  Pick best;
  best.distance = max_pick_distance;
  for (const client::ShownBody& body : bodies) {
    if (!ignored_owner.is_null() && body.info->owner == ignored_owner) continue;
    for (const state::BodyShape& part : body.info->shapes) {
      const auto hit = geometry::cast_ray(part.shape, body.pose * part.local, ray.origin,
                                          ray.direction * max_pick_distance);
      if (!hit || hit->fraction * max_pick_distance >= best.distance) continue;
      best.body = &body;
      best.distance = hit->fraction * max_pick_distance;
    }
  }
  if (best.body == nullptr) return std::nullopt;
  best.position = ray.origin + ray.direction * best.distance;
  best.point_local = math::inverse_transform_point(best.body->pose, best.position);
  return best;
}

}  // namespace jostle::render
