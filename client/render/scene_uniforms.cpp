#include "client/render/scene_uniforms.h"

#include <algorithm>
#include <cmath>

namespace jostle::render {
namespace {

// Distance at which fog removes two thirds of the contrast: `fog_distances` times the distance from
// the eye to the focus, at least `min_fog_distance` (m).
constexpr float fog_distances = 22, min_fog_distance = 220;

float modulo(double value, double period) {
  return static_cast<float>(value - std::floor(value / period) * period);
}

}  // namespace

float fog_density(const Picture& picture) {
  const float distance = math::length(picture.view.eye - picture.focus);
  return 1 / std::max(min_fog_distance, distance * fog_distances);
}

std::optional<GroundUniforms> ground_uniforms(const GroundPlane& plane, const Picture& picture) {
  const View& view = picture.view;
  const math::Vec3 eye_local = math::inverse_transform_point(plane.pose, view.eye);
  if (eye_local.y <= 0) return std::nullopt;
  // Lines every metre, or every 10 m or 100 m if the view is far away.
  const float distance = math::max_of(eye_local.y, math::length(view.eye - picture.focus) * 0.5f);
  GroundUniforms ground;
  ground.grid_step = distance < 60 ? 1.0f : distance < 600 ? 10.0f : 100.0f;
  const double period = static_cast<double>(ground.grid_step) * 20;
  ground.u = math::rotate(plane.pose.rotation, {1, 0, 0});
  ground.v = math::rotate(plane.pose.rotation, {0, 0, 1});
  const math::Vec3 below_local{eye_local.x, 0, eye_local.z};
  ground.origin = math::transform_point(plane.pose, below_local) - view.eye;
  ground.grid_x = modulo(static_cast<double>(eye_local.x), period);
  ground.grid_y = modulo(static_cast<double>(eye_local.z), period);
  ground.extent = view.far;
  ground.colour = {static_cast<float>(plane.colour.red) / 255,
                   static_cast<float>(plane.colour.green) / 255,
                   static_cast<float>(plane.colour.blue) / 255};
  return ground;
}

}  // namespace jostle::render
