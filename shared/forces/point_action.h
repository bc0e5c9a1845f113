#pragma once

#include "shared/forces/drag.h"
#include "shared/forces/force_field.h"
#include "shared/math/vec3d.h"

namespace jostle::forces {

/// Something so small that it has no shape: a particle, or a body as far as its middle tells all.
struct PointMass {
  math::Position position;
  float mass = 1;  // kg
  float charge = 0;
  float radius = 0;  // m: winds and fluids take it for a ball
};

struct PointAction {
  math::Vec3d force;  // N
  DragTerm drag;
};

/// What a field does to something at a place. Nothing by `Charges`, which needs to know all of
/// them, and by `Thrust`, which needs a body; a pole stands where its point is in the world.
PointAction action_on(const ForceField& field, const PointMass& point, math::Vec3 gravity);

/// The law at `from_centre`, m from where it comes: away from there where the strength is positive.
/// Zero in the centre itself.
math::Vec3d central(const CentralLaw& law, math::Vec3d from_centre);

/// On something of mass `mass` that has so much area facing the wind (facing_area.h) in m².
DragTerm drag_of(const Wind& wind, float area, float mass);
/// On something of mass `mass` that displaces so many kilograms of the fluid.
DragTerm drag_of(const Fluid& fluid, float displaced, float mass);

/// From b to a, m.
inline math::Vec3d between(math::Position a, math::Position b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}

}  // namespace jostle::forces
