#pragma once

#include "shared/physics/body.h"
#include "shared/state/shape.h"

#include <jostle/physics/shapes.h>

namespace jostle::api {

/// The geometry of a shape of a body or of a query.
struct Geometry {
  jostle_shape_kind kind = JOSTLE_SHAPE_SPHERE;
  float radius = 0;
  float half_height = 0;
  jostle_vec3 half_extents{};
  jostle_solid solid{};
  const char* kind_name = "kind";  // name of `kind` in messages
};

/// Returns the shape; refuses unknown kinds and wrong solids, but does not check sizes.
state::Shape shape_of(const Geometry& geometry);

/// Returns the engine's form of a definition of the caller; refuses invalid ones.
physics::ShapeDef checked_shape(const jostle_shape_def& def);
/// Requires that a body may have the shape: planes and surfaces need a static body.
void require_place(physics::MotionType motion, const physics::ShapeDef& shape);

/// Returns the definition of a shape, with the null handle as its solid.
jostle_shape_def shape_def_of(const physics::ShapeDef& shape);

}  // namespace jostle::api
