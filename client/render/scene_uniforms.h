#pragma once

#include "client/render/instances.h"

#include <optional>

namespace jostle::render {

/// Returns the density of the fog, 1/m: the farther the eye is from the focus, the thinner.
float fog_density(const Picture& picture);

/// Uniforms of the ground shaders for one plane; shaders.cpp explains them.
struct GroundUniforms {
  math::Vec3 origin, u, v;
  float grid_x = 0, grid_y = 0;
  float extent = 0, grid_step = 1;
  math::Vec3 colour;
};
/// Returns the uniforms of a plane; nothing if the eye is below it, where it is not visible.
std::optional<GroundUniforms> ground_uniforms(const GroundPlane& plane, const Picture& picture);

}  // namespace jostle::render
