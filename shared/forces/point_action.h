#pragma once

#include "shared/forces/drag.h"
#include "shared/forces/force_field.h"
#include "shared/math/vec3d.h"

namespace jostle::forces {

/// A particle, or a body reduced to its centre of mass: an object without a shape.
struct PointMass {
  math::Position position;
  float mass = 1;  // kg
  float charge = 0;
  float radius = 0;  // m; wind and fluids treat the object as a sphere of this radius
};

struct PointAction {
  math::Vec3d force;  // N
  DragTerm drag;
};

/// Returns the effect of a field on an object at a point. `Charges` has none here because it needs
/// all charges, and `Thrust` has none because it needs a body. A pole's point is taken as a point
/// in the world.
PointAction action_on(const ForceField& field, const PointMass& point, math::Vec3 gravity);

/// Returns the force law's value at the offset `from_centre` (m). It points away from the centre if
/// the strength is positive. Returns zero at the centre itself and beyond the outer radius.
math::Vec3d central(const CentralLaw& law, math::Vec3d from_centre);

/// Returns the drag on an object with the given mass (kg) and area facing the wind in m²
/// (facing_area.h).
DragTerm drag_of(const Wind& wind, float area, float mass);
/// Returns the drag on an object with the given mass that displaces `displaced` kg of the fluid.
DragTerm drag_of(const Fluid& fluid, float displaced, float mass);

/// Returns the vector from b to a, m.
inline math::Vec3d between(math::Position a, math::Position b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

}  // namespace jostle::forces
