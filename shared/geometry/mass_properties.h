#pragma once

#include "shared/math/mat3.h"
#include "shared/math/transform.h"
#include "shared/state/shape.h"

namespace jostle::geometry {

/// m³; 0 for a plane, a mesh and a height field.
float volume(const state::Shape& shape);

/// Mass, centre of mass and inertia tensor about that centre, all in one frame.
struct MassProperties {
  float mass = 0;  // kg
  math::Vec3 centre;
  math::Mat3 inertia = math::zero_matrix();  // kg·m²
};

/// Of a solid shape of uniform density (kg/m³) in its own frame. Planes, meshes and
/// height fields have none.
MassProperties mass_properties(const state::Shape& shape, float density);

/// The same body seen from the frame in which its own has the pose `pose`.
MassProperties transformed(const MassProperties& properties, const math::Transform& pose);

/// Two bodies rigidly joined; both in the same frame.
MassProperties combined(const MassProperties& a, const MassProperties& b);

/// Whether a body can have this inertia tensor about its centre of mass: symmetric, its moments
/// finite, positive and no farther apart than 1 : 10⁶, and none larger than the sum of the others,
/// but for rounding (a hoop's moment is that sum).
bool is_inertia(const math::Mat3& tensor);

}  // namespace jostle::geometry
