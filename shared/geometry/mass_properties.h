#pragma once

#include "shared/math/mat3.h"
#include "shared/math/transform.h"
#include "shared/state/shape.h"

namespace jostle::geometry {

/// Returns the volume in m³; 0 for a plane, a mesh and a height field.
float volume(const state::Shape& shape);

/// Mass, centre of mass and inertia tensor about that centre, all in the same frame.
struct MassProperties {
  float mass = 0;  // kg
  math::Vec3 centre;
  math::Mat3 inertia = math::zero_matrix();  // kg·m²
};

/// Returns the mass properties of a solid shape of uniform density (kg/m³) in the frame of the
/// shape. They are zero for planes, meshes and height fields.
MassProperties mass_properties(const state::Shape& shape, float density);

/// Returns the mass properties of the solid that a closed mesh encloses, in the frame of the mesh.
/// Regions count as often as the mesh winds around them (Eberly, "Polyhedral mass properties",
/// 2002).
MassProperties mass_properties(const state::TriangleMesh& mesh, float density);

/// Transforms mass properties from a body's frame to the frame in which that body has the pose
/// `pose`.
MassProperties transformed(const MassProperties& properties, const math::Transform& pose);

/// Returns the mass properties of two rigidly joined bodies. `a`, `b` and the result are in the
/// same frame.
MassProperties combined(const MassProperties& a, const MassProperties& b);

/// Returns true if a body can have this inertia tensor about its centre of mass. It must be
/// symmetric, with a sum of the principal moments between 10⁻²⁴ and 10²⁴ kg·m², and each moment
/// more than 10⁻⁶ of that sum. No moment may exceed the sum of the other two by more than rounding
/// (for a hoop it equals that sum).
bool is_inertia(const math::Mat3& tensor);

}  // namespace jostle::geometry
