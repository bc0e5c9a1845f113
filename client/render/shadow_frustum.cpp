#include "client/render/shadow_frustum.h"

#include "shared/geometry/bounds.h"

#include <algorithm>
#include <cmath>

namespace jostle::render {

using math::Position;
using math::Vec3;

namespace {

// Maximum distance of drawn shadows from the focus (reach): `reach_factor` times the distance from
// the eye to the focus, limited to [min_reach, max_reach] (m).
constexpr float reach_factor = 2.2f, min_reach = 12, max_reach = 220;
constexpr double size_step = 1.25;
// Fraction of the frustum's radius within which shadows have full strength. They fade beyond it,
// see light_at() in shaders.cpp.
constexpr float whole_share = 0.88f;
// Half the depth of the frustum as a multiple of its radius. Bodies up to this distance from the
// focus, towards the sun, cast shadows.
constexpr float depth_radii = 3;

struct Axes {
  Vec3 right, up, towards_sun;
};

Axes sun_axes() {
  const Vec3 towards_sun = sun_direction();
  const Vec3 right = math::normalized_or(math::cross({0, 1, 0}, towards_sun), {1, 0, 0});
  return {right, math::cross(towards_sun, right), towards_sun};
}

double along(Vec3 axis, Position p) {
  return static_cast<double>(axis.x) * p.x + static_cast<double>(axis.y) * p.y +
         static_cast<double>(axis.z) * p.z;
}

// Returns the radius of the frustum, rounded up to a power of size_step. Within the reach, the
// shadows of all bodies then have full strength.
float covered_radius(const Picture& picture) {
  const float distance = math::length(picture.view.eye - picture.focus);
  const float reach = math::clamp(distance * reach_factor, min_reach, max_reach);
  float needed = min_reach * 0.5f;
  for (const client::ShownBody& body : picture.bodies) {
    for (const state::BodyShape& part : body.info->shapes) {
      if (part.shape.kind == state::ShapeKind::Plane) continue;
      const float edge =
          math::length(body.pose.position - picture.focus) + geometry::bounding_radius(part.shape);
      needed = std::max(needed, std::min(edge / whole_share, reach));
    }
  }
  const double steps = std::ceil(std::log(static_cast<double>(needed)) / std::log(size_step));
  return static_cast<float>(std::pow(size_step, steps));
}

}  // namespace

Vec3 sun_direction() {
  return math::normalized_or({0.46f, 0.76f, 0.34f}, {0, 1, 0});
}

ShadowFrustum fit_shadow_frustum(const Picture& picture, int map_size) {
  const Axes axes = sun_axes();
  ShadowFrustum frustum;
  frustum.radius = covered_radius(picture);
  frustum.texel_size = 2 * frustum.radius / static_cast<float>(map_size);

  // The centre is rounded to whole texels of the world in double precision and then made relative
  // to the eye.
  const auto texel = static_cast<double>(frustum.texel_size);
  const Position& eye = picture.view.eye;
  const auto snapped = [&](Vec3 axis) {
    return std::floor(along(axis, picture.focus) / texel) * texel - along(axis, eye);
  };
  const auto x = static_cast<float>(snapped(axes.right));
  const auto y = static_cast<float>(snapped(axes.up));
  const auto z =
      static_cast<float>(along(axes.towards_sun, picture.focus) - along(axes.towards_sun, eye));
  const float depth = frustum.radius * depth_radii;
  frustum.clip_from_offset = orthographic(frustum.radius, 0, 2 * depth) *
                             translation({-x, -y, -(z + depth)}) *
                             view_rotation(axes.right, axes.up, -axes.towards_sun);
  return frustum;
}

}  // namespace jostle::render
